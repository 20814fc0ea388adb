# RbNaCl 7.1.1: reset raises NoMethodError, what is updated after a digest is ignored, an empty message has no digest, and a
# dup shares its state with the original.
# $ ruby ruby/rbnacl.rb
require "rbnacl"

def hash(*messages)
  messages.each_with_object(RbNaCl::Hash::Blake2b.new(digest_size: 16)) { |m, h| h.update(m) }
end

def hex(text)
  text.unpack1("H*")
end

def try
  yield
rescue StandardError => e
  "#{e.class}: #{e.message[/[^#\n]+/]}"
end

want = ->(message) { puts "want #{hex(RbNaCl::Hash.blake2b(message, digest_size: 16))}" }

puts "reset after an update"
puts "got  #{try { h = hash("a"); h.reset; hex(h.digest) }}"
want[""]

puts "an update after a digest"
h = hash("a")
h.digest
h.update("b")
puts "got  #{hex(h.digest)}"
want["ab"]

puts "the empty message"
puts "got  #{try { hex(hash.digest) }}"
want[""]

puts "the original after an update of its dup"
h = hash("a")
h.dup.update("b")
puts "got  #{hex(h.digest)}"
want["a"]
