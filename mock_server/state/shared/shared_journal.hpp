#pragma once

// The journal in Redis: one list for all sessions and replicas, in the order of appending. Reads
// come from a copy here that first takes what is new in the list; on an event loop they come from
// the copy as it is, which refresh() keeps new while somebody follows, or asked there in the last
// half minute. Safe from any thread.

#include "mock_server/state/memory_journal.hpp"
#include "mock_server/state/shared/redis.hpp"

#include <atomic>
#include <chrono>
#include <mutex>
#include <set>
#include <string>
#include <vector>

namespace mock_server::state::shared {

class SharedJournal final : public Journal {
 public:
  // `max_age` by the machine's clock, which `source` tells; 0: none.
  SharedJournal(Redis& redis, std::size_t limit_bytes,
                std::chrono::seconds max_age = std::chrono::seconds(0),
                const TimeSource& source = system_now);

  // The id that came with the session (expect_id), or one of its own.
  std::uint64_t next_id() override;

  std::uint64_t last_id() const override { return copy().last_id(); }

  // On an event loop it is appended by the next refresh().
  void add(const Exchange& exchange) override;

  std::optional<Entry> find(std::uint64_t session, std::uint64_t id) const override {
    return copy().find(session, id);
  }

  JournalMark mark(std::optional<std::uint64_t> session,
                   std::optional<std::uint64_t> after) const override {
    return copy().mark(session, after);
  }

  std::uint64_t follow(std::optional<std::uint64_t> session, JournalMark& mark,
                       const std::function<bool(Entry&)>& visit) const override {
    return copy().follow(session, mark, visit);
  }

  JournalWindow window(std::uint64_t session) const override;

  void clear(std::uint64_t session) override { clear(session, "C"); }

  void clear_in_part(std::uint64_t session) override { clear(session, "P"); }

  std::size_t limit_bytes() const override { return copy_.limit_bytes(); }

  // The bytes of the copy.
  std::size_t used_bytes() const override { return copy().used_bytes(); }

  // Data of Redis was lost; journals are partial from now on, but those that were cleared since.
  void note_loss();
  // The id for this thread's next entry.
  static void expect_id(std::uint64_t id);
  // Appends what waits, has ids ready for event loops, and takes what is new if somebody follows.
  // Throws Unavailable. Called several times a second.
  void refresh(bool is_followed);

 private:
  void append(const std::string& record);
  std::string record_of(const Exchange& exchange) const;
  void sync() const;
  const MemoryJournal& copy() const;
  void clear(std::uint64_t session, const char* letter);
  bool is_asked_for() const;
  void take(std::string_view record) const;
  void start_over(std::uint64_t dropped, std::uint64_t length,
                  const std::vector<Value>& windows) const;

  Redis& redis_;
  const TimeSource source_;
  mutable MemoryJournal copy_;
  mutable std::mutex sync_mutex_;    // of the places
  mutable std::uint64_t place_ = 0;  // of the next record to take, counted from the first ever
  mutable std::uint64_t known_up_to_ = 0;        // records before it were counted at the start
  mutable std::set<std::uint64_t> known_whole_;  // sessions whose journal was cleared since a loss
  mutable std::string epoch_;                    // of the data that the place is in
  mutable std::atomic<bool> is_partial_{false};  // records went out before they were taken
  mutable std::atomic<std::chrono::steady_clock::rep> asked_at_;  // on an event loop, or made
  std::mutex mutex_;
  std::vector<std::string> waiting_;  // guarded by mutex_, as
  std::uint64_t next_ready_ = 0;
  std::uint64_t end_ready_ = 0;
};

}  // namespace mock_server::state::shared
