#include "contract_tests/program/progress_line.hpp"

#include "spec/text/quote.hpp"

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <ctime>
#include <iostream>
#include <sys/ioctl.h>
#include <unistd.h>
#include <utility>

namespace contract_tests::program {

namespace {

using std::chrono::milliseconds;

constexpr std::string_view kErase = "\r\x1b[K";

std::atomic<bool> line_on_terminal = false;  // for the signal handler

std::string time_left(milliseconds left) {
  const auto seconds = (left.count() + 999) / 1000;
  constexpr std::int64_t kExact = 10;
  constexpr std::int64_t kStep = 5;
  constexpr std::int64_t kMinute = 60;
  if (seconds >= 2 * kMinute) {
    return std::to_string((seconds + kMinute / 2) / kMinute) + " min";
  }
  return std::to_string(seconds <= kExact ? seconds : (seconds + kStep - 1) / kStep * kStep) + " s";
}

std::size_t columns_of_terminal() {
  constexpr std::size_t kUsual = 80;
  winsize size{};
  return ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : kUsual;
}

bool can_erase() {
  const char* terminal = std::getenv("TERM");
  return ::isatty(STDOUT_FILENO) != 0 && terminal != nullptr && *terminal != '\0' &&
         std::string_view(terminal) != "dumb";
}

}  // namespace

std::string progress_text(const run::Progress& progress, milliseconds elapsed,
                          milliseconds until_end) {
  auto text = std::to_string(progress.done) + " of " +
              spec::text::counted(progress.of, "case", "cases") + ", " +
              std::to_string(progress.failed) + " failed";
  if (progress.done > 0 && progress.done < progress.of && elapsed >= std::chrono::seconds(1)) {
    const auto rest = static_cast<std::int64_t>(progress.of - progress.done);
    const milliseconds left = elapsed * rest / static_cast<std::int64_t>(progress.done);
    text += ", about " + time_left(std::clamp(until_end, milliseconds(0), left)) + " left";
  }
  return text;
}

std::string fitted(std::string_view text, std::size_t columns) {
  while (text.size() > columns) {
    const auto comma = text.rfind(',');
    text = text.substr(0, comma == std::string_view::npos ? columns : comma);
  }
  return std::string(text);
}

void ProgressLine::start() {
  stop();
  started_ = Clock::now();
  thread_ = std::jthread([this](const std::stop_token& stopped) { show(stopped); });
}

void ProgressLine::stop() {
  if (thread_.joinable()) {
    thread_.request_stop();
    thread_.join();
  }
  const std::lock_guard lock(mutex_);
  erase();
}

void ProgressLine::print(std::string_view text) {
  const std::lock_guard lock(mutex_);
  erase();
  setup_.printed << text << std::flush;
}

void ProgressLine::erase_at_once() noexcept {
  if (line_on_terminal) {
    [[maybe_unused]] const auto written = ::write(STDOUT_FILENO, kErase.data(), kErase.size());
  }
}

void ProgressLine::show(const std::stop_token& stopped) {
  std::unique_lock lock(mutex_);
  if (setup_.redrawn) {
    draw();
  }
  const auto never = [] { return false; };
  while (!changed_.wait_for(lock, stopped, setup_.interval, never) && !stopped.stop_requested()) {
    draw();
  }
}

void ProgressLine::draw() {
  const auto now = Clock::now();
  const auto until_end = std::chrono::duration_cast<milliseconds>(setup_.latest - now);
  const auto elapsed = std::chrono::duration_cast<milliseconds>(now - started_);
  const auto text = progress_text(setup_.progress(), elapsed, until_end);
  if (!setup_.redrawn) {
    setup_.lines << "contract_tests: " << text << std::endl;
    return;
  }
  // A character in the last column would put the cursor on the next line.
  auto line = fitted(text, std::max<std::size_t>(setup_.columns(), 2) - 1);
  if (line != shown_) {
    line_on_terminal = true;
    setup_.lines << kErase << line << std::flush;
    shown_ = std::move(line);
  }
}

void ProgressLine::erase() {
  if (!shown_.empty()) {
    setup_.lines << kErase << std::flush;
    shown_.clear();
    line_on_terminal = false;
  }
}

ProgressLine::Setup progress_on_console(std::function<run::Progress()> progress,
                                        ProgressLine::Clock::time_point latest) {
  const bool redrawn = can_erase();
  return {.printed = std::cout,
          .lines = redrawn ? std::cout : std::cerr,
          .redrawn = redrawn,
          .interval = redrawn ? milliseconds(200) : milliseconds(10'000),
          .progress = std::move(progress),
          .columns = &columns_of_terminal,
          .latest = latest};
}

namespace {

std::atomic<run::Runner*> running = nullptr;  // for the signal handler alone

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
    ProgressLine::erase_at_once();
    std::signal(signal, SIG_DFL);
    std::raise(signal);
  }
}

}  // namespace

InterruptHandler::InterruptHandler(run::Runner& runner) {
  running = &runner;
  std::signal(SIGINT, &on_signal);
  std::signal(SIGTERM, &on_signal);
}

InterruptHandler::~InterruptHandler() {
  running = nullptr;
}

}  // namespace contract_tests::program
