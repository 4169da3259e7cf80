#pragma once

// Progress of a run: on a terminal one line that is drawn again and again, elsewhere a line from
// time to time. All other output meanwhile goes through it, so that it never lands in the middle of
// that line. The cursor is never hidden.

#include "contract_tests/run/runner.hpp"
#include "spec/non_copyable.hpp"

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <functional>
#include <iosfwd>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>

namespace contract_tests::program {

// "312 of 897 cases, 2 failed, about 40 s left": the rest takes as long for each case as those
// before, but ends `until_end` from now. Without a time in the first second, and for no rest.
std::string progress_text(const run::Progress& progress, std::chrono::milliseconds elapsed,
                          std::chrono::milliseconds until_end);

// `text` without the parts at its end, from a comma on, that are beyond `columns`; cut where the
// first part is.
std::string fitted(std::string_view text, std::size_t columns);

class ProgressLine : spec::NonCopyable {
 public:
  using Clock = std::chrono::steady_clock;

  struct Setup {
    std::ostream& printed;  // for print()
    std::ostream& lines;    // for the progress; where `redrawn`, the same
    bool redrawn = false;   // one line of a terminal, not one after the other
    std::chrono::milliseconds interval{};
    std::function<run::Progress()> progress;
    std::function<std::size_t()> columns;                 // of the terminal, now
    Clock::time_point latest = Clock::time_point::max();  // when the run must end
  };

  explicit ProgressLine(Setup setup) : setup_(std::move(setup)) {}

  ~ProgressLine() { stop(); }

  // Begins to show the progress, with this as the start of the run; from the beginning if it was.
  void start();
  // Erases the line and shows no more.
  void stop();
  // Prints `text`, which ends with a line break, and shows the progress below it.
  void print(std::string_view text);

  // Erases a line on standard output before the program ends. Safe from a signal handler.
  static void erase_at_once() noexcept;

 private:
  void show(const std::stop_token& stopped);
  void draw();
  void erase();

  Setup setup_;
  Clock::time_point started_;
  std::mutex mutex_;
  std::condition_variable_any changed_;
  std::string shown_;  // the line on the terminal; "" for none
  std::jthread thread_;
};

// For standard output: where it is a terminal that can erase a line, one line there; else a line
// each ten seconds on standard error, so that a file or a pipe has failures and summary alone.
ProgressLine::Setup progress_on_console(std::function<run::Progress()> progress,
                                        ProgressLine::Clock::time_point latest);

// SIGINT and SIGTERM end a run in order: changes are undone first. A second signal ends the
// program.

// Signals interrupt `runner` until the end of this object. One at a time.
class InterruptHandler : spec::NonCopyable {
 public:
  explicit InterruptHandler(run::Runner& runner);
  ~InterruptHandler();
};

}  // namespace contract_tests::program
