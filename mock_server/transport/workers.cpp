#include "mock_server/transport/workers.hpp"

#include "mock_server/transport/amounts.hpp"
#include "mock_server/transport/listener.hpp"
#include "spec/http/coding.hpp"

#include <algorithm>
#include <csignal>
#include <pthread.h>
#include <string>
#include <utility>

namespace mock_server::transport {

namespace {

constexpr std::size_t kMaxWaiting = 256;
constexpr std::size_t kHarmlessBytes = 1024 * 1024;  // unfolded: taken whatever the ratio

spec::http::Rejection rejection_of(spec::http::CodingFault fault) {
  switch (fault) {
    case spec::http::CodingFault::kUnknown:
      return {415, "UNSUPPORTED_MEDIA_TYPE", "unknown content coding"};
    case spec::http::CodingFault::kTooLarge:
      return {413, "PAYLOAD_TOO_LARGE",
              "the decompressed body is larger than --body-bytes or --expansion-ratio allows"};
    case spec::http::CodingFault::kBroken: break;
  }
  return {400, "BAD_REQUEST", "cannot decompress: the body is not valid in its content coding"};
}

std::string joined_codings(const spec::http::Headers& headers) {
  std::string codings;
  for (const std::string_view value : headers.all("Content-Encoding")) {
    codings.append(codings.empty() ? "" : ", ").append(value);
  }
  return codings;
}

}  // namespace

std::optional<spec::http::Rejection> decode_body(spec::http::Request& request,
                                                 const Limits& limits) {
  const std::string codings = joined_codings(request.headers);
  if (codings.empty() || request.body.empty()) {
    return std::nullopt;
  }
  spec::http::CodingLimits coding_limits;
  coding_limits.max_bytes = limits.body_bytes;
  coding_limits.max_ratio = limits.expansion_ratio;
  coding_limits.ratio_from = kHarmlessBytes;
  auto decoded = spec::http::decode_content(codings, request.body, coding_limits);
  if (!decoded) {
    return rejection_of(decoded.error().fault);
  }
  request.body = std::move(*decoded);
  request.headers.remove("Content-Encoding");
  request.headers.set("Content-Length", std::to_string(request.body.size()));
  request.headers.remove("Transfer-Encoding");
  return std::nullopt;
}

Workers::Workers(const Limits& limits, const reply::Handler& handler, MemoryBudget& budget,
                 unsigned threads)
    : limits_(limits), handler_(handler), budget_(budget) {
  for (unsigned at = 0; at < threads; ++at) {
    threads_.emplace_back([this](const std::stop_token& token) { run(token); });
  }
}

Workers::~Workers() {
  for (std::jthread& thread : threads_) {
    thread.request_stop();
  }
}

bool Workers::submit(Job& job) {
  {
    const std::lock_guard lock(mutex_);
    if (queue_.size() >= kMaxWaiting) {
      return false;
    }
    queue_.push_back(std::move(job));
  }
  wake_.notify_one();
  return true;
}

// Makes the response, or the reason to reject the request. The memory of the parsed body is charged
// before it is parsed.
void Workers::work_on(Job& job, DateText& date) {
  WorkResult& result = job.result.front();
  result.rejection = decode_body(job.request, limits_);
  if (!result.rejection) {
    result.rejection = check_amounts(job.request, limits_);
  }
  if (result.rejection) {
    return;
  }
  Charge made(budget_);
  job.charge.change_to(std::max(job.charge.bytes(), job.request.body.capacity()));
  if (!made.try_add(bytes_of_values(job.request.body))) {
    result.rejection = kNoMemory;
    return;
  }
  result.answer = make_response(handler_, job.request, job.peer, job.form, date.now());
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

void Workers::run(const std::stop_token& token) {
  pthread_setname_np(pthread_self(), "http-worker");
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, nullptr);
  DateText date;
  for (;;) {
    std::unique_lock lock(mutex_);
    wake_.wait(lock, token, [this] { return !queue_.empty(); });
    if (token.stop_requested()) {
      return;
    }
    std::optional<Job> job = std::move(queue_.front());
    queue_.erase(queue_.begin());
    lock.unlock();
    perform(*job, date);
    std::list<WorkResult> result = std::move(job->result);
    const auto done = std::move(job->done);
    job.reset();  // releases its memory before the result is handed back
    done(std::move(result));
  }
}

}  // namespace mock_server::transport
