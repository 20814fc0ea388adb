-- The line protocol of blake2btest: reads requests, takes their steps, answers.
-- It is described in subprocess/PROTOCOL.md.

local LONGEST_LINE <const> = 1 << 20
local LONGEST_WRITE <const> = 1 << 27
local LONGEST_MESSAGE <const> = 1 << 33

-- An Unsupported is thrown; any other error is a string, without a position.
local Unsupported = {}

local function unsupported(format, ...)
  error(setmetatable({ text = format:format(...) }, Unsupported))
end

local function invalid(format, ...)
  error(format:format(...), 0)
end

local function number(what, word)
  if word ~= "0" and not word:find("^[1-9]%d*$") then
    invalid("%s: %q is not a decimal number", what, word)
  end
  return math.tointeger(tonumber(word)) or invalid("%s: %s is too large", what, word)
end

local function bytes(what, word)
  if word:find("[^0-9a-f]") then
    invalid("%s: %q is not hex in lower case", what, word)
  elseif #word % 2 ~= 0 then
    invalid("%s: %q has an odd number of digits", what, word)
  end
  return (word:gsub("..", function(digits) return string.char(tonumber(digits, 16)) end))
end

local function hex(data)
  return (data:gsub(".", function(byte) return ("%02x"):format(byte:byte()) end))
end

-- Steps: a word alone, or the data and the count of a write.

local known = { sum = true, new = true, swap = true }

local function parse_step(word)
  if known[word] then
    return { op = word }
  elseif word == "-" then
    return { op = "write", data = "", count = 1 }
  elseif word == "" then
    invalid("an empty word")
  elseif word:find("[g-z]") then
    unsupported("step %q", word)
  end
  local digits, star, times = word:match("^([^*]*)(%*?)(.*)$")
  local data = bytes("write", digits)
  local count = star == "" and 1 or number("write count", times)
  if #data == 0 or count == 0 then
    invalid("write of no bytes has a count")
  end
  return { op = "write", data = data, count = count }
end

local parse_value = {
  size = function(word)
    local size = number("size", word)
    return size < 1 << 32 and size or invalid("size: %d is above 2^32-1", size)
  end,
  key = function(word) return bytes("key", word) end,
}

local function parse(words)
  local parameters, steps = {}, {}
  local i = 1
  while words[i] and words[i] ~= ":" do
    local key, value = words[i]:match("^([^=]*)=(.*)$")
    if not key then
      invalid("word %q is not key=value", words[i])
    elseif parameters[key] then
      invalid("key %q given twice", key)
    elseif not parse_value[key] then
      unsupported("key %q", key)
    end
    parameters[key] = parse_value[key](value)
    i = i + 1
  end
  for j = i + 1, #words do
    table.insert(steps, parse_step(words[j]))
  end
  return parameters, steps
end

local function check(steps, limit)
  local aside, length = false, 0
  for _, step in ipairs(steps) do
    if step.op == "new" then
      aside = true
    elseif step.op == "swap" and not aside then
      invalid("swap with no state aside")
    elseif step.op == "write" and #step.data > 0 then
      if step.count > (limit - length) // #step.data then
        unsupported("a message above %d bytes", limit)
      end
      length = length + #step.data * step.count
    end
  end
end

-- One call of update, or above the longest write as few as it takes.
local function feed(state, data, count)
  local most = math.max(1, LONGEST_WRITE // math.max(1, #data))
  if count > most then
    local piece = data:rep(most)
    for _ = 1, count // most do
      state:update(piece)
    end
    count = count % most
    if count == 0 then return end
  end
  state:update(data:rep(count))
end

local function run(port, parameters, steps)
  local function new()
    return port.new(parameters.size or 64, parameters.key)
  end
  local state, aside, answer = new(), nil, { "ok" }
  for _, step in ipairs(steps) do
    if step.op == "write" then
      feed(state, step.data, step.count)
    elseif step.op == "sum" then
      table.insert(answer, hex(state:digest()))
    elseif step.op == "new" then
      aside = new()
    elseif step.op == "swap" then
      state, aside = aside, state
    end
  end
  table.insert(answer, hex(state:digest()))
  return table.concat(answer, " ")
end

local function answer(port, line)
  if line == "" then
    invalid("empty line")
  elseif #line > LONGEST_LINE then
    invalid("line above %d bytes", LONGEST_LINE)
  end
  local words = {}
  for word in (line .. " "):gmatch("([^ ]*) ") do
    table.insert(words, word)
  end
  local verb = table.remove(words, 1)
  if verb == "sum" then
    local parameters, steps = parse(words)
    check(steps, port.limit or LONGEST_MESSAGE)
    return run(port, parameters, steps)
  elseif verb ~= "about" then
    unsupported("verb %q", verb)
  elseif words[1] == ":" then
    invalid("about takes no steps")
  elseif words[1] then
    unsupported("about takes no keys")
  end
  return ("ok name=%s version=%s protocol=1"):format(os.getenv("ADAPTER_NAME") or port.name, port.version)
end

local function printable(text)
  return (tostring(text):gsub("[^ -~]", "?"))
end

-- Answers requests until the input ends. A port has a name, a version, and
-- new(size, key), where key may be nil; it returns a state with update(data) and
-- digest(), or calls unsupported. It may have a limit to the bytes of a message.
local function serve(port)
  for line in io.lines() do
    local ok, result = pcall(answer, port, (line:gsub("\r$", "")))
    if ok then
      io.write(result, "\n")
    elseif getmetatable(result) == Unsupported then
      io.write("unsupported ", printable(result.text), "\n")
    else
      io.write("error ", printable(result), "\n")
    end
    io.flush()
  end
end

return { serve = serve, unsupported = unsupported }
