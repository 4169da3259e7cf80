#pragma once

// A real redis-server for tests, on a free port of this machine; nothing of it is on disk.

#include "mock_server/state/shared/redis.hpp"
#include "mock_server/state/shared/redis_connection.hpp"
#include "spec/process/child.hpp"

#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace mock_server::state::shared::testing {

// A port that was free a moment ago.
int free_port();

// The time that tests wait for its replies, on a machine that is busy with other tests.
inline constexpr std::chrono::milliseconds kReplyPatience = 10 * Redis::kDeadline;

class RedisServer {
 public:
  static bool is_installed();

  // Starts it and waits until it replies. `flags` as redis-server takes them. Throws
  // std::runtime_error.
  explicit RedisServer(std::vector<std::string> flags = {});
  // One that speaks TLS alone, with a certificate for localhost: PEM files.
  RedisServer(const std::string& certificate, const std::string& key);

  RedisAddress address(int database = 0) const;
  std::string url(int database = 0) const;

  int port() const { return port_; }

  // The next of its 16 databases, with nothing in it.
  int empty_database();
  // Asks it something; the password is `password`.
  Value ask(const Words& command, int database = 0) const;

  // Ends it at once, as a power failure does.
  void kill();
  // Again, on the same port.
  void start();
  // Stops its time, and lets it go on.
  void freeze() const;
  void thaw() const;

  std::string password;  // that it was given by `flags`

 private:
  std::vector<std::string> flags_;
  std::string certificate_;  // "": no TLS
  int port_ = 0;
  int next_database_ = 0;
  std::optional<spec::process::Child> child_;
};

}  // namespace mock_server::state::shared::testing
