# frozen_string_literal: true

# RbNaCl's Hash::Blake2b, on libsodium: https://www.rubydoc.info/gems/rbnacl/RbNaCl/Hash/Blake2b

require "rbnacl"
require_relative "protocol"

NAMES = { size: :digest_size, person: :personal }.freeze

# libsodium documents digests and keys of 16 to 64 bytes.
def allowed?(size: 64, key: "", salt: "", person: "")
  size.between?(1, 64) && key.bytesize <= 64 && salt.bytesize <= 16 && person.bytesize <= 16
end

Protocol.serve("rbnacl", RbNaCl::VERSION, keys: %i[size key salt person]) do |**params|
  hash = RbNaCl::Hash::Blake2b.new(params.transform_keys { |key| NAMES.fetch(key, key) })
  hash.reset # initializes the state; update would do it, but digest does not
  hash
rescue RbNaCl::LengthError => e
  raise unless allowed?(**params)

  raise Protocol::Unsupported, "documented for 16 to 64 bytes: #{e.message}"
end
