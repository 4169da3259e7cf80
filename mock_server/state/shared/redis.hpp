#pragma once

// Connections to one Redis, each used by one thread at a time, and the scripts that run there.
// Every answer comes within a deadline; while Redis is away, nothing waits for it. Safe from any
// thread.

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

struct redisContext;

namespace mock_server::state::shared {

struct RedisAddress {
  std::string host;
  int port = 6379;
  int database = 0;
  std::string password;  // "" for none

  // Without the password.
  std::string text() const;
};

// What Redis answered. An error of Redis is no value: it is thrown.
struct Value {
  std::int64_t number = 0;
  std::string text;
  std::vector<Value> list;
  bool is_nothing = false;

  // The number that `text` is, or `number`.
  std::uint64_t count() const;
};

enum class Script : std::uint8_t {
  kBegin,
  kPut,
  kReplace,
  kFork,
  kDrop,
  kArm,
  kAppend,
  kSync,
  kSessions,
  kSnapshots,
  kIds,
  kLoad
};

inline constexpr std::size_t kScripts = 12;

// Redis has no memory left (its error OOM).
struct OutOfRoom {};

// While it exists, this thread does not wait for Redis: what event loops do has one.
class NoWait {
 public:
  NoWait();
  ~NoWait();
  NoWait(const NoWait&) = delete;
  NoWait& operator=(const NoWait&) = delete;
};

bool may_wait();

class Redis {
 public:
  static constexpr std::chrono::milliseconds kDeadline{700};

  explicit Redis(RedisAddress address);
  ~Redis();
  Redis(const Redis&) = delete;
  Redis& operator=(const Redis&) = delete;

  // Runs the script. Throws Unavailable when Redis does not answer, OutOfRoom.
  Value run(Script script, const std::vector<std::string>& arguments);
  // Whether data here is this program's and of the contract `fingerprint`, which is noted if there
  // is none. Throws spec::LoadError for what a person must mend, and when Redis does not answer.
  void check(const std::string& fingerprint);
  // Asks whether it is there; what is_down() says then is new. Must be called now and then.
  void probe() noexcept;

  bool is_down() const { return is_down_.load(); }

  // Why it is down; "" when it is not.
  std::string problem() const;

  const RedisAddress& address() const { return address_; }

 private:
  struct Connection;
  using Lease = std::unique_ptr<Connection>;

  Lease connect();
  Lease take();
  void give_back(Lease lease);
  [[noreturn]] void fail(const std::string& problem);

  const RedisAddress address_;
  mutable std::mutex mutex_;
  std::vector<Lease> idle_;  // guarded by mutex_, as
  std::string problem_;
  std::atomic<bool> is_down_{false};
};

}  // namespace mock_server::state::shared
