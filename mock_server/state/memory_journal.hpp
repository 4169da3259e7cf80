#pragma once

// The journal in this process's memory: an entry is its bytes, and the memory of all entries is
// bounded. Noting an exchange copies its bytes and builds nothing. Entries beyond the max age go
// when somebody adds or looks.

#include "mock_server/state/journal.hpp"

#include <atomic>
#include <deque>
#include <mutex>
#include <string>
#include <unordered_map>

namespace mock_server::state {

// An entry that was added, for who keeps a copy of it. Views live during the call only.
struct AddedEntry {
  std::uint64_t place = 0;         // counted from the start
  std::uint64_t oldest_place = 0;  // that is still here
  std::uint64_t session = 0;
  std::string_view bytes;      // for restore(), as the next
  std::uint32_t noted_at = 0;  // seconds since 1970 by the machine's clock; 0 without a max age
  const JournalWindow& window;
};

class MemoryJournal final : public Journal {
 public:
  static constexpr std::size_t kDefaultBytes = 3 * 1024 * 1024;

  // `max_age` by the machine's clock, which `source` tells; 0: none.
  explicit MemoryJournal(std::size_t limit_bytes = kDefaultBytes,
                         std::chrono::seconds max_age = std::chrono::seconds(0),
                         TimeSource source = system_now);

  std::uint64_t next_id() override { return last_id_.fetch_add(1, std::memory_order_relaxed) + 1; }

  std::uint64_t last_id() const override { return last_id_.load(std::memory_order_relaxed); }

  void add(const Exchange& exchange) override;
  void amend(const Exchange& exchange) override;
  // Adds an entry as write_entry() made it, maybe in another process; nothing if it is none.
  void add_written(std::string_view bytes, std::uint32_t noted_at);
  // Takes a place in the order of entries, and nothing else.
  void add_gap();
  // Forgets everything; the next entry has `place`.
  void start_over(std::uint64_t place);
  // Drops the entries before `place`, as if there were no more room for them.
  void drop_before(std::uint64_t place);

  // `added` is called in the order of entries, again for one that was amended, while others wait;
  // `cleared` when a session's journal was. Call it before other threads come.
  void report_to(std::function<void(const AddedEntry&)> added,
                 std::function<void(std::uint64_t session, const JournalWindow&)> cleared);
  // Adds an entry of an earlier start again. The first gets `place`, others the one behind the
  // last; returns which. Nothing if `bytes` are no entry, or it has no room. With no time it counts
  // as noted now.
  std::optional<std::uint64_t> restore(std::uint64_t place, std::string_view bytes,
                                       std::uint32_t noted_at = 0);
  // Restores the session's window from before; that of one without entries, too.
  void restore_window(std::uint64_t session, const JournalWindow& window);
  // Ids count from `last` on.
  void continue_after(std::uint64_t last);

  std::optional<Entry> find(std::uint64_t session, std::uint64_t id) const override;
  JournalMark mark(std::optional<std::uint64_t> session,
                   std::optional<std::uint64_t> after) const override;
  std::uint64_t follow(std::optional<std::uint64_t> session, JournalMark& mark,
                       const std::function<bool(Entry&)>& visit) const override;
  JournalWindow window(std::uint64_t session) const override;
  void clear(std::uint64_t session) override;
  void clear_in_part(std::uint64_t session) override;

  std::size_t limit_bytes() const override { return limit_bytes_; }

  std::size_t used_bytes() const override;

 private:
  struct Slot {
    std::uint64_t id = 0;
    std::uint64_t session = 0;
    TimePoint time;
    std::uint32_t noted_at = 0;
    bool is_preflight = false;
    std::string bytes;  // of the entry; none once it was cleared
    std::uint64_t redacted_at = 0;
  };

  static std::optional<Entry> entry_of(const Slot& slot);
  static std::size_t cost_of(const Slot& slot);

  std::size_t slot_after(std::uint64_t id) const;
  std::uint64_t added_before(std::uint64_t session, std::size_t slot) const;
  std::uint64_t pass_lost(std::optional<std::uint64_t> session, JournalMark& mark) const;
  std::optional<Entry> next_entry(std::optional<std::uint64_t> session, JournalMark& mark) const;
  bool note(JournalWindow& window, Slot slot);
  void keep(Slot slot);
  void clear(std::uint64_t session, bool in_part);
  JournalWindow& window_of(std::uint64_t session);
  void drop_oldest() const;
  void drop_old() const;
  std::uint32_t seconds_now() const;
  void forget_windows(std::uint64_t but);

  mutable std::mutex mutex_;
  std::size_t limit_bytes_;
  const std::chrono::seconds max_age_;
  const TimeSource source_;
  // Readers drop entries that are too old.
  mutable std::deque<Slot> slots_;  // oldest first
  mutable std::uint64_t last_dropped_id_ = 0;
  mutable std::uint64_t dropped_ = 0;  // slots that ever left the front of slots_
  mutable std::size_t used_bytes_ = 0;
  mutable std::unordered_map<std::uint64_t, JournalWindow> windows_;
  std::uint64_t forgotten_up_to_ = 0;  // windows of sessions up to this one may have been given up
  std::function<void(const AddedEntry&)> added_;  // may be empty, as
  std::function<void(std::uint64_t, const JournalWindow&)> cleared_;
  std::atomic<std::uint64_t> last_id_{0};
};

}  // namespace mock_server::state
