#pragma once

// Which sessions changed, and what of them, for those who watch: noted only while somebody does,
// and asked for now and then. Noting never waits for a watcher. Safe from any thread.

#include "spec/non_copyable.hpp"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <list>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace mock_server::state {

enum class Change : std::uint8_t {
  kRecords,
  kScenarios,
  kClock,
  kSeed,
  kRates,
  kSnapshots,
  kSession,  // it was made or deleted, or all of it was replaced
  kJournal,  // its journal was cleared
  kUpstream  // whether mock or service responds
};

inline constexpr std::size_t kChangeKinds = 9;

// "records", "journal".
std::string_view to_text(Change change);

// The part of a session that a cell of that name holds.
Change change_of_cell(std::string_view cell);

struct SessionChange {
  std::string session;
  std::vector<Change> what;
};

class Changes {
 public:
  // Sessions that are remembered; beyond, the one that did not change for longest is forgotten.
  static constexpr std::size_t kMaxSessions = 20'000;

  void note(std::string_view session, Change change);

  // Contract and fixtures were loaded again.
  void note_reload() { reloads_.fetch_add(1, std::memory_order_relaxed); }

  // The number of watchers now.
  int watchers() const { return watchers_.load(std::memory_order_relaxed); }

  std::uint64_t reloads() const { return reloads_.load(std::memory_order_relaxed); }

 private:
  friend class ChangeWatch;

  struct LastChanges {
    std::string session;
    std::uint64_t latest = 0;
    std::array<std::uint64_t, kChangeKinds> at{};  // when each kind was noted last; 0: never
  };

  std::atomic<int> watchers_{0};
  std::atomic<std::uint64_t> reloads_{0};
  std::mutex mutex_;
  std::uint64_t now_ = 0;         // guarded by mutex_, as
  std::list<LastChanges> noted_;  // by `latest`, lowest first
  std::unordered_map<std::string_view, std::list<LastChanges>::iterator> by_session_;
};

// The changes while it exists. `changes` must outlive it. One thread at a time.
class ChangeWatch : spec::NonCopyable {
 public:
  explicit ChangeWatch(Changes& changes);
  ~ChangeWatch();

  // The changes since the last call, oldest first, at most `limit` sessions; of `session`
  // alone if one is named. The rest comes when it is asked again.
  std::vector<SessionChange> take(const std::optional<std::string>& session, std::size_t limit);

 private:
  Changes& changes_;
  std::uint64_t seen_ = 0;
};

}  // namespace mock_server::state
