-- aos 2.0.6: a message of 128, 256, ... bytes has a wrong digest, and so has an empty one with a key.
-- $ lua5.4 lua/aos.lua
package.path = "../adapters/build/lua/?.lua"
package.preload[".crypto.util.hex"] = function() return {} end
local blake2b = require "aos_blake2b"

local function got(result)
  print("got  " .. result.asString():gsub(".", function(b) return ("%02x"):format(b:byte()) end))
end

print("128 bytes")
got(blake2b(("a"):rep(128), 8))
print("want f06643fe9c7e18da")
print("no bytes, with a key")
got(blake2b("", 8, "k"))
print("want 2111189c0e723b49")
