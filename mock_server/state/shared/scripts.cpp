#include "mock_server/state/shared/scripts.hpp"

#include <array>
#include <string>

namespace mock_server::state::shared {
namespace {

constexpr std::string_view kCommon = R"lua(
local function key(n, what) return 'cp:{' .. n .. '}:' .. what end
local function drop(n)
  for _, s in ipairs(redis.call('SMEMBERS', key(n, 'snapshots'))) do
    redis.call('DEL', key(n .. '/' .. s, 'cells'), key(n .. '/' .. s, 'version'))
  end
  redis.call('DEL', key(n, 'cells'), key(n, 'version'), key(n, 'serial'), key(n, 'snapshots'))
  return redis.call('ZREM', 'cp:sessions', n)
end
local function drop_idle(now, idle)
  if idle > 0 then
    for _, n in ipairs(redis.call('ZRANGEBYSCORE', 'cp:sessions', '-inf', now - idle, 'LIMIT', 0, 100)) do
      drop(n)
    end
  end
end
local function make(n, now, most)
  if redis.call('ZCARD', 'cp:sessions') >= most then
    for _, idlest in ipairs(redis.call('ZRANGE', 'cp:sessions', 0, 0)) do drop(idlest) end
  end
  drop(n)
  redis.call('SET', key(n, 'serial'), redis.call('INCR', 'cp:serials'))
  redis.call('ZADD', 'cp:sessions', now, n)
end
local function put(n, from)
  redis.call('DEL', key(n, 'cells'))
  for at = from, #ARGV, 3 do
    redis.call('HSET', key(n, 'cells'), ARGV[at],
      redis.call('INCR', 'cp:versions') .. ' ' .. ARGV[at + 1] .. ' ' .. ARGV[at + 2])
  end
  redis.call('SET', key(n, 'version'), redis.call('INCR', 'cp:versions'))
end
local function lives(n, serial)
  return (redis.call('GET', key(n, 'serial')) or '0') == serial
end
)lua";

// name, known version, now ms, idle ms, most sessions, now us, whether to make it
constexpr std::string_view kBegin = R"lua(
local n, now = ARGV[1], tonumber(ARGV[3])
local id = 0
if n ~= '' then
  local used = redis.call('ZSCORE', 'cp:sessions', n)
  local idle = tonumber(ARGV[4])
  if not used or (idle > 0 and tonumber(used) + idle <= now) then
    if used then drop(n) end
    if ARGV[7] == '0' then return false end
    drop_idle(now, idle)
    make(n, now, tonumber(ARGV[5]))
    local armed = ''
    for _, s in ipairs(redis.call('LRANGE', 'cp:armed', 0, -1)) do
      armed = armed .. ARGV[6] .. ' ' .. s .. '\n'
    end
    if armed ~= '' then
      local v = redis.call('INCR', 'cp:versions')
      redis.call('HSET', key(n, 'cells'), 'armed', v .. ' - ' .. armed)
      redis.call('SET', key(n, 'version'), v)
    end
  elseif ARGV[7] == '1' then
    redis.call('ZADD', 'cp:sessions', now, n)
  end
end
if ARGV[7] == '1' then id = redis.call('INCR', 'cp:ids') end
local v = redis.call('GET', key(n, 'version')) or '0'
local cells = {}
if v ~= ARGV[2] then cells = redis.call('HGETALL', key(n, 'cells')) end
return {redis.call('GET', key(n, 'serial')) or '0', v, id, cells}
)lua";

// name, owner, serial, cell, expected version, whether there is a text, expires, text
constexpr std::string_view kPut = R"lua(
local n, c = ARGV[1], key(ARGV[1], 'cells')
local before = redis.call('GET', key(n, 'version')) or '0'
local old, is = redis.call('HGET', c, ARGV[4]), '0'
if old then is = string.match(old, '^%d+') end
if is ~= ARGV[5] then return {0, before, before} end
local v = redis.call('INCR', 'cp:versions')
if lives(ARGV[2], ARGV[3]) then
  if ARGV[6] == '1' then
    redis.call('HSET', c, ARGV[4], v .. ' ' .. ARGV[7] .. ' ' .. ARGV[8])
  else
    redis.call('HDEL', c, ARGV[4])
  end
  redis.call('SET', key(n, 'version'), v)
end
return {1, before, v .. ''}
)lua";

// name, owner, serial, then cell, expires, text for each
constexpr std::string_view kReplace = R"lua(
if not lives(ARGV[2], ARGV[3]) then return 0 end
put(ARGV[1], 4)
return 1
)lua";

// name, now ms, idle ms, most sessions, then cell, expires, text for each
constexpr std::string_view kFork = R"lua(
local now = tonumber(ARGV[2])
drop_idle(now, tonumber(ARGV[3]))
if redis.call('ZSCORE', 'cp:sessions', ARGV[1]) then return 0 end
make(ARGV[1], now, tonumber(ARGV[4]))
put(ARGV[1], 5)
return 1
)lua";

// name
constexpr std::string_view kDrop = "return drop(ARGV[1])";

// "list", "arm" or "disarm", scenario
constexpr std::string_view kArm = R"lua(
if ARGV[1] ~= 'list' then redis.call('LREM', 'cp:armed', 0, ARGV[2]) end
if ARGV[1] == 'arm' then redis.call('RPUSH', 'cp:armed', ARGV[2]) end
return redis.call('LRANGE', 'cp:armed', 0, -1)
)lua";

// entry, most bytes
constexpr std::string_view kAppend = R"lua(
redis.call('RPUSH', 'cp:journal', ARGV[1])
local bytes = redis.call('INCRBY', 'cp:journal:bytes', #ARGV[1])
while bytes > tonumber(ARGV[2]) do
  local oldest = redis.call('LPOP', 'cp:journal')
  if not oldest then break end
  bytes = redis.call('DECRBY', 'cp:journal:bytes', #oldest)
  redis.call('INCR', 'cp:journal:dropped')
end
return 1
)lua";

// first place, most entries; gives the entries dropped so far, those after them, the asked ones
constexpr std::string_view kSync = R"lua(
local dropped = tonumber(redis.call('GET', 'cp:journal:dropped') or '0')
local from = math.max(tonumber(ARGV[1]) - dropped, 0)
return {dropped, redis.call('LLEN', 'cp:journal'),
        redis.call('LRANGE', 'cp:journal', from, from + tonumber(ARGV[2]) - 1)}
)lua";

// now ms, idle ms; gives name, serial, last use, number of cells for each
constexpr std::string_view kSessions = R"lua(
drop_idle(tonumber(ARGV[1]), tonumber(ARGV[2]))
local found = {}
local all = redis.call('ZRANGE', 'cp:sessions', 0, -1, 'WITHSCORES')
for at = 1, #all, 2 do
  found[#found + 1] = all[at]
  found[#found + 1] = redis.call('GET', key(all[at], 'serial')) or '0'
  found[#found + 1] = all[at + 1]
  found[#found + 1] = redis.call('HLEN', key(all[at], 'cells'))
end
return found
)lua";

// "list", "add" or "drop", session, snapshot, most; add gives 0 when there are too many
constexpr std::string_view kSnapshots = R"lua(
local k, cells = key(ARGV[2], 'snapshots'), key(ARGV[2] .. '/' .. ARGV[3], 'cells')
if ARGV[1] == 'list' then return redis.call('SMEMBERS', k) end
if ARGV[1] == 'drop' then
  redis.call('DEL', cells, key(ARGV[2] .. '/' .. ARGV[3], 'version'))
  return redis.call('SREM', k, ARGV[3])
end
if redis.call('SISMEMBER', k, ARGV[3]) == 0 then
  if redis.call('SCARD', k) >= tonumber(ARGV[4]) then return 0 end
  redis.call('SADD', k, ARGV[3])
end
return 1
)lua";

// how many ids to take; gives the last of them
constexpr std::string_view kIds = "return redis.call('INCRBY', 'cp:ids', ARGV[1])";

// name; gives version and cells
constexpr std::string_view kLoad = R"lua(
return {redis.call('GET', key(ARGV[1], 'version')) or '0',
        redis.call('HGETALL', key(ARGV[1], 'cells'))}
)lua";

constexpr std::array<std::string_view, kScripts> kTexts{
    kBegin, kPut, kReplace, kFork, kDrop, kArm, kAppend, kSync, kSessions, kSnapshots, kIds, kLoad};

std::array<std::string, kScripts> with_common() {
  std::array<std::string, kScripts> texts;
  for (std::size_t at = 0; at < kScripts; ++at) {
    texts.at(at) = std::string(kCommon) + std::string(kTexts.at(at));
  }
  return texts;
}

}  // namespace

std::string_view text_of(Script script) {
  static const auto kAll = with_common();
  return kAll.at(static_cast<std::size_t>(script));
}

}  // namespace mock_server::state::shared
