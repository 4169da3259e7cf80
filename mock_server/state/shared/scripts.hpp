#pragma once

// The Lua text of each script: what must happen at once in Redis.
//
// cp:meta (format, contract), cp:sessions (name by last use, in ms), cp:serials, cp:versions,
// cp:ids (counters), cp:armed (scenarios for all), cp:journal with cp:journal:bytes and
// cp:journal:dropped; for each session cp:{NAME}:cells, :version, :serial, :snapshots. The default
// session's NAME is "", a snapshot's is SESSION/SNAPSHOT. A cell is "VERSION EXPIRES TEXT", EXPIRES
// in us or "-".

#include "mock_server/state/shared/redis.hpp"

#include <string_view>

namespace mock_server::state::shared {

std::string_view text_of(Script script);

}  // namespace mock_server::state::shared
