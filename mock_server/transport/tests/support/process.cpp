#include "mock_server/transport/tests/support/process.hpp"

#include <array>
#include <charconv>
#include <fcntl.h>
#include <poll.h>
#include <stdexcept>
#include <unistd.h>
#include <utility>

namespace mock_server::transport::testing {

namespace {

constexpr int kLineWaitMilliseconds = 60'000;

spec::process::Child started(spec::process::Command command, int output, int errors) {
  command.output = output;
  command.errors = errors;
  auto child = spec::process::Child::start(command);
  close(output);
  close(errors);
  if (!child) {
    throw std::runtime_error(child.error().message);
  }
  return std::move(*child);
}

std::array<int, 2> new_pipe() {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) {
    throw std::runtime_error("no pipe");
  }
  return ends;
}

}  // namespace

Process::Process(const std::vector<std::string>& arguments, const std::function<void()>& before)
    : Process({.words = arguments, .prepare = before}, new_pipe(), new_pipe()) {}

Process::Process(const std::vector<std::string>& arguments, Environment environment)
    : Process({.words = arguments, .environment = std::move(environment)}, new_pipe(), new_pipe()) {
}

Process::Process(spec::process::Command command, std::array<int, 2> output,
                 std::array<int, 2> errors)
    : child_(started(std::move(command), output[1], errors[1])),
      output_(output[0]),
      errors_(errors[0]) {}

Process::~Process() {
  close(output_);
  close(errors_);
}

std::string Process::line() {
  std::size_t end = unread_.find('\n');
  while (end == std::string::npos) {
    pollfd pipe{output_, POLLIN, 0};
    std::array<char, 4096> bytes{};
    if (poll(&pipe, 1, kLineWaitMilliseconds) <= 0) {
      return "";
    }
    const ssize_t count = read(output_, bytes.data(), bytes.size());
    if (count <= 0) {
      return "";
    }
    unread_.append(bytes.data(), static_cast<std::size_t>(count));
    end = unread_.find('\n');
  }
  std::string line = unread_.substr(0, end);
  unread_.erase(0, end + 1);
  return line;
}

std::string Process::errors() {
  std::string text;
  std::array<char, 4096> bytes{};
  for (ssize_t count = 1; count > 0;) {
    count = read(errors_, bytes.data(), bytes.size());
    text.append(bytes.data(), count > 0 ? static_cast<std::size_t>(count) : 0);
  }
  return text;
}

int port_in(const std::string& line) {
  const std::size_t colon = line.rfind(':');
  int port = 0;
  if (colon != std::string::npos) {
    std::from_chars(line.data() + colon + 1, line.data() + line.size(), port);
  }
  return port;
}

}  // namespace mock_server::transport::testing
