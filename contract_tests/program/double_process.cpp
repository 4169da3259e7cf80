#include "contract_tests/program/double_process.hpp"

#include "spec/parent_death.hpp"

#include <array>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <utility>

namespace contract_tests::program {

namespace {

using Clock = std::chrono::steady_clock;

// The rest of the first line of `text` that starts with `prefix`; "" while it is not whole.
std::string line_after(const std::string& text, std::string_view prefix) {
  const auto at = text.find(prefix);
  const auto end = at == std::string::npos ? at : text.find('\n', at);
  if (end == std::string::npos) {
    return {};
  }
  return text.substr(at + prefix.size(), end - at - prefix.size());
}

// Reads on until `deadline`; false at the end of the stream or when time is up.
bool read_more(int descriptor, std::string& text, Clock::time_point deadline) {
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now()).count();
  pollfd entry{.fd = descriptor, .events = POLLIN, .revents = 0};
  if (left <= 0 || ::poll(&entry, 1, static_cast<int>(left)) <= 0) {
    return false;
  }
  std::array<char, 4096> block{};
  const auto got = ::read(descriptor, block.data(), block.size());
  if (got <= 0) {
    return false;
  }
  text.append(block.data(), static_cast<std::size_t>(got));
  return true;
}

// The last line of what was written to `descriptor`, a file in memory.
std::string last_line(int descriptor) {
  std::string text(4096, '\0');
  const auto size = ::lseek(descriptor, 0, SEEK_END);
  const auto from = size > 4096 ? size - 4096 : 0;
  const auto got = ::pread(descriptor, text.data(), text.size(), from);
  text.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
  while (text.ends_with('\n')) {
    text.pop_back();
  }
  return text.substr(text.rfind('\n') + 1);
}

// Runs `words` with these outputs, in a group of its own: an interrupt from the keyboard is for the
// suite, which still needs the double to put records back. It dies with the thread that calls this,
// however that ends. Between fork and exec nothing is called that a lock could stop.
pid_t fork_child(std::vector<char*>& words, int output, int errors) {
  const pid_t parent = ::getpid();
  const pid_t child = ::fork();
  if (child != 0) {
    return child;
  }
  if (spec::die_with_parent(parent)) {
    ::setpgid(0, 0);
    ::dup2(output, STDOUT_FILENO);
    ::dup2(errors, STDERR_FILENO);
    ::execv(words.front(), words.data());
  }
  ::_exit(127);
}

}  // namespace

DoubleProcess::DoubleProcess(DoubleProcess&& other) noexcept
    : process_(std::exchange(other.process_, -1)),
      output_(std::exchange(other.output_, -1)),
      url_(std::move(other.url_)) {}

DoubleProcess::~DoubleProcess() {
  if (process_ > 0) {
    ::kill(process_, SIGTERM);
    const auto deadline = Clock::now() + std::chrono::seconds(5);
    while (::waitpid(process_, nullptr, WNOHANG) == 0) {
      if (Clock::now() > deadline) {
        ::kill(process_, SIGKILL);
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
  }
  if (output_ >= 0) {
    ::close(output_);
  }
}

spec::Result<DoubleProcess, std::string> DoubleProcess::start(const std::filesystem::path& program,
                                                              std::vector<std::string> arguments,
                                                              std::chrono::milliseconds patience) {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) {
    return spec::Unexpected{std::string("no pipe: ") + std::strerror(errno)};
  }
  // What it logs is wanted only if it does not start; a pipe that nobody reads would stop it.
  const int errors = ::memfd_create("mock_server", MFD_CLOEXEC);
  auto name = program.string();
  std::vector<char*> words{name.data()};
  for (auto& argument : arguments) {
    words.push_back(argument.data());
  }
  words.push_back(nullptr);
  const int problem = ::access(name.c_str(), X_OK) == 0 ? 0 : errno;
  const pid_t process = problem == 0 ? fork_child(words, ends[1], errors) : -1;
  ::close(ends[1]);
  DoubleProcess started(process);
  started.output_ = ends[0];
  if (process < 0) {
    return spec::Unexpected{"cannot start " + name + ": " +
                            std::strerror(problem == 0 ? errno : problem)};
  }
  std::string said;
  const auto deadline = Clock::now() + patience;
  while (started.url_.empty() && read_more(started.output_, said, deadline)) {
    started.url_ = line_after(said, "listening on ");
  }
  const auto complaint = started.url_.empty() ? last_line(errors) : std::string{};
  ::close(errors);
  if (started.url_.empty()) {
    return spec::Unexpected{name + " did not start: " + complaint};
  }
  return started;
}

}  // namespace contract_tests::program
