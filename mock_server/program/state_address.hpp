#pragma once

// Where state is kept, as --state names it. A plain value; nothing is opened here.

#include "spec/result.hpp"

#include <string>

namespace mock_server::program {

struct StateAddress {
  enum class Kind { kMemory, kSqlite, kRedis };

  Kind kind = Kind::kMemory;
  std::string file;  // of kSqlite; never empty then
  std::string host;  // of kRedis, as the three below
  int port = 0;
  int database = 0;
  std::string password;       // "" for none
  bool is_encrypted = false;  // rediss://
};

// Reads "" (memory), "sqlite:FILE", "redis://[:PASSWORD@]HOST[:PORT][/DB]" or "rediss://...". The
// error is a sentence that never shows the password.
spec::Result<StateAddress, std::string> parse_state_address(const std::string& text);

}  // namespace mock_server::program
