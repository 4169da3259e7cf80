#include "mock_server/program/request_log.hpp"

#include "mock_server/reply/json_response.hpp"
#include "mock_server/state/session_clock.hpp"
#include "spec/json/value.hpp"
#include "spec/non_copyable.hpp"
#include "spec/text/ascii.hpp"
#include "spec/text/quote.hpp"
#include "spec/text/utf8.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <ctime>
#include <mutex>
#include <poll.h>
#include <string>
#include <thread>
#include <unistd.h>
#include <utility>

namespace mock_server::program {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kBatch{5};               // lines that come within it are written together
constexpr milliseconds kLastWords{500};         // for what is left at the end
constexpr std::size_t kBufferBytes = 1U << 20;  // lines beyond it are dropped
constexpr std::size_t kMaxTarget = 300;
constexpr std::size_t kMaxMethod = 64;

// A pipe that polls writable takes this much without blocking (PIPE_BUF).
constexpr std::size_t kSafeWrite = 4096;

// Keeps finished lines until its thread has written them.
class DrainSink : spec::NonCopyable {
 public:
  explicit DrainSink(LogFormat format)
      : format_(format), writer_([this](const std::stop_token& stop) { drain(stop); }) {}

  ~DrainSink() {
    writer_.request_stop();
    writer_.join();
  }

  std::uint64_t dropped() const { return dropped_.load(std::memory_order_relaxed); }

  void drop() { dropped_.fetch_add(1, std::memory_order_relaxed); }

  void take(std::string_view line) {
    const std::lock_guard lock(pending_mutex_);
    if (pending_.size() + line.size() > kBufferBytes) {
      drop();
      return;
    }
    pending_.append(line);
    if (pending_.size() == line.size()) {
      has_pending_.notify_one();
    }
  }

 private:
  void drain(const std::stop_token& stop) {
    std::uint64_t reported = 0;
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
      const std::string_view left = write_all(lines, stop);
      dropped_.fetch_add(static_cast<std::uint64_t>(std::ranges::count(left, '\n')),
                         std::memory_order_relaxed);
      if (const std::uint64_t lost = dropped();
          lost != reported && write_lost_count(lost - reported, stop)) {
        reported = lost;
      }
      std::this_thread::sleep_for(stop.stop_requested() ? milliseconds{0} : kBatch);
    }
  }

  // False if the text could not be written; it is tried again later.
  bool write_lost_count(std::uint64_t count, const std::stop_token& stop) const {
    try {
      const std::string words = std::to_string(count) + " log lines were dropped";
      return write_all(format_ == LogFormat::kText
                           ? '(' + words + ")\n"
                           : R"({"event":"log","level":"warn","message":")" + words + "\"}\n",
                       stop)
          .empty();
    } catch (...) {
      return false;
    }
  }

  // Returns what could not be written.
  std::string_view write_all(std::string_view text, const std::stop_token& stop) const {
    auto deadline = std::chrono::steady_clock::time_point::max();
    while (!text.empty()) {
      if (stop.stop_requested() && deadline == std::chrono::steady_clock::time_point::max()) {
        deadline = std::chrono::steady_clock::now() + kLastWords;
      }
      pollfd writable{STDERR_FILENO, POLLOUT, 0};
      const int ready = ::poll(&writable, 1, 50);
      if (ready > 0) {
        const ssize_t written =
            ::write(STDERR_FILENO, text.data(), std::min(text.size(), kSafeWrite));
        if (written < 0 && errno != EINTR && errno != EAGAIN) {
          return text;  // the disk is full, or the reader is gone
        }
        text.remove_prefix(written > 0 ? static_cast<std::size_t>(written) : 0);
      } else if (std::chrono::steady_clock::now() > deadline) {
        return text;
      }
    }
    return text;
  }

  LogFormat format_;
  std::mutex pending_mutex_;
  std::condition_variable_any has_pending_;
  std::string pending_;
  std::atomic<std::uint64_t> dropped_{0};
  std::jthread writer_;
};

// By LogFormat and LogLevel.
constexpr std::array<std::string_view, 2> kFormats{"text", "json"};
constexpr std::array<std::string_view, 5> kLevels{"debug", "info", "warn", "error", "off"};

std::string_view name_of(LogLevel level) {
  return kLevels.at(static_cast<std::size_t>(level));
}

template <typename T, std::size_t kCount>
std::optional<T> parse_word(std::string_view word,
                            const std::array<std::string_view, kCount>& words) {
  const auto* const found = std::ranges::find(words, word);
  return found == words.end() ? std::nullopt : std::optional(static_cast<T>(found - words.begin()));
}

// "2026-03-01T12:00:00.250 I ", in local time.
std::string line_start(LogLevel level) {
  const auto now = state::system_now();
  const std::time_t seconds = std::chrono::system_clock::to_time_t(now);
  const auto fraction = std::chrono::floor<milliseconds>(now.time_since_epoch()) % 1000;
  std::tm local{};
  localtime_r(&seconds, &local);
  std::array<char, 32> text{};
  std::string start(text.data(),
                    std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%S.", &local));
  const std::string thousandths = std::to_string(fraction.count());
  start.append(3 - thousandths.size(), '0').append(thousandths).append(" ");
  return start.append(1, spec::text::to_upper(name_of(level).front())).append(" ");
}

// The bytes as valid UTF-8 for JSON.
std::string readable(std::string_view bytes) {
  return spec::text::is_utf8(bytes) ? std::string(bytes) : std::string("(not UTF-8)");
}

std::string as_text(const service::LogLine& line) {
  const auto microseconds = std::chrono::duration_cast<std::chrono::microseconds>(line.took);
  std::string text(line.method.substr(0, kMaxMethod));
  text.append(" ").append(line.target.substr(0, kMaxTarget));
  text.append(" ").append(std::to_string(line.status));
  text.append(" ").append(std::to_string(microseconds.count())).append("us ");
  text.append(line.operation.empty() ? "-" : line.operation);
  if (!line.session.empty()) {
    text.append(" session=").append(line.session);
  }
  if (!line.served_by.empty()) {
    text.append(" by=").append(line.served_by.substr(0, line.served_by.find(';')));
  }
  if (!line.fault.empty()) {
    text.append(" fault=").append(line.fault);
  }
  if (line.violations != 0) {
    text.append(" violations=").append(std::to_string(line.violations));
    text.append(": ").append(reply::header_text(line.violation));
  }
  return text;
}

nlohmann::json as_json(const service::LogLine& line) {
  nlohmann::json event{{"event", "request"},
                       {"method", readable(line.method.substr(0, kMaxMethod))},
                       {"target", readable(line.target.substr(0, kMaxTarget))},
                       {"status", line.status},
                       {"took_us", line.took.count() / 1000},
                       {"session", line.session},
                       {"violations", line.violations}};
  if (!line.served_by.empty()) {
    event["served_by"] = readable(line.served_by);
  }
  if (!line.fault.empty()) {
    event["fault"] = line.fault;
  }
  if (!line.violation.empty()) {
    event["violation"] = readable(line.violation);
  }
  event["operation"] =
      line.operation.empty() ? nlohmann::json() : nlohmann::json(readable(line.operation));
  return event;
}

}  // namespace

std::optional<LogFormat> parse_log_format(std::string_view word) {
  return parse_word<LogFormat>(word, kFormats);
}

std::optional<LogLevel> parse_log_level(std::string_view word) {
  return parse_word<LogLevel>(word, kLevels);
}

struct RequestLog::State {
  explicit State(const LogOptions& given) : options(given), sink(given.format) {}

  bool logs(LogLevel level) const { return level >= options.level; }

  void say(LogLevel level, std::string_view message) {
    if (!logs(level)) {
      return;
    }
    if (options.format == LogFormat::kText) {
      sink.take(line_start(level).append(spec::text::without_controls(message)).append("\n"));
    } else {
      say_event(level, nlohmann::json{{"event", "message"}, {"message", readable(message)}});
    }
  }

  void say_event(LogLevel level, nlohmann::json event) {
    event["time"] = state::to_text(state::system_now());
    event["level"] = name_of(level);
    sink.take(spec::text::without_controls(spec::json::write(event)).append("\n"));
  }

  // A line without memory is dropped, like a line that is not read.
  template <typename Write>
  void try_to(Write write) noexcept {
    try {
      write();
    } catch (...) {
      sink.drop();
    }
  }

  void say_request(const service::LogLine& line) {
    const auto level = line.is_control ? LogLevel::kDebug : LogLevel::kInfo;
    if (options.requests && logs(level) && !line.is_item) {
      if (options.format == LogFormat::kText) {
        say(level, as_text(line));
      } else {
        say_event(level, as_json(line));
      }
    }
    for (const std::string& warning : line.warnings) {
      say(LogLevel::kWarn, warning);
    }
    if (line.undecided) {
      say(LogLevel::kWarn,
          "undecided whether this satisfies the contract: " + std::string(line.response_violation));
    } else if (!line.response_violation.empty()) {
      say(LogLevel::kError,
          "the response violates the contract: " + std::string(line.response_violation));
    }
  }

  const LogOptions options;
  DrainSink sink;
};

RequestLog::RequestLog(const LogOptions& options) : state_(std::make_unique<State>(options)) {}

RequestLog::~RequestLog() = default;

void RequestLog::request(const service::LogLine& line) noexcept {
  state_->try_to([&] { state_->say_request(line); });
}

void RequestLog::note(std::string_view message) noexcept {
  state_->try_to([&] { state_->say(LogLevel::kInfo, message); });
}

void RequestLog::warn(std::string_view message) noexcept {
  state_->try_to([&] { state_->say(LogLevel::kWarn, message); });
}

std::uint64_t RequestLog::dropped() const {
  return state_->sink.dropped();
}

}  // namespace mock_server::program
