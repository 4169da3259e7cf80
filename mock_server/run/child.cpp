#include "mock_server/run/child.hpp"

#include "spec/process/child.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <signal.h>

namespace mock_server::run {
namespace {

using Clock = std::chrono::steady_clock;

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

// Waits for the child and forwards signals. Returns its exit code.
int wait_for(spec::process::Child& child) {
  const sigset_t set = waited_signals();
  auto deadline = Clock::time_point::max();
  while (true) {
    if (const auto code = child.end()) {
      return *code;
    }
    constexpr timespec kLook{1, 0};
    siginfo_t info{};
    const int signal = sigtimedwait(&set, &info, &kLook);
    // The terminal sends its signals to the child, too.
    if (signal > 0 && signal != SIGCHLD && info.si_code <= 0) {
      child.signal(signal);
    }
    if (signal == SIGTERM || signal == SIGHUP || signal == SIGQUIT) {
      deadline = std::min(deadline, Clock::now() + kGrace);
    }
    if (Clock::now() >= deadline) {
      child.signal(SIGKILL);
    }
  }
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
  auto child = spec::process::Child::start(
      {.words = command, .environment = {environment.begin(), environment.end()}});
  if (!child) {
    return {child.error().exit_code, child.error().message};
  }
  return {wait_for(*child), ""};
}

}  // namespace mock_server::run
