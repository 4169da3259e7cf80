#include "mock_server/run/child.hpp"

#include "spec/parent_death.hpp"

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

namespace mock_server::run {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kNotFound = 127;
constexpr int kNotRunnable = 126;
constexpr int kSignalBase = 128;
constexpr std::chrono::seconds kGrace{10};

constexpr std::array kForwarded{SIGTERM, SIGINT, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2};

sigset_t waited_signals() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGCHLD);
  for (const int signal : kForwarded) {
    sigaddset(&set, signal);
  }
  return set;
}

// Texts as exec wants them: an array of pointers that ends in a null.
class Words {
 public:
  explicit Words(std::vector<std::string> texts) : texts_(std::move(texts)) {
    for (std::string& text : texts_) {
      pointers_.push_back(text.data());
    }
    pointers_.push_back(nullptr);
  }

  char** data() { return pointers_.data(); }

 private:
  std::vector<std::string> texts_;
  std::vector<char*> pointers_;
};

Words environment_with(const std::vector<std::pair<std::string, std::string>>& added) {
  std::vector<std::string> all;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string text = *entry;
    const std::string name = text.substr(0, text.find('='));
    bool is_replaced = false;
    for (const auto& [other, value] : added) {
      is_replaced = is_replaced || other == name;
    }
    if (!is_replaced) {
      all.push_back(text);
    }
  }
  for (const auto& [name, value] : added) {
    all.push_back(name + '=' + value);
  }
  return Words(std::move(all));
}

// In the child, between fork and exec: only calls that are safe there.
[[noreturn]] void become(char** command, char** environment, int report, pid_t parent) {
  if (!spec::die_with_parent(parent)) {
    _exit(kNotRunnable);
  }
  const sigset_t set = waited_signals();
  sigprocmask(SIG_UNBLOCK, &set, nullptr);
  signal(SIGPIPE, SIG_DFL);
  execvpe(command[0], command, environment);
  const int error = errno;
  [[maybe_unused]] const ssize_t written = write(report, &error, sizeof error);
  _exit(error == ENOENT ? kNotFound : kNotRunnable);
}

// Waits for the child while handing on signals. Gives its status.
int wait_for(pid_t child) {
  const sigset_t set = waited_signals();
  auto deadline = Clock::time_point::max();
  while (true) {
    int status = 0;
    if (waitpid(child, &status, WNOHANG) == child) {
      return status;
    }
    constexpr timespec kLook{1, 0};
    siginfo_t info{};
    const int signal = sigtimedwait(&set, &info, &kLook);
    // What the terminal sends, it sends to the child as well.
    if (signal > 0 && signal != SIGCHLD && info.si_code <= 0) {
      kill(child, signal);
    }
    if (signal == SIGTERM || signal == SIGHUP || signal == SIGQUIT) {
      deadline = std::min(deadline, Clock::now() + kGrace);
    }
    if (Clock::now() >= deadline) {
      kill(child, SIGKILL);
    }
  }
}

ChildEnd end_of(int status, int error, const std::string& name) {
  if (error != 0) {
    return {error == ENOENT ? kNotFound : kNotRunnable,
            name + ": " + (error == ENOENT ? "command not found" : std::strerror(error))};
  }
  return {WIFSIGNALED(status) ? kSignalBase + WTERMSIG(status) : WEXITSTATUS(status), ""};
}

}  // namespace

void block_child_signals() {
  const sigset_t set = waited_signals();
  pthread_sigmask(SIG_BLOCK, &set, nullptr);
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGCHLD, SIG_DFL);
}

ChildEnd run_child(const std::vector<std::string>& command,
                   const std::vector<std::pair<std::string, std::string>>& environment) {
  Words words(command);
  Words variables = environment_with(environment);
  std::array<int, 2> report{-1, -1};
  if (pipe2(report.data(), O_CLOEXEC) != 0) {
    return {kNotRunnable, command.front() + ": " + std::strerror(errno)};
  }
  const pid_t parent = getpid();
  const pid_t child = fork();
  if (child == 0) {
    become(words.data(), variables.data(), report[1], parent);
  }
  const int fork_error = errno;
  close(report[1]);
  if (child < 0) {
    close(report[0]);
    return {kNotRunnable, command.front() + ": " + std::strerror(fork_error)};
  }
  int error = 0;
  while (read(report[0], &error, sizeof error) < 0 && errno == EINTR) {
  }
  close(report[0]);
  return end_of(wait_for(child), error, command.front());
}

}  // namespace mock_server::run
