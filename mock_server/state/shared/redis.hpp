#pragma once

// One Redis: connections to it, each used by one thread at a time, and the scripts that run there.
// Every reply comes within a deadline; while Redis is away, nothing waits for it. Safe from any
// thread.

#include "mock_server/state/cells.hpp"
#include "mock_server/state/shared/redis_connection.hpp"
#include "spec/non_copyable.hpp"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace mock_server::state::shared {

enum class Script : std::uint8_t {
  kBegin,
  kCommit,
  kFork,
  kDrop,
  kArm,
  kAppend,
  kClear,
  kSync,
  kCount,
  kSessions,
  kSnapshots,
  kIds,
  kLoad
};

inline constexpr std::size_t kScripts = 13;

// Redis has no memory left (its error OOM).
class OutOfRoom : public Unavailable {
 public:
  using Unavailable::Unavailable;
};

// While it exists, this thread does not wait for Redis: what event loops do has one.
class NoWait : spec::NonCopyable {
 public:
  NoWait();
  ~NoWait();
};

bool may_wait();

class Redis : spec::NonCopyable {
 public:
  static constexpr std::chrono::milliseconds kDeadline{700};

  // `contract` tells the data of different contracts apart; `patience` is the longest wait for an
  // reply.
  Redis(RedisAddress address, ContractMark contract,
        std::chrono::milliseconds patience = kDeadline);
  ~Redis();

  // Runs the script. Throws Unavailable when Redis does not reply, OutOfRoom.
  Value run(Script script, const Words& arguments);
  // Checks that Redis can be used, and that its data is this program's and the contract's, which is
  // noted if there is none. Throws spec::LoadError for errors that a person must correct, and when
  // Redis does not reply; also, unless `may_evict`, when it evicts keys.
  void check(bool may_evict = false);
  // Asks whether it can be used; what is_down() and problem() say then is new. Must be called now
  // and then.
  void probe() noexcept;

  // Calls `note` with a line when it goes away or is full, when it can be used again, and when it
  // lost data. From any thread, and not with what happened before; `note` must not ask this.
  void on_change(std::function<void(const std::string&)> note);

  bool is_down() const { return is_down_.load(); }

  // Why it is down, or that it is full; "" when it is neither.
  std::string problem() const;

  // It has older data than it had, or none.
  void note_loss();

  // The number of times.
  std::size_t losses() const { return losses_.load(); }

  // The policy by which it evicts keys when it is full, "allkeys-lru"; "" if it does not. After
  // check().
  const std::string& eviction() const { return eviction_; }

  const RedisAddress& address() const { return address_; }

 private:
  struct Connection;
  using Lease = std::unique_ptr<Connection>;

  Deadline deadline_from_now() const;
  Lease connect(Deadline deadline);
  Lease take(Deadline deadline);
  Lease take_idle();  // null if none is kept
  void give_back(Lease lease);
  Value ask(Script script, const Words& arguments);
  std::string problem_of_data(Connection& connection, Deadline deadline) const;
  void note(const std::string& line) const;
  template <typename Work>
  auto attempt(Work work);
  void note_problem(const std::string& sentence, bool is_down);

  const RedisAddress address_;
  const ContractMark contract_;
  const std::chrono::milliseconds patience_;
  spec::net::Trust trust_;
  mutable std::mutex mutex_;
  std::vector<Lease> idle_;  // guarded by mutex_, as
  std::string problem_;
  std::function<void(const std::string&)> note_;  // may be empty
  std::atomic<bool> is_down_{false};
  std::atomic<std::size_t> losses_{0};
  std::string eviction_;
};

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

std::string_view text_of(Script script);

}  // namespace mock_server::state::shared
