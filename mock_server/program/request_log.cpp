#include "mock_server/program/request_log.hpp"

#include <spdlog/logger.h>
#include <spdlog/sinks/base_sink.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <poll.h>
#include <string>
#include <thread>
#include <unistd.h>
#include <utility>

namespace mock_server::program {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kBatch{5};        // lines that come within it are written together
constexpr milliseconds kLastWords{500};  // for what is left at the end
constexpr std::size_t kLongestTarget = 300;

// A pipe that polls writable takes this much without blocking (PIPE_BUF).
constexpr std::size_t kSafeWrite = 4096;

// Keeps finished lines until its thread has written them.
class DrainSink : public spdlog::sinks::base_sink<std::mutex> {
 public:
  DrainSink(int file_descriptor, std::size_t limit)
      : file_descriptor_(file_descriptor),
        limit_(limit),
        writer_([this](const std::stop_token& stop) { drain(stop); }) {}

  DrainSink(const DrainSink&) = delete;
  DrainSink& operator=(const DrainSink&) = delete;
  DrainSink(DrainSink&&) = delete;
  DrainSink& operator=(DrainSink&&) = delete;

  ~DrainSink() override {
    writer_.request_stop();
    writer_.join();
  }

  std::uint64_t dropped() const { return dropped_.load(std::memory_order_relaxed); }

 protected:
  void sink_it_(const spdlog::details::log_msg& message) override {
    spdlog::memory_buf_t line;
    formatter_->format(message, line);
    const std::lock_guard lock(pending_mutex_);
    if (pending_.size() + line.size() > limit_) {
      dropped_.fetch_add(1, std::memory_order_relaxed);
      return;
    }
    pending_.append(line.data(), line.size());
    if (pending_.size() == line.size()) {
      has_pending_.notify_one();
    }
  }

  void flush_() override {}

 private:
  void drain(const std::stop_token& stop) {
    std::uint64_t told = 0;
    while (true) {
      std::string lines;
      {
        std::unique_lock lock(pending_mutex_);
        has_pending_.wait(lock, stop, [this] { return !pending_.empty(); });
        lines.swap(pending_);
      }
      if (lines.empty()) {
        return;  // stopped, with nothing left
      }
      write_all(lines, stop);
      if (const std::uint64_t lost = dropped(); lost != told) {
        write_all("(" + std::to_string(lost - told) + " log lines were dropped)\n", stop);
        told = lost;
      }
      std::this_thread::sleep_for(stop.stop_requested() ? milliseconds{0} : kBatch);
    }
  }

  void write_all(std::string_view text, const std::stop_token& stop) {
    auto deadline = std::chrono::steady_clock::time_point::max();
    while (!text.empty()) {
      if (stop.stop_requested() && deadline == std::chrono::steady_clock::time_point::max()) {
        deadline = std::chrono::steady_clock::now() + kLastWords;
      }
      pollfd writable{file_descriptor_, POLLOUT, 0};
      const int ready = ::poll(&writable, 1, 50);
      if (ready > 0) {
        const ssize_t written =
            ::write(file_descriptor_, text.data(), std::min(text.size(), kSafeWrite));
        if (written < 0 && errno != EINTR && errno != EAGAIN) {
          return;  // nobody will ever read this
        }
        text.remove_prefix(written > 0 ? static_cast<std::size_t>(written) : 0);
      } else if (std::chrono::steady_clock::now() > deadline) {
        return;
      }
    }
  }

  int file_descriptor_;
  std::size_t limit_;
  std::mutex pending_mutex_;
  std::condition_variable_any has_pending_;
  std::string pending_;
  std::atomic<std::uint64_t> dropped_{0};
  std::jthread writer_;
};

}  // namespace

struct RequestLog::State {
  explicit State(const LogOptions& options)
      : requests(options.requests),
        sink(std::make_shared<DrainSink>(options.file_descriptor, options.buffer_bytes)),
        logger("mock_server", sink) {
    logger.set_pattern("%Y-%m-%dT%H:%M:%S.%e %L %v");
  }

  bool requests;
  std::shared_ptr<DrainSink> sink;
  spdlog::logger logger;
};

RequestLog::RequestLog(const LogOptions& options) : state_(std::make_unique<State>(options)) {}

RequestLog::~RequestLog() = default;

void RequestLog::request(const service::LogLine& line) {
  if (state_->requests) {
    const auto microseconds =
        std::chrono::duration_cast<std::chrono::microseconds>(line.took).count();
    state_->logger.info(
        "{} {} {} {}us {}{}{}{}", line.method, line.target.substr(0, kLongestTarget), line.status,
        microseconds, line.operation.empty() ? "-" : line.operation,
        line.session.empty() ? "" : " session=", line.session,
        line.violations == 0 ? std::string{} : " violations=" + std::to_string(line.violations));
  }
  if (!line.broken.empty()) {
    state_->logger.error("the answer breaks the contract: {}", line.broken);
  }
}

void RequestLog::note(std::string_view message) {
  state_->logger.info("{}", message);
}

void RequestLog::warn(std::string_view message) {
  state_->logger.warn("{}", message);
}

std::uint64_t RequestLog::dropped() const {
  return state_->sink->dropped();
}

}  // namespace mock_server::program
