#include "mock_server/state/shared/redis.hpp"

#include <array>
#include <initializer_list>
#include <string>

namespace mock_server::state::shared {
namespace {

// Functions that scripts share, in parts: a run makes anew every function of the parts that its
// script has.
constexpr std::string_view kCells = R"lua(
local function key(n, what) return 'cp:{' .. n .. '}:' .. what end
local function drop_cells(n)
  redis.call('DEL', key(n, 'cells'), key(n, 'version'), key(n, 'changes'), key(n, 'floor'))
end
local function version_of(n) return redis.call('GET', key(n, 'version')) or '0' end
local function put(n, v, cell, expires, text)
  redis.call('HSET', key(n, 'cells'), cell, v .. ' ' .. expires .. ' ' .. text)
  redis.call('ZADD', key(n, 'changes'), v, cell)
end
local function seal(n, v)
  local changes = key(n, 'changes')
  if redis.call('ZCARD', changes) > 4096 then
    local last = redis.call('ZRANGE', changes, 2048, 2048, 'WITHSCORES')
    redis.call('ZREMRANGEBYRANK', changes, 0, 2048)
    redis.call('SET', key(n, 'floor'), last[2])
  end
  redis.call('SET', key(n, 'version'), v)
end
)lua";

constexpr std::string_view kAllSessions = R"lua(
local function drop(n)
  for _, s in ipairs(redis.call('SMEMBERS', key(n, 'snapshots'))) do drop_cells(n .. '/' .. s) end
  drop_cells(n)
  local serial = redis.call('GET', key(n, 'serial'))
  if serial then
    redis.call('HDEL', 'cp:windows', serial)
    redis.call('HDEL', 'cp:added', serial)
  end
  redis.call('DEL', key(n, 'serial'), key(n, 'snapshots'))
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
)lua";

// Old entries leave by the sixteenth of all, so that few calls do it.
constexpr std::string_view kJournal = R"lua(
local function in_full(number) return string.format('%.0f', number) end
local function note_lost(serial, id, time)
  if redis.call('HEXISTS', 'cp:added', serial) == 0 then return end
  local base, lost, at, part =
    string.match(redis.call('HGET', 'cp:windows', serial) or '0 0 0 0', '(%S+) (%S+) (%S+) (%S+)')
  if id > tonumber(lost) then lost = in_full(id) end
  if time > tonumber(at) then at = in_full(time) end
  redis.call('HSET', 'cp:windows', serial, base .. ' ' .. lost .. ' ' .. at .. ' ' .. part)
end
-- At least the memory that a record takes in a mock (MemoryJournal::cost_of), so that what is here is there.
local function cost(record) return #record + 64 + math.floor(#record / 4) end
local function trim(bytes, target)
  local dropped, ids, times = 0, {}, {}
  while bytes > target do
    local count = 0
    for _, record in ipairs(redis.call('LRANGE', 'cp:journal', 0, 63)) do
      if bytes <= target then break end
      count, bytes = count + 1, bytes - cost(record)
      local serial, id, time = string.match(record, '^E (%d+) (%d+) (-?%d+) ')
      if serial then
        ids[serial] = math.max(ids[serial] or 0, tonumber(id))
        times[serial] = math.max(times[serial] or 0, tonumber(time))
      end
    end
    if count == 0 then break end
    redis.call('LTRIM', 'cp:journal', count, -1)
    dropped = dropped + count
  end
  redis.call('SET', 'cp:journal:bytes', in_full(bytes))
  redis.call('INCRBY', 'cp:journal:dropped', dropped)
  for serial, id in pairs(ids) do note_lost(serial, id, times[serial]) end
end
local function append(record, most)
  redis.call('RPUSH', 'cp:journal', record)
  local serial = string.match(record, '^E (%d+) ')
  if serial then redis.call('HINCRBY', 'cp:added', serial, 1) end
  local bytes = redis.call('INCRBY', 'cp:journal:bytes', cost(record))
  if bytes > tonumber(most) then trim(bytes, tonumber(most) * 15 / 16) end
end
)lua";

// name, known serial, known version, now ms, idle ms, most sessions, now us, whether to make it,
// whether to drop idle sessions, known epoch, how much was done in it; gives serial, version, id,
// epoch, whether the cells are all, cells (those that changed since the known version otherwise;
// false for one that is gone), how much was done. The time of last use is exact to a tenth of a
// second. Where less was done than the mock has seen, older data came back: another epoch.
constexpr std::string_view kBegin = R"lua(
local n, now, idle, is_use = ARGV[1], tonumber(ARGV[4]), tonumber(ARGV[5]), ARGV[8] == '1'
local id = 0
if is_use and ARGV[9] == '1' then drop_idle(now, idle) end
local function look()
  return redis.call('MGET', 'cp:epoch', key(n, 'serial'), key(n, 'version'), key(n, 'floor'), 'cp:ids', 'cp:versions')
end
local is = look()
local epoch, done = is[1], tonumber(is[5] or '0') + tonumber(is[6] or '0')
if not epoch then return redis.error_reply('CPEMPTY') end
if epoch == ARGV[10] and done < tonumber(ARGV[11]) then
  epoch = string.sub(epoch, 1, 32) .. '-' .. table.concat(redis.call('TIME'), '-')
  redis.call('SET', 'cp:epoch', epoch)
end
if n ~= '' then
  local used = redis.call('ZSCORE', 'cp:sessions', n)
  if not used or (idle > 0 and tonumber(used) + idle <= now) then
    if used then drop(n) end
    if not is_use then return false end
    make(n, now, tonumber(ARGV[6]))
    local armed = ''
    for _, s in ipairs(redis.call('LRANGE', 'cp:armed', 0, -1)) do
      armed = armed .. ARGV[7] .. ' ' .. s .. '\n'
    end
    if armed ~= '' then
      local v = redis.call('INCR', 'cp:versions')
      put(n, v, 'armed', '-', armed)
      seal(n, v)
    end
    is = look()
  elseif is_use and math.abs(now - tonumber(used)) >= 100 then
    redis.call('ZADD', 'cp:sessions', now, n)
  end
end
if is_use then id = redis.call('INCR', 'cp:ids') end
local serial, v, cells, all = is[2] or '0', is[3] or '0', {}, 1
local known = tonumber(ARGV[3])
if epoch == ARGV[10] and serial == ARGV[2] and known > 0 and known >= tonumber(is[4] or '0') then
  all = 0
  if v ~= ARGV[3] then
    for _, cell in ipairs(redis.call('ZRANGEBYSCORE', key(n, 'changes'), '(' .. ARGV[3], '+inf')) do
      cells[#cells + 1] = cell
      cells[#cells + 1] = redis.call('HGET', key(n, 'cells'), cell)
    end
  end
elseif v ~= '0' then
  cells = redis.call('HGETALL', key(n, 'cells'))
end
return {serial, v, id, epoch, all, cells, done}
)lua";

// name, owner, serial, version that the session must have or may have had, whether it must,
// whether all other cells go, number of cells that are checked, cell and version for each, number
// of cells that change, cell, whether there is a text, expires, text for each, entry or "", most
// bytes of the journal; gives whether it was done, the version before, that after
constexpr std::string_view kCommit = R"lua(
local function lives(n, serial)
  return (redis.call('GET', key(n, 'serial')) or '0') == serial
end
local function empty(n, v)
  drop_cells(n)
  redis.call('SET', key(n, 'floor'), v)
end
local n, before = ARGV[1], version_of(ARGV[1])
local at = 8
local function next() at = at + 1; return ARGV[at - 1] end
local is_same = before == ARGV[4]
if not is_same and ARGV[5] == '1' then return {0, before, before} end
for _ = 1, tonumber(ARGV[7]) do
  local old, expected, is = redis.call('HGET', key(n, 'cells'), next()), next(), '0'
  if not is_same then
    if old then is = string.match(old, '^%d+') end
    if is ~= expected then return {0, before, before} end
  end
end
local changes, v = tonumber(next()), before
if not lives(ARGV[2], ARGV[3]) then
  at = at + 4 * changes
elseif changes > 0 or ARGV[6] == '1' then
  v = redis.call('INCR', 'cp:versions')
  if ARGV[6] == '1' then empty(n, v) end
  for _ = 1, changes do
    local cell, is_there, expires, text = next(), next(), next(), next()
    if is_there == '1' then
      put(n, v, cell, expires, text)
    else
      redis.call('HDEL', key(n, 'cells'), cell)
      redis.call('ZADD', key(n, 'changes'), v, cell)
    end
  end
  seal(n, v)
end
local entry = next()
if entry ~= '' then append(entry, next()) end
return {1, before, v .. ''}
)lua";

// name, now ms, idle ms, most sessions, then cell, expires, text for each
constexpr std::string_view kFork = R"lua(
local now = tonumber(ARGV[2])
drop_idle(now, tonumber(ARGV[3]))
if redis.call('ZSCORE', 'cp:sessions', ARGV[1]) then return 0 end
make(ARGV[1], now, tonumber(ARGV[4]))
local v = redis.call('INCR', 'cp:versions')
for at = 5, #ARGV, 3 do put(ARGV[1], v, ARGV[at], ARGV[at + 1], ARGV[at + 2]) end
seal(ARGV[1], v)
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

// record, most bytes
constexpr std::string_view kAppend = "append(ARGV[1], ARGV[2]) return 1";

// session, most bytes, "C" or "P": whether what comes then is all
constexpr std::string_view kClear = R"lua(
append(ARGV[3] .. ' ' .. ARGV[1], ARGV[2])
local added = redis.call('HINCRBY', 'cp:added', ARGV[1], 0)
redis.call('HSET', 'cp:windows', ARGV[1], in_full(added) .. ' 0 0 ' .. (ARGV[3] == 'P' and '1' or '0'))
return 1
)lua";

// first place, most records; gives the records dropped so far, those after them, the asked ones,
// the epoch, and the windows of all sessions if the first place is not there
constexpr std::string_view kSync = R"lua(
local dropped = tonumber(redis.call('GET', 'cp:journal:dropped') or '0')
local length = redis.call('LLEN', 'cp:journal')
local from, windows = tonumber(ARGV[1]) - dropped, false
if from < 0 or from > length then
  from = 0
  windows = redis.call('HGETALL', 'cp:added')
  for at = 1, #windows, 2 do
    local base, rest =
      string.match(redis.call('HGET', 'cp:windows', windows[at]) or '0 0 0 0', '(%S+) (.*)')
    windows[at + 1] = in_full(windows[at + 1] - base) .. ' ' .. windows[at + 1] .. ' ' .. rest
  end
end
return {dropped, length, redis.call('LRANGE', 'cp:journal', from, from + tonumber(ARGV[2]) - 1),
        redis.call('GET', 'cp:epoch') or '', windows}
)lua";

// gives how many sessions there are, besides the default session
constexpr std::string_view kCount = "return redis.call('ZCARD', 'cp:sessions')";

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
local k = key(ARGV[2], 'snapshots')
if ARGV[1] == 'list' then return redis.call('SMEMBERS', k) end
if ARGV[1] == 'drop' then
  drop_cells(ARGV[2] .. '/' .. ARGV[3])
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
return {version_of(ARGV[1]), redis.call('HGETALL', key(ARGV[1], 'cells'))}
)lua";

std::string joined(std::initializer_list<std::string_view> parts) {
  std::string text;
  for (const std::string_view part : parts) {
    text += part;
  }
  return text;
}

std::array<std::string, kScripts> all_texts() {
  return {joined({kCells, kAllSessions, kBegin}),
          joined({kCells, kJournal, kCommit}),
          joined({kCells, kAllSessions, kFork}),
          joined({kCells, kAllSessions, kDrop}),
          joined({kArm}),
          joined({kJournal, kAppend}),
          joined({kJournal, kClear}),
          joined({kJournal, kSync}),
          joined({kCount}),
          joined({kCells, kAllSessions, kSessions}),
          joined({kCells, kSnapshots}),
          joined({kIds}),
          joined({kCells, kLoad})};
}

}  // namespace

std::string_view text_of(Script script) {
  static const auto kAll = all_texts();
  return kAll.at(static_cast<std::size_t>(script));
}

}  // namespace mock_server::state::shared
