-- For wrk: reads a customer in one session after the other, of SESSIONS (64), or changes a brand
-- (METHOD=PATCH).
local method = os.getenv("METHOD") or "GET"
local sessions = tonumber(os.getenv("SESSIONS") or "64")
local path = "/brands/brnd_F5ZR3qa7yEeeby3abP3E2"
local read_path = "/customers/cus_L9xVQ2zg4mZaouqKLiMcV"
local count = 0

function setup(thread)
  thread:set("first", math.random(sessions))
end

function request()
  count = count + 1
  wrk.headers["X-Counterpart-Session"] = "s" .. (first + count) % sessions
  if method == "GET" then
    return wrk.format(method, read_path)
  end
  wrk.headers["Content-Type"] = "application/json"
  return wrk.format(method, path, nil, '{"name": "Name ' .. count .. '"}')
end
