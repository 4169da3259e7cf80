#pragma once

// Changes on their way to the file: one thread writes all that waits in one transaction. Those
// who changed something learn when it is in the file, or why it could not be. After a failure every
// change is rejected until the file can be written again, and memory goes back to what the file
// holds. Safe from any thread.

#include "mock_server/reply/reply.hpp"
#include "mock_server/state/disk/state_file.hpp"
#include "spec/non_copyable.hpp"

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

namespace mock_server::state::disk {

class WriteLog : spec::NonCopyable {
 public:
  // May throw FileError.
  using Write = std::function<void(StateFile&)>;

  explicit WriteLog(std::unique_ptr<StateFile> file);
  // Writes what waits.
  ~WriteLog();

  // Makes an owner's cells in memory what the file has.
  using GoBack = std::function<void(const Cells&)>;

  // A number that no owner ever had; `go_back` may be called until it is dropped.
  std::uint64_t add_owner(GoBack go_back);
  void add_owner(std::uint64_t owner, GoBack go_back);
  // The owner is gone, and its cells: like a change, but tried until it is done.
  void drop_owner(std::uint64_t owner);

  // The change of an owner's cells, which the request of this thread must wait for. In order.
  // Returns its number.
  std::uint64_t change(std::uint64_t owner, Write write);

  // The number of the last change; every one up to settled() is in the file, or has failed.
  std::uint64_t last_change() const { return last_change_.load(std::memory_order_acquire); }

  std::uint64_t settled() const { return settled_.load(std::memory_order_acquire); }

  // The request of this thread shows what that change made: it waits for it, too.
  static void wait_for(std::uint64_t change);
  // The request of this thread shows what everything up to now made: it waits for all of it,
  // unless the file cannot be written now.
  void wait_for_all();
  // Queues a change that no response waits for; it is in the file within 100 ms. Dropped beyond the
  // max that may wait.
  void note(Write write, std::size_t bytes = 0);
  // Queues like note(), but never drops: it is tried until it is done.
  void note_surely(Write write);

  // True while the file cannot be written.
  bool is_failing() const { return is_failing_.load(std::memory_order_acquire); }

  // Throws Unavailable then.
  void reject_while_failing() const;

  // Around a request, on its thread: what began() forgets and pending_write() returns.
  static void began();
  // Null if the request neither changed anything nor saw a change that is not in the file.
  std::shared_ptr<reply::PendingWrite> pending_write(const spec::http::Request& request);

  // Why the file cannot be written; "" if it can.
  std::string problem() const;
  // Nothing is written before finish().
  void hold_back();
  // Writes what waits, and nothing after that; waits for it.
  void finish();
  // Ends without writing what waits. `is_clean`: the file's last end counts as one with a word.
  void discard(bool is_clean);

 private:
  class Ticket;

  struct QueuedWrite {
    std::uint64_t owner = 0;  // 0: none
    Write write;
    bool is_sure = false;
  };

  void run();
  void end();
  void write(std::vector<QueuedWrite> all, std::uint64_t last);
  bool try_to_write(const std::vector<QueuedWrite>& all);
  void settle(std::uint64_t last, bool is_done);
  void go_back();
  void keep_failed(std::vector<QueuedWrite>& all);
  std::uint64_t put(QueuedWrite waiting, std::size_t bytes, bool is_urgent);

  std::unique_ptr<StateFile> file_;  // the writer's
  std::atomic<bool> is_failing_{false};
  std::atomic<std::uint64_t> last_change_{0};  // set while mutex_ is locked, as the next
  std::atomic<std::uint64_t> settled_{0};
  mutable std::mutex mutex_;
  std::condition_variable wake_;
  std::vector<QueuedWrite> queue_;  // guarded by mutex_, as the rest up to owners_
  std::size_t queued_bytes_ = 0;
  std::uint64_t queued_ = 0;       // number of the last one in the queue
  std::uint64_t failed_from_ = 0;  // the last ones that failed: from here
  std::uint64_t failed_to_ = 0;    // to here
  std::vector<std::shared_ptr<Ticket>> tickets_;
  std::string problem_;
  bool is_urgent_ = false;
  bool is_held_back_ = false;
  bool has_lost_ = false;
  bool ends_ = false;
  std::mutex owners_mutex_;
  std::map<std::uint64_t, GoBack> owners_;  // guarded by owners_mutex_
  std::uint64_t last_owner_ = 0;
  std::set<std::uint64_t> behind_;  // the writer's: owners whose memory is not what the file has
  std::vector<QueuedWrite> unwritten_;  // the writer's: sure ones that failed
  std::jthread thread_;
};

}  // namespace mock_server::state::disk
