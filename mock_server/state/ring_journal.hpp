#pragma once

// The journal in one ring of bytes whose size never changes. Noting an exchange copies its bytes
// and builds nothing.

#include "mock_server/state/journal.hpp"

#include <atomic>
#include <deque>
#include <memory>
#include <mutex>
#include <unordered_map>

namespace mock_server::state {

class RingJournal final : public Journal {
 public:
  static constexpr std::size_t kDefaultBytes = 3 * 1024 * 1024;

  explicit RingJournal(std::size_t limit_bytes = kDefaultBytes);

  std::uint64_t next_id() override { return last_id_.fetch_add(1, std::memory_order_relaxed) + 1; }

  std::uint64_t last_id() const override { return last_id_.load(std::memory_order_relaxed); }

  void add(const Exchange& exchange) override;
  // An exchange as bytes, for add_written() in any process of this kind of machine; a ring of
  // `limit_bytes` takes them.
  static std::string written(const Exchange& exchange, std::size_t limit_bytes);
  void add_written(std::string_view bytes);

  std::optional<Entry> find(std::uint64_t session, std::uint64_t id) const override;
  void each(std::uint64_t session, const std::function<void(const Entry&)>& visit) const override;
  JournalMark mark(std::optional<std::uint64_t> session,
                   std::optional<std::uint64_t> after) const override;
  std::uint64_t follow(std::optional<std::uint64_t> session, JournalMark& mark,
                       const std::function<bool(const Entry&)>& visit) const override;
  JournalWindow window(std::uint64_t session) const override;
  void clear(std::uint64_t session) override;

  std::size_t limit_bytes() const override { return limit_bytes_; }

  std::size_t used_bytes() const override;

 private:
  struct Slot {
    std::size_t offset = 0;
    std::size_t size = 0;
    std::uint64_t id = 0;
    std::uint64_t session = 0;
    TimePoint time;
    bool live = true;
  };

  std::size_t slot_after(std::uint64_t id) const;
  std::uint64_t added_before(std::uint64_t session, std::size_t slot) const;
  std::uint64_t pass_lost(std::optional<std::uint64_t> session, JournalMark& mark) const;
  std::optional<Entry> next_entry(std::optional<std::uint64_t> session, JournalMark& mark) const;
  JournalWindow& window_of(std::uint64_t session);
  char* make_room(std::size_t size);
  void drop_oldest();
  void forget_windows(std::uint64_t but);

  mutable std::mutex mutex_;
  std::size_t limit_bytes_;
  std::unique_ptr<char[]> ring_;  // not touched before it is used: an idle double stays small
  std::deque<Slot> slots_;        // oldest first; contiguous in the ring but for one wrap
  std::uint64_t last_dropped_id_ = 0;
  std::uint64_t dropped_ = 0;  // slots that ever left the front of slots_
  std::size_t next_offset_ = 0;
  std::size_t live_bytes_ = 0;
  std::unordered_map<std::uint64_t, JournalWindow> windows_;
  std::uint64_t forgotten_up_to_ = 0;  // windows of sessions up to this one may have been given up
  std::atomic<std::uint64_t> last_id_{0};
};

}  // namespace mock_server::state
