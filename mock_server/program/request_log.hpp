#pragma once

// Log lines on standard error that never delay a response: lines go to a bounded buffer, one thread
// writes them. A line is text, or one JSON object. If the reader is too slow, or there is no memory
// for a line, lines are dropped and counted, and a later line says how many. Safe from any thread.

#include "mock_server/service/service_options.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

namespace mock_server::program {

enum class LogFormat : std::uint8_t { kText, kJson };
enum class LogLevel : std::uint8_t { kDebug, kInfo, kWarn, kError, kOff };

// "text", "json"; "debug", "info", "warn", "error", "off". Nothing for other texts.
std::optional<LogFormat> parse_log_format(std::string_view word);
std::optional<LogLevel> parse_log_level(std::string_view word);

struct LogOptions {
  LogFormat format = LogFormat::kText;
  LogLevel level = LogLevel::kInfo;  // requests are info, those of the control API debug
  bool requests = true;              // a line for each request
};

class RequestLog {
 public:
  explicit RequestLog(const LogOptions& options);
  // Writes what is left, for at most half a second.
  ~RequestLog();

  void request(const service::LogLine& line) noexcept;
  // An event, and a warning; written whatever the options.
  void note(std::string_view message) noexcept;
  void warn(std::string_view message) noexcept;
  // Lines that were dropped so far.
  std::uint64_t dropped() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace mock_server::program
