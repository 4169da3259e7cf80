#pragma once

// All sessions, by name: made on first use, bounded in number and bytes (the one
// that was idle longest goes first), gone when unused for a while. Sessions are shared
// pointers: one that is deleted while a request uses it lives until that request ends. Safe from
// any thread.

#include "mock_server/state/session.hpp"
#include "spec/non_copyable.hpp"

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace mock_server::state {

struct StoreLimits {
  std::size_t sessions = 10'000;  // besides the default session
  std::size_t bytes = Budget::kDefaultBytes;
  std::chrono::seconds idle{3600};  // a session that was not used for so long is gone; 0: never
};

struct SessionSummary {
  std::string name;
  std::uint64_t serial = 0;
  std::size_t cells = 0;
  TimePoint last_used;  // by the machine's clock; not kept for the default session
};

// A session that is kept from an earlier start.
struct KeptSession {
  std::string name;
  std::uint64_t serial = 0;
  std::vector<std::string> snapshots;
};

// What a request on this thread reads and changes, while it exists; see Session::commit().
class RequestState : spec::NonCopyable {
 public:
  virtual ~RequestState() = default;
};

enum class Fork : std::uint8_t { kDone, kTaken, kFull };

class Store : spec::NonCopyable {
 public:
  // `open` says where the cells of sessions are kept.
  explicit Store(TimeSource source = system_now, StoreLimits limits = {},
                 OpenCells open = open_in_memory);
  virtual ~Store() = default;

  // Whether other processes use the same state.
  virtual bool is_shared() const { return false; }

  // Takes in what an earlier start left; sessions made from then on have serials from `next_serial`
  // on. Their cells come from `open`; their idle time begins now. Call it first.
  void restore(const std::vector<KeptSession>& sessions, std::uint64_t next_serial,
               std::vector<std::string> armed_for_all);

  // Calls `note` with every new list of what is armed for all. Call it before other threads come.
  void on_armed_for_all(std::function<void(const std::vector<std::string>&)> note) {
    note_armed_ = std::move(note);
  }

  // To be held around the work on a request, from before its session is asked for; null where every
  // change is made at once.
  virtual std::unique_ptr<RequestState> open_request() { return nullptr; }

  // The session `name`, made if there is none; "" is the default session, which always is and lives
  // as long as the store. That one is not counted: no weak_ptr can be made of it.
  virtual std::shared_ptr<Session> session(std::string_view name);
  // Only if it is there; does not count as use.
  virtual std::shared_ptr<Session> find(std::string_view name);
  // By name, the default session first.
  virtual std::vector<SessionSummary> list();
  // False when there is none. The default session is reset instead.
  virtual bool remove(std::string_view name);
  // The session as a new one: nothing changed, and armed what is armed for all. Snapshots stay.
  Put reset(Session& session);
  // Every session; none counts as used.
  virtual std::vector<std::shared_ptr<Session>> sessions();

  // The scenarios that new sessions have armed, in the order of arming. Sessions that exist are not
  // changed.
  virtual std::vector<std::string> armed_for_all();
  virtual void arm_for_all(std::string_view scenario);
  virtual void disarm_for_all(std::string_view scenario);

  // A new session `name` with everything that `from` has but its journal and snapshots.
  virtual Fork fork(const Session& from, std::string_view name);
  virtual std::size_t size();

  // What changes in sessions; the journal says nothing of itself.
  Changes& changes() { return *changes_; }

  const StoreLimits& limits() const { return limits_; }

  // Bytes in use.
  virtual std::size_t used_bytes() const { return budget_->used.load(std::memory_order_relaxed); }

 protected:
  const std::shared_ptr<Changes>& shared_changes() const { return changes_; }

 private:
  struct Entry {
    std::shared_ptr<Session> session;
    std::uint64_t used = 0;  // a tick of uses_, for eviction
    TimePoint last_used;
  };

  std::shared_ptr<Session> default_session() const;
  // A session that has nothing and is not among the others yet; there is room for it.
  std::shared_ptr<Session> make(std::string_view name);
  Entry& add(const std::shared_ptr<Session>& session);
  // A new session with what is armed for all.
  Entry& start(std::string_view name);
  void touch(Entry& entry, TimePoint now);
  void drop_idle(TimePoint now);
  void evict_idlest(std::string_view but = {});

  TimeSource source_;
  StoreLimits limits_;
  OpenCells open_;
  std::shared_ptr<Budget> budget_;
  std::shared_ptr<Changes> changes_ = std::make_shared<Changes>();
  std::shared_ptr<Session> default_;
  std::mutex mutex_;
  std::unordered_map<std::string, Entry> sessions_;
  std::vector<std::string> armed_for_all_;
  std::function<void(const std::vector<std::string>&)> note_armed_;  // may be empty
  std::uint64_t uses_ = 0;
  std::uint64_t next_serial_ = 1;
  TimePoint next_sweep_;
};

// Session names: 1 to 64 letters, digits, ".", "_", "-".
bool is_session_name(std::string_view name);

}  // namespace mock_server::state
