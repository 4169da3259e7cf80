#include "mock_server/transport/tests/support/process.hpp"

#include "spec/parent_death.hpp"

#include <array>
#include <charconv>
#include <csignal>
#include <fcntl.h>
#include <poll.h>
#include <stdexcept>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace mock_server::transport::testing {

namespace {

using Clock = std::chrono::steady_clock;

constexpr int kLineWaitMilliseconds = 60'000;

[[noreturn]] void become(const std::vector<std::string>& arguments) {
  std::vector<char*> raw;
  for (const std::string& argument : arguments) {
    raw.push_back(const_cast<char*>(argument.c_str()));
  }
  raw.push_back(nullptr);
  execv(raw.front(), raw.data());
  _exit(127);
}

}  // namespace

Process::Process(const std::vector<std::string>& arguments, const std::function<void()>& before) {
  std::array<int, 2> output{};
  std::array<int, 2> errors{};
  if (pipe2(output.data(), O_CLOEXEC) != 0 || pipe2(errors.data(), O_CLOEXEC) != 0) {
    throw std::runtime_error("no pipe");
  }
  const pid_t parent = getpid();
  id_ = fork();
  if (id_ == 0) {
    if (!spec::die_with_parent(parent)) {
      _exit(127);
    }
    dup2(output[1], STDOUT_FILENO);
    dup2(errors[1], STDERR_FILENO);
    if (before) {
      before();
    }
    become(arguments);
  }
  close(output[1]);
  close(errors[1]);
  output_ = output[0];
  errors_ = errors[0];
}

Process::~Process() {
  if (id_ > 0) {
    kill(id_, SIGKILL);
    waitpid(id_, nullptr, 0);
  }
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

void Process::signal(int number) const {
  kill(id_, number);
}

std::optional<int> Process::end(std::chrono::milliseconds wait) {
  const Clock::time_point end = Clock::now() + wait;
  int status = 0;
  while (waitpid(id_, &status, WNOHANG) == 0) {
    if (Clock::now() > end) {
      return std::nullopt;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  id_ = -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
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
