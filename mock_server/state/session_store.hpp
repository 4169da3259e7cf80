#pragma once

// All sessions, by name: made on first use, bounded in number and bytes (the one
// that was idle longest goes first), gone when unused for a while. Sessions are shared
// pointers: one that is deleted while a request uses it lives until that request ends. Safe from
// any thread.

#include "mock_server/state/cells.hpp"
#include "mock_server/state/memory_cells.hpp"
#include "mock_server/state/open_streams.hpp"
#include "mock_server/state/session_changes.hpp"
#include "mock_server/state/session_clock.hpp"
#include "spec/non_copyable.hpp"

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace mock_server::state {

// One caller's data: its records, its clock, seed, scenarios and rate limits, all of it in
// cells that change only by compare-and-set; and copies of them by name (snapshots). Where cells
// are kept, it does not know. Safe from any thread.

// The outcome of a request's changes: kept; not kept, since another request changed the same
// before, and to be made again; not kept, and it was tried often.
enum class Commit : std::uint8_t { kDone, kAgain, kGivenUp };

class Session : spec::NonCopyable {
 public:
  static constexpr std::size_t kMaxSnapshots = 100;

  // `budget` may be null: no bound.
  Session(std::string name, std::uint64_t serial, TimeSource source,
          std::shared_ptr<Budget> budget = nullptr, OpenCells open = open_in_memory);
  virtual ~Session() = default;

  // Opens again a snapshot that is kept already. Call it before other threads have the session.
  void reopen_snapshot(std::string_view name);

  // From now on changes are noted in `changes`. Call it before other threads have the session.
  void report_to(std::shared_ptr<Changes> changes) { changes_ = std::move(changes); }

  // The name that callers use; "" is the default session.
  const std::string& name() const { return name_; }

  // Never used twice in one process, not even for the same name.
  std::uint64_t serial() const { return serial_; }

  Cell read(std::string_view key) const;
  // Sets the cell, or removes it when there is no text, if its version still is `expected`. From
  // `expires` on (by the session's clock) the cell may be dropped.
  Put compare_and_set(std::string_view key, std::uint64_t expected, std::optional<std::string> text,
                      std::optional<TimePoint> expires = std::nullopt);
  // The next number of the counter in that cell, above `least`; nothing if the sessions are full.
  std::optional<std::uint64_t> count_up(std::string_view key, std::uint64_t least);
  Cells cells() const;
  // Those whose key starts with `prefix`.
  Cells cells(std::string_view prefix) const;

  // The number of changes that this thread has made, in any session.
  static std::uint64_t changes_of_thread();

  // True when nothing was changed: every read() would find nothing.
  bool is_untouched() const { return cell_count() == 0; }

  std::size_t cell_count() const { return cells_->count(); }

  // The session's time: the machine's unless its clock was moved.
  TimePoint now() const { return is_untouched() ? source_() : clock().now(source_()); }

  TimePoint machine_now() const { return source_(); }

  ClockSetting clock() const;
  // Keeps `setting`, if the cell that it rests on still has version `expected`.
  Put set_clock(std::uint64_t expected, const ClockSetting& setting);

  static constexpr std::string_view kClockCell = "clock";

  // Makes `cells` the session's own; snapshots stay. kFull leaves everything as it was.
  Put replace(const Cells& cells);

  // Ends a request: keeps what it changed here, if that is not done yet. In this process every
  // change is made at once. May throw Unavailable.
  virtual Commit commit() { return Commit::kDone; }

  // Copies by name: made or made anew, put back, dropped. Nothing, or false, when there is none of
  // that name.
  virtual Put take_snapshot(std::string_view name);
  virtual std::optional<Put> restore_snapshot(std::string_view name);
  virtual bool drop_snapshot(std::string_view name);
  virtual std::vector<std::string> snapshots() const;
  // The cells of one.
  virtual std::optional<Cells> snapshot(std::string_view name) const;

 private:
  void note(Change change) const;
  Put noted_if_done(Put put, Change change) const;

  const std::string name_;
  const std::uint64_t serial_;
  const TimeSource source_;
  const std::shared_ptr<Budget> budget_;
  const OpenCells open_;
  const std::unique_ptr<CellStore> cells_;
  std::shared_ptr<Changes> changes_;  // may be null
  mutable std::mutex mutex_;          // of the snapshots
  std::map<std::string, std::unique_ptr<CellStore>, std::less<>> snapshots_;
};

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

// The reads and changes of a request on this thread, while it exists; see Session::commit().
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

  // True if other processes use the same state.
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

  // The changes in sessions; not those of the journal.
  Changes& changes() { return *changes_; }

  // Those of this process.
  OpenStreams& streams() { return streams_; }

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
  OpenStreams streams_;
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
