#include "contract_tests/tests/support/child.hpp"

#include "spec/parent_death.hpp"

#include <algorithm>
#include <array>
#include <csignal>
#include <fcntl.h>
#include <string_view>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

extern char** environ;

namespace contract_tests::support {

namespace {

std::string take(int descriptor) {
  std::string text(static_cast<std::size_t>(::lseek(descriptor, 0, SEEK_END)), '\0');
  const auto got = ::pread(descriptor, text.data(), text.size(), 0);
  text.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
  ::close(descriptor);
  return text;
}

// What the one who runs the tests has set for them, or for a service of his own, is not meant for
// their children: a shard of the tests would have each child carry out a shard of its plan.
bool is_of_the_caller(std::string_view name) {
  constexpr std::array<std::string_view, 8> kOwn{
      "TEST_API_BASE_URL", "DODO_PAYMENTS_API_KEY", "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY",
      "http_proxy",        "https_proxy",           "no_proxy"};
  return name.starts_with("GTEST_") || std::ranges::find(kOwn, name) != kOwn.end();
}

std::vector<std::string> with(const std::map<std::string, std::string>& changes) {
  std::vector<std::string> lines;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string line(*entry);
    const auto name = line.substr(0, line.find('='));
    if (!changes.contains(name) && !is_of_the_caller(name)) {
      lines.push_back(line);
    }
  }
  for (const auto& [name, value] : changes) {
    if (!value.empty()) {
      lines.push_back(name + '=' + (value == kEmptyValue ? "" : value));
    }
  }
  return lines;
}

std::vector<char*> pointers(std::vector<std::string>& lines) {
  std::vector<char*> words;
  for (auto& line : lines) {
    words.push_back(line.data());
  }
  words.push_back(nullptr);
  return words;
}

// In the child, between fork and exec: only calls that are safe there.
void become(const std::vector<char*>& command, const std::vector<char*>& variables, int out,
            int err) {
  ::dup2(::open("/dev/null", O_RDONLY | O_CLOEXEC), STDIN_FILENO);
  ::dup2(out, STDOUT_FILENO);
  ::dup2(err, STDERR_FILENO);
  ::execve(command.front(), command.data(), variables.data());
}

}  // namespace

Ended run_child(const std::string& program, const std::vector<std::string>& arguments,
                const std::map<std::string, std::string>& environment,
                std::chrono::seconds patience) {
  const int out = ::memfd_create("out", MFD_CLOEXEC);
  const int err = ::memfd_create("err", MFD_CLOEXEC);
  std::vector<std::string> words{program};
  words.insert(words.end(), arguments.begin(), arguments.end());
  auto lines = with(environment);
  const auto command = pointers(words);
  const auto variables = pointers(lines);
  const pid_t parent = ::getpid();
  const pid_t child = ::fork();
  if (child == 0) {
    if (spec::die_with_parent(parent)) {
      become(command, variables, out, err);
    }
    ::_exit(127);
  }
  const auto deadline = std::chrono::steady_clock::now() + patience;
  int status = 0;
  rusage usage{};
  while (child > 0 && ::wait4(child, &status, WNOHANG, &usage) == 0) {
    if (std::chrono::steady_clock::now() > deadline) {
      ::kill(child, SIGKILL);
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return {.exit_code = child > 0 && WIFEXITED(status) ? WEXITSTATUS(status) : -1,
          .out = take(out),
          .err = take(err),
          .peak_kilobytes = static_cast<std::size_t>(usage.ru_maxrss)};
}

}  // namespace contract_tests::support
