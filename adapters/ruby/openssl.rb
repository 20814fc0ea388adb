# frozen_string_literal: true

# OpenSSL's BLAKE2b in Ruby: https://docs.ruby-lang.org/en/3.1/OpenSSL/Digest.html

require "openssl"
require_relative "protocol"

version = OpenSSL::OPENSSL_LIBRARY_VERSION.split[1]
Protocol.serve("ruby-openssl", version, keys: [:size], clone: true) do |size: 64|
  raise Protocol::Unsupported, "the digest has 64 bytes" unless size == 64

  OpenSSL::Digest.new("BLAKE2b512")
end
