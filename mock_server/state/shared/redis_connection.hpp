#pragma once

// One connection to Redis: commands out, replies in, each with a deadline. The bytes go over the
// stream that the clients of HTTP use, plain or TLS; hiredis writes the commands and reads the
// replies. One thread at a time.

#include "spec/net/stream.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

struct redisReader;

namespace mock_server::state::shared {

using Deadline = spec::net::Deadline;
using Words = std::vector<std::string>;

struct RedisAddress {
  std::string host{};
  int port = 6379;
  int database = 0;
  std::string password{};     // "" for none
  bool is_encrypted = false;  // TLS, and the certificate is verified

  // Without the password.
  std::string text() const;
};

// A reply of Redis.
struct Value {
  std::int64_t number = 0;
  std::string text;
  std::vector<Value> list;
  bool is_nothing = false;
  bool is_error = false;  // `text` says which

  // The number that `text` is, or `number`.
  std::uint64_t count() const;
};

class RedisConnection {
 public:
  // Throws Unavailable, here and below, when there is no connection or no reply in time.
  RedisConnection(const RedisAddress& address, const spec::net::Trust& trust, Deadline deadline);

  // Sends all commands at once and reads the reply of each.
  std::vector<Value> ask(const std::vector<Words>& commands, Deadline deadline);

  // True if it can be used again: Redis neither ended it nor sent anything unrequested.
  bool is_open();

 private:
  struct ReaderEnd {
    void operator()(redisReader* reader) const;
  };

  Value read(Deadline deadline);

  spec::net::Stream stream_;
  std::unique_ptr<redisReader, ReaderEnd> reader_;
};

}  // namespace mock_server::state::shared
