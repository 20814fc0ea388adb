-- Port: aos, the operating system of the ao computer: its pure Lua module
-- .crypto.digest.blake2b, a function of a whole message, documented in its source.

package.path = "lua/?.lua;build/lua/?.lua;" .. package.path
local protocol = require "protocol"
package.preload[".crypto.util.hex"] = function() return {} end -- asHex is not used
local blake2b = require "aos_blake2b"

local State = {}
State.__index = State

function State:update(data)
  if self.message then protocol.unsupported("the message is taken in one piece") end
  self.message = data
end

function State:digest()
  if self.done then protocol.unsupported("there is no state") end
  self.done = true
  local result, refusal = blake2b(self.message or "", self.size, self.key)
  if not result then error(refusal, 0) end
  return result.asString()
end

protocol.serve {
  name = "aos",
  version = require("versions").aos,
  limit = 1 << 23,
  new = function(size, key)
    return setmetatable({ size = size, key = key }, State)
  end,
}
