#include "contract_tests/program/course/interruptible.hpp"

#include "contract_tests/program/output/progress.hpp"

#include <atomic>
#include <csignal>
#include <cstdint>
#include <ctime>

namespace contract_tests::program::course {

namespace {

std::atomic<run::workers::Runner*> running = nullptr;  // for the signal handler alone

std::atomic<std::int64_t> first_signal_ns = 0;

// The first signal ends the run in order, records put back; one that comes a second later or more
// ends it at once. Supervisors signal a process and its group, which is meant as one signal.
extern "C" void on_signal(int signal) {
  constexpr std::int64_t kSecond = 1'000'000'000;
  std::timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  const std::int64_t at = now.tv_sec * kSecond + now.tv_nsec;
  std::int64_t first = 0;
  if (first_signal_ns.compare_exchange_strong(first, at)) {
    if (auto* runner = running.load()) {
      runner->interrupt();
    }
  } else if (at - first >= kSecond) {
    output::ProgressLine::erase_at_once();
    std::signal(signal, SIG_DFL);
    std::raise(signal);
  }
}

}  // namespace

Interruptible::Interruptible(run::workers::Runner& runner) {
  running = &runner;
  std::signal(SIGINT, &on_signal);
  std::signal(SIGTERM, &on_signal);
}

Interruptible::~Interruptible() {
  running = nullptr;
}

}  // namespace contract_tests::program::course
