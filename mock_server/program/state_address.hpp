#pragma once

// Where state is kept, as --state names it. A plain value; nothing is opened here.

#include "mock_server/state/shared/redis_connection.hpp"
#include "spec/result.hpp"

#include <string>

namespace mock_server::program {

struct StateAddress {
  enum class Kind { kMemory, kSqlite, kRedis };

  Kind kind = Kind::kMemory;
  std::string file;                   // of kSqlite; never empty then
  state::shared::RedisAddress redis;  // of kRedis
};

// Reads "" (memory), "sqlite:FILE", "redis://[:PASSWORD@]HOST[:PORT][/DB]" or "rediss://...". The
// error is a sentence that never shows the password.
spec::Result<StateAddress, std::string> parse_state_address(const std::string& text);

}  // namespace mock_server::program
