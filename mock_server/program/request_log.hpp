#pragma once

// Log lines on standard error that never hold up an answer: lines go to a bounded buffer, one
// thread writes them. When nobody reads the other end, lines are dropped and counted, and the count
// is said when reading goes on. Safe from any thread.

#include "mock_server/service/mock_service.hpp"

#include <cstdint>
#include <memory>
#include <string_view>

namespace mock_server::program {

struct LogOptions {
  int file_descriptor = 2;
  bool requests = true;                 // a line for each request
  std::size_t buffer_bytes = 1U << 20;  // lines beyond it are dropped
};

class RequestLog {
 public:
  explicit RequestLog(const LogOptions& options);
  // Writes what is left, for at most half a second.
  ~RequestLog();

  void request(const service::LogLine& line);
  // Something that happened, and something that the reader should do about; whatever the options.
  void note(std::string_view message);
  void warn(std::string_view message);
  // Lines that were not written, so far.
  std::uint64_t dropped() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace mock_server::program
