#include "mock_server/state/disk/write_log.hpp"

#include "mock_server/reply/cors.hpp"
#include "mock_server/reply/json_response.hpp"
#include "mock_server/state/cells.hpp"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <iterator>
#include <optional>
#include <pthread.h>
#include <utility>

namespace mock_server::state::disk {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kNoHurry{50};    // what no response waits for
constexpr milliseconds kTryAgain{200};  // after a failure
constexpr std::size_t kMaxQueuedBytes = std::size_t{64} * 1024 * 1024;
constexpr std::size_t kMaxQueued = 500'000;

thread_local std::uint64_t changed_last = 0;

}  // namespace

// A response that waits for a change.
class WriteLog::Ticket final : public reply::PendingWrite {
 public:
  Ticket(std::uint64_t number, std::optional<std::string_view> origin)
      : number_(number), origin_(origin) {}

  std::uint64_t number() const { return number_; }

  bool is_done() const override {
    const std::lock_guard lock(mutex_);
    return is_done_;
  }

  void on_done(std::function<void()> wake) override {
    {
      const std::lock_guard lock(mutex_);
      if (!is_done_) {
        wake_ = std::move(wake);
        return;
      }
    }
    wake();
  }

  std::optional<spec::http::Response> instead() const override {
    const std::lock_guard lock(mutex_);
    if (problem_.empty()) {
      return std::nullopt;
    }
    auto response = reply::unavailable("the change was not kept: " + problem_);
    spec::http::Request request;
    if (origin_) {
      request.headers.add("Origin", *origin_);
    }
    reply::add_cors(request, response);
    return response;
  }

  void settle(const std::string& problem) {
    std::function<void()> wake;
    {
      const std::lock_guard lock(mutex_);
      problem_ = problem;
      is_done_ = true;
      wake.swap(wake_);
    }
    if (wake) {
      wake();
    }
  }

 private:
  const std::uint64_t number_;
  const std::optional<std::string> origin_;  // of the page that asked
  mutable std::mutex mutex_;
  bool is_done_ = false;
  std::string problem_;
  std::function<void()> wake_;
};

WriteLog::WriteLog(std::unique_ptr<StateFile> file) : file_(std::move(file)) {
  thread_ = std::jthread([this] {
    pthread_setname_np(pthread_self(), "state-writer");
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, nullptr);
    run();
  });
}

WriteLog::~WriteLog() {
  finish();
}

std::uint64_t WriteLog::add_owner(GoBack go_back) {
  const std::lock_guard lock(owners_mutex_);
  owners_[++last_owner_] = std::move(go_back);
  return last_owner_;
}

void WriteLog::add_owner(std::uint64_t owner, GoBack go_back) {
  const std::lock_guard lock(owners_mutex_);
  owners_[owner] = std::move(go_back);
  last_owner_ = std::max(last_owner_, owner);
}

void WriteLog::drop_owner(std::uint64_t owner) {
  {
    const std::lock_guard lock(owners_mutex_);
    owners_.erase(owner);
  }
  put({0, [owner](StateFile& file) { file.drop_owner(owner); }, true}, 0, true);
}

std::uint64_t WriteLog::put(QueuedWrite waiting, std::size_t bytes, bool is_urgent) {
  bool wakes = false;
  std::uint64_t number = 0;
  {
    const std::lock_guard lock(mutex_);
    const bool is_full =
        !is_held_back_ && (queued_bytes_ + bytes > kMaxQueuedBytes || queue_.size() >= kMaxQueued);
    if (ends_ || (is_full && !is_urgent && !waiting.is_sure)) {
      has_lost_ = true;
      return 0;
    }
    wakes = queue_.empty() || (is_urgent && !is_urgent_);
    queue_.push_back(std::move(waiting));
    queued_bytes_ += bytes;
    number = ++queued_;
    if (is_urgent) {
      is_urgent_ = true;
      changed_last = number;
      last_change_.store(number, std::memory_order_release);
    }
  }
  if (wakes) {
    wake_.notify_one();
  }
  return number;
}

std::uint64_t WriteLog::change(std::uint64_t owner, Write write) {
  return put({owner, std::move(write), false}, 0, true);
}

void WriteLog::note(Write write, std::size_t bytes) {
  put({0, std::move(write), false}, bytes, false);
}

void WriteLog::note_surely(Write write) {
  put({0, std::move(write), true}, 0, false);
}

void WriteLog::wait_for(std::uint64_t change) {
  changed_last = std::max(changed_last, change);
}

void WriteLog::wait_for_all() {
  {
    const std::lock_guard lock(mutex_);
    if (is_failing_ || queued_ <= settled_) {
      return;
    }
    wait_for(queued_);
    is_urgent_ = true;
  }
  wake_.notify_one();
}

void WriteLog::reject_while_failing() const {
  if (is_failing()) {
    throw Unavailable("no change can be kept now: " + problem());
  }
}

void WriteLog::began() {
  changed_last = 0;
}

std::shared_ptr<reply::PendingWrite> WriteLog::pending_write(const spec::http::Request& request) {
  if (changed_last == 0) {
    return nullptr;
  }
  auto ticket = std::make_shared<Ticket>(changed_last, request.headers.find("Origin"));
  std::string problem;
  {
    const std::lock_guard lock(mutex_);
    if (changed_last > settled_) {
      tickets_.push_back(ticket);
      return ticket;
    }
    if (changed_last >= failed_from_ && changed_last <= failed_to_) {
      problem = problem_.empty() ? "the file could not be written" : problem_;
    }
  }
  ticket->settle(problem);
  return ticket;
}

std::string WriteLog::problem() const {
  const std::lock_guard lock(mutex_);
  return problem_;
}

void WriteLog::hold_back() {
  const std::lock_guard lock(mutex_);
  is_held_back_ = true;
}

void WriteLog::finish() {
  {
    const std::lock_guard lock(mutex_);
    ends_ = true;
  }
  end();
}

void WriteLog::discard(bool is_clean) {
  {
    const std::lock_guard lock(mutex_);
    if (!ends_) {
      queue_.clear();
      has_lost_ = !is_clean;
      ends_ = true;
    }
  }
  end();
}

void WriteLog::end() {
  wake_.notify_one();
  if (thread_.joinable()) {
    thread_.join();
  }
}

void WriteLog::run() {
  for (bool ends = false; !ends;) {
    std::vector<QueuedWrite> all;
    std::uint64_t last = 0;
    {
      std::unique_lock lock(mutex_);
      wake_.wait_for(lock, is_failing() ? kTryAgain : milliseconds(60'000),
                     [this] { return (!queue_.empty() && !is_held_back_) || ends_; });
      wake_.wait_for(lock, kNoHurry, [this] { return is_urgent_ || ends_; });
      all.swap(queue_);
      queued_bytes_ = 0;
      is_urgent_ = false;
      last = queued_;
      ends = ends_;
    }
    write(std::move(all), last);
  }
  if (!is_failing() && !has_lost_) {
    try_to_write({{0, [](StateFile& file) { file.put_value("end", "clean"); }, true}});
  }
}

// After a failure: first memory goes back, then a write is tried that must succeed.
void WriteLog::write(std::vector<QueuedWrite> all, std::uint64_t last) {
  std::vector<QueuedWrite> kept;
  kept.swap(unwritten_);
  const bool was_failing = is_failing();
  if (was_failing) {
    keep_failed(all);
    go_back();
    settle(last, false);
    all = {};
  }
  kept.insert(kept.end(), std::make_move_iterator(all.begin()), std::make_move_iterator(all.end()));
  if (was_failing) {
    const std::string room(std::size_t{64} * 1024, 'x');
    kept.push_back({0, [room](StateFile& file) { file.put_value("room", room); }, false});
  }
  if ((!kept.empty() && !try_to_write(kept))) {
    is_failing_.store(true, std::memory_order_release);
    keep_failed(kept);
    go_back();  // before anybody can see what failed without waiting for it
    settle(last, false);
    return;
  }
  if (was_failing) {
    go_back();
    is_failing_.store(!behind_.empty(), std::memory_order_release);
  }
  settle(last, true);
}

bool WriteLog::try_to_write(const std::vector<QueuedWrite>& all) {
  try {
    file_->begin();
    for (const QueuedWrite& one : all) {
      one.write(*file_);
    }
    file_->commit();
    return true;
  } catch (const FileError& error) {
    file_->roll_back();
    const std::lock_guard lock(mutex_);
    problem_ = "the state file cannot be written: " + error.reason;
  } catch (const std::exception& error) {
    file_->roll_back();
    const std::lock_guard lock(mutex_);
    problem_ = error.what();
  }
  return false;
}

// Remembers whose memory is ahead of the file, and what must still be written.
void WriteLog::keep_failed(std::vector<QueuedWrite>& all) {
  for (QueuedWrite& one : all) {
    if (one.owner != 0) {
      behind_.insert(one.owner);
    }
    if (one.is_sure) {
      unwritten_.push_back(std::move(one));
    }
  }
}

// Reading may work where writing does not; what cannot be read now is tried again.
void WriteLog::go_back() {
  const std::lock_guard lock(owners_mutex_);
  for (auto at = behind_.begin(); at != behind_.end();) {
    try {
      const auto found = owners_.find(*at);
      if (found != owners_.end()) {
        found->second(file_->cells_of(*at));
      }
      at = behind_.erase(at);
    } catch (const FileError&) {
      return;
    }
  }
}

void WriteLog::settle(std::uint64_t last, bool is_done) {
  std::vector<std::shared_ptr<Ticket>> ready;
  std::string problem;
  {
    const std::lock_guard lock(mutex_);
    if (!is_done) {
      has_lost_ = true;
      problem = problem_;
      const std::uint64_t settled = settled_.load();
      failed_from_ = failed_to_ == settled && failed_to_ != 0 ? failed_from_ : settled + 1;
      failed_to_ = last;
    } else if (!is_failing()) {
      problem_.clear();
    }
    settled_.store(std::max(settled_.load(), last), std::memory_order_release);
    const auto waits = std::stable_partition(
        tickets_.begin(), tickets_.end(),
        [last](const std::shared_ptr<Ticket>& one) { return one->number() > last; });
    ready.assign(std::make_move_iterator(waits), std::make_move_iterator(tickets_.end()));
    tickets_.erase(waits, tickets_.end());
  }
  for (const auto& ticket : ready) {
    ticket->settle(problem);
  }
}

}  // namespace mock_server::state::disk
