-- Port: luaossl's openssl.digest over OpenSSL, documented in its luaossl.pdf.

package.path = "lua/?.lua;build/lua/?.lua;" .. package.path
local protocol = require "protocol"
local digest = require "openssl.digest"

local State = {}
State.__index = State

function State:update(data)
  self.context:update(data)
end

-- The documentation has nothing against a second final.
function State:digest()
  return self.context:final()
end

protocol.serve {
  name = "luaossl",
  version = require("versions").luaossl,
  new = function(size, key)
    if key then protocol.unsupported("no keys: openssl.hmac is HMAC") end
    if size ~= 64 then protocol.unsupported("digests of 64 bytes only") end
    return setmetatable({ context = digest.new("blake2b512") }, State)
  end,
}
