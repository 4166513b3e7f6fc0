-- Sends the raw requests of a file in turn; each ends with a NUL byte. "{{counter}}" becomes a number of as many
-- digits, a different one in every request, so that the length of a body stays true.
local marker = "{{counter}}"
local requests = {}
local sent = 0

function init(args)
  local file = assert(io.open(args[1], "rb"))
  for request in file:read("*a"):gmatch("(%Z+)%z") do
    local from, to = request:find(marker, 1, true)
    if from then
      requests[#requests + 1] = { request:sub(1, from - 1), request:sub(to + 1) }
    else
      requests[#requests + 1] = request
    end
  end
  file:close()
end

function request()
  local next = requests[sent % #requests + 1]
  sent = sent + 1
  if type(next) == "string" then return next end
  return next[1] .. string.format("%0" .. #marker .. "d", sent) .. next[2]
end

function done(summary, latency)
  local errors = summary.errors
  local failed = errors.connect + errors.read + errors.write + errors.status + errors.timeout
  io.write(string.format("\n%d %d %d %d %d\n",
    summary.requests, summary.duration, latency:percentile(50), latency:percentile(99), failed))
end
