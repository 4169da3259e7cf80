#pragma once

// The Lua text of each script: what must happen at once in Redis.
//
// cp:meta (format, contract), cp:epoch (which data this is), cp:sessions (name by last use, in ms),
// cp:serials, cp:versions, cp:ids (counters), cp:armed (scenarios for all), cp:journal (records)
// with cp:journal:bytes and cp:journal:dropped, cp:added (entries that each session ever had in
// it) and cp:windows (of the journal, by session: how many of these were cleared, last lost id,
// last lost time, whether it is a part); for each session cp:{NAME}:cells, :version (of its last
// change), :changes (its cells by the version that changed them last), :floor (the version from
// which :changes is whole), :serial, :snapshots. The default session's NAME is "", a snapshot's is
// SESSION/SNAPSHOT. A cell is "VERSION EXPIRES TEXT", EXPIRES in us or "-". A record is
// "E SESSION ID TIME NOTED_AT BYTES", an entry; "C SESSION", its journal was cleared; or "P
// SESSION", it was, and what comes then is a part.

#include "mock_server/state/shared/redis.hpp"

#include <string_view>

namespace mock_server::state::shared {

std::string_view text_of(Script script);

}  // namespace mock_server::state::shared
