#include "mock_server/transport/workers.hpp"

#include "mock_server/transport/listener.hpp"
#include "mock_server/transport/request_amounts.hpp"
#include "spec/http/coding.hpp"
#include "spec/http/header_field.hpp"

#include <algorithm>
#include <csignal>
#include <pthread.h>
#include <string>
#include <system_error>
#include <utility>

namespace mock_server::transport {

namespace {

constexpr spec::http::Rejection kWaitedTooLong = {503, "SERVICE_UNAVAILABLE",
                                                  "waited longer than --handler-ms allows"};
constexpr std::size_t kHarmlessBytes = 1024 * 1024;  // unfolded: taken whatever the ratio

spec::http::Rejection rejection_of(spec::http::CodingErrorKind kind) {
  switch (kind) {
    case spec::http::CodingErrorKind::kUnknown:
      return {415, "UNSUPPORTED_MEDIA_TYPE", "unknown content coding"};
    case spec::http::CodingErrorKind::kTooLarge:
      return {413, "PAYLOAD_TOO_LARGE",
              "the decompressed body is larger than --body-bytes or --expansion-ratio allows"};
    case spec::http::CodingErrorKind::kInvalid: break;
  }
  return {400, "BAD_REQUEST", "cannot decompress: the body is not valid in its content coding"};
}

// Hands the job back, with room for its next result.
void hand_back_whole(Job& job, WorkResult& result) {
  job.peer.pending_response = std::move(result.wire.pending_response);
  job.peer.pending_response->needs_worker |= job.request.body.size() > reply::kQuickBodyBytes;
  job.peer.on_worker = false;
  std::list<Job> whole;
  whole.push_back(std::move(job));
  job.result.swap(whole.front().result);
  job.done.swap(whole.front().done);
  result.awaiting = std::move(whole);
}

}  // namespace

std::optional<spec::http::Rejection> decode_body(spec::http::Request& request,
                                                 const Limits& limits) {
  const std::string codings =
      spec::http::list_field(request.headers, "Content-Encoding").value_or("");
  if (codings.empty() || request.body.empty()) {
    return std::nullopt;
  }
  spec::http::CodingLimits coding_limits;
  coding_limits.max_bytes = limits.body_bytes;
  coding_limits.max_ratio = limits.expansion_ratio;
  coding_limits.ratio_from = kHarmlessBytes;
  auto decoded = spec::http::decode_content(codings, request.body, coding_limits);
  if (!decoded) {
    return rejection_of(decoded.error().kind);
  }
  request.body = std::move(*decoded);
  request.headers.remove("Content-Encoding");
  request.headers.set("Content-Length", std::to_string(request.body.size()));
  request.headers.remove("Transfer-Encoding");
  return std::nullopt;
}

Workers::Workers(const Limits& limits, const reply::Handler& handler, reply::MemoryBudget& budget,
                 WorkersSize size)
    : limits_(limits), handler_(handler), budget_(budget), size_(size) {
  workers_.reserve(size_.threads);
  idle_.reserve(size_.threads);
}

Workers::~Workers() {
  const std::lock_guard lock(mutex_);
  ends_.store(true);
  queue_.clear();
  for (const auto& worker : workers_) {
    sem_post(&worker->wake);
  }
}

Workers::Worker::Worker() {
  sem_init(&wake, 0, 0);
}

Workers::Worker::~Worker() {
  if (thread.joinable()) {
    thread.join();
  }
  sem_destroy(&wake);
}

// Makes another thread, if there may be one, and gives it the job. Precondition: the mutex is held.
bool Workers::start_worker(Job& job) {
  if (workers_.size() == size_.threads) {
    return false;
  }
  auto made = std::make_unique<Worker>();
  made->job = std::move(job);
  try {
    made->thread = std::jthread([this, worker = made.get()] { run(*worker); });
  } catch (const std::system_error&) {  // the system has no more: those that there are go on
    job = std::move(*made->job);
    return false;
  }
  sem_post(&made->wake);
  workers_.push_back(std::move(made));
  return true;
}

// Each thread sleeps at a place of its own, so that a job wakes one thread, which needs no lock.
bool Workers::submit(Job& job) {
  Worker* woken = nullptr;
  {
    const std::lock_guard lock(mutex_);
    if (!idle_.empty()) {
      woken = idle_.back();
      idle_.pop_back();
      woken->job = std::move(job);
    } else if (!start_worker(job)) {
      if (workers_.empty() || queue_.size() >= size_.waiting) {
        return false;
      }
      queue_.push_back(std::move(job));
    }
  }
  if (woken != nullptr) {
    sem_post(&woken->wake);
  }
  return true;
}

// False when there is nothing: then it is idle, or all ends.
bool Workers::take_next(Worker& worker) {
  const std::lock_guard lock(mutex_);
  if (ends_.load() || queue_.empty()) {
    idle_.push_back(&worker);
    return false;
  }
  worker.job = std::move(queue_.front());
  queue_.pop_front();
  return true;
}

// The bytes that parsing the body will take. Those of a short one are not counted, so that it is
// never rejected.
std::size_t counted_bytes(const std::string& body) {
  return body.size() > reply::kQuickBodyBytes ? reply::bytes_of_values(body) : 0;
}

// Makes the response, or the reason to reject the request. The memory of the parsed body is charged
// before it is parsed; where another server was asked, it is too late to reject.
void Workers::work_on(Job& job, DateText& date) {
  WorkResult& result = job.result.front();
  if (SteadyClock::now() >= job.due) {
    result.rejection = kWaitedTooLong;  // the client has got its 503
    return;
  }
  spec::http::Request received;
  if (job.may_block && job.request.headers.has("Content-Encoding")) {
    received = job.request;
    job.peer.received = &received;
  }
  result.rejection = decode_body(job.request, limits_);
  if (!result.rejection) {
    result.rejection = check_amounts(job.request, limits_);
  }
  if (result.rejection) {
    return;
  }
  reply::Charge made(budget_);
  job.charge.change_to(std::max(job.charge.bytes(), job.request.body.capacity()));
  const std::size_t values = counted_bytes(job.request.body);
  if (values != 0 && !made.try_add(values) && !job.peer.pending_response) {
    result.rejection = kNoRoom;
    return;
  }
  job.peer.on_worker = true;
  result.wire = make_response(handler_, job.request, job.peer, job.form, date.now());
  job.peer.received = nullptr;
  if (result.wire.pending_response) {
    hand_back_whole(job, result);
  }
}

void Workers::perform(Job& job, DateText& date) noexcept {
  WorkResult& result = job.result.front();
  try {
    work_on(job, date);
  } catch (...) {
    result.rejection = rejection_of_exception();
  }
  if (result.rejection) {
    result.rejected = std::move(job.request);
  }
}

void Workers::run(Worker& worker) {
  pthread_setname_np(pthread_self(), "http-worker");
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, nullptr);
  DateText date;
  for (;;) {
    while (sem_wait(&worker.wake) != 0) {  // interrupted
    }
    do {
      if (ends_.load()) {
        return;
      }
      perform(*worker.job, date);
      std::list<WorkResult> result = std::move(worker.job->result);
      const auto done = std::move(worker.job->done);
      worker.job.reset();  // releases its memory before the result is handed back
      done(std::move(result));
    } while (take_next(worker));
  }
}

}  // namespace mock_server::transport
