#include "spec/process/child.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <string_view>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace spec::process {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds kPoll{2};

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

Words environment_of(const Command& command) {
  std::vector<std::string> all;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    const bool is_changed = std::ranges::any_of(
        command.environment, [name = text.substr(0, text.find('='))](const auto& change) {
          return change.first == name;
        });
    if (!is_changed) {
      all.emplace_back(text);
    }
  }
  for (const auto& [name, value] : command.environment) {
    if (value) {
      all.push_back(name + '=' + *value);
    }
  }
  return Words(std::move(all));
}

// The reason why the child could not become the program.
struct ExecFailure {
  int error = 0;  // errno; 0: it could
  bool is_folder = false;
};

// Runs in the child, between fork and exec: only calls that are safe there. False if one fails.
bool set_up(const Command& command, pid_t parent, ExecFailure& exec_failure) {
  if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0) {
    return false;
  }
  if (getppid() != parent) {
    _exit(kNotRunnable);  // that is gone already
  }
  const std::array streams{std::pair{command.input, STDIN_FILENO},
                           std::pair{command.output, STDOUT_FILENO},
                           std::pair{command.errors, STDERR_FILENO}};
  for (const auto& [from, to] : streams) {
    if (from >= 0 && dup2(from, to) < 0) {
      return false;
    }
  }
  if (!command.folder.empty() && chdir(command.folder.c_str()) != 0) {
    exec_failure.is_folder = true;
    return false;
  }
  if (command.prepare) {
    command.prepare();
  }
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  std::signal(SIGPIPE, SIG_DFL);
  return true;
}

StartFailure failure(const Command& command, const ExecFailure& exec_failure) {
  const std::string start = command.words.front() + ": ";
  if (exec_failure.is_folder) {
    return {kNotRunnable, start + "cannot start in the folder " + command.folder + ": " +
                              std::strerror(exec_failure.error)};
  }
  return exec_failure.error == ENOENT
             ? StartFailure{kNotFound, start + "command not found"}
             : StartFailure{kNotRunnable, start + std::strerror(exec_failure.error)};
}

}  // namespace

Result<Child, StartFailure> Child::start(const Command& command) {
  assert(!command.words.empty());
  Words words(command.words);
  Words environment = environment_of(command);
  std::array<int, 2> report{-1, -1};  // closed by exec, or gets the reason why that failed
  if (pipe2(report.data(), O_CLOEXEC) != 0) {
    return Unexpected{failure(command, {.error = errno})};
  }
  const pid_t parent = getpid();
  const pid_t id = fork();
  if (id == 0) {
    ExecFailure exec_failure;
    if (set_up(command, parent, exec_failure)) {
      execvpe(words.data()[0], words.data(), environment.data());
    }
    exec_failure.error = errno;
    [[maybe_unused]] const ssize_t written = write(report[1], &exec_failure, sizeof exec_failure);
    _exit(kNotRunnable);
  }
  ExecFailure exec_failure{.error = id < 0 ? errno : 0};
  close(report[1]);
  while (id > 0 && read(report[0], &exec_failure, sizeof exec_failure) < 0 && errno == EINTR) {
  }
  close(report[0]);
  Child child(id);
  if (exec_failure.error != 0) {
    return Unexpected{failure(command, exec_failure)};
  }
  return child;
}

Child::~Child() {
  if (id_ > 0) {
    kill(id_, SIGKILL);
    waitpid(id_, nullptr, 0);
  }
}

void Child::signal(int number) const {
  if (id_ > 0) {
    kill(id_, number);
  }
}

std::optional<int> Child::end(std::chrono::milliseconds patience) {
  const auto deadline = Clock::now() + patience;
  int status = 0;
  rusage usage{};
  while (id_ > 0) {
    if (wait4(id_, &status, WNOHANG, &usage) == id_) {
      id_ = -1;
      peak_kilobytes_ = static_cast<std::size_t>(usage.ru_maxrss);
      ending_signal_ = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
      return ending_signal_ == 0 ? WEXITSTATUS(status) : 128 + ending_signal_;
    }
    if (Clock::now() >= deadline) {
      break;
    }
    std::this_thread::sleep_for(kPoll);
  }
  return std::nullopt;
}

bool Child::has_ended() const {
  siginfo_t ended{};
  return id_ < 0 ||
         (waitid(P_PID, static_cast<id_t>(id_), &ended, WEXITED | WNOHANG | WNOWAIT) == 0 &&
          ended.si_pid == id_);
}

}  // namespace spec::process
