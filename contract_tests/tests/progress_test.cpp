// The progress of a run in words, and where it is printed.

#include "contract_tests/program/progress_line.hpp"
#include "contract_tests/tests/support/screen.hpp"
#include "spec/tests/rows.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <future>
#include <sstream>
#include <string>
#include <vector>

namespace contract_tests::program {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::seconds;
using testing::StartsWith;

struct TextCase {
  std::string name;
  run::Progress progress;
  milliseconds elapsed;
  milliseconds until_end;
  std::string said;
};

using ProgressText = spec::tests::RowTest;

TEST_P(ProgressText, says_how_far_the_run_is) {
  const TextCase& one = GetParam();

  EXPECT_EQ(progress_text(one.progress, one.elapsed, one.until_end), one.said);
}

const std::vector<TextCase> kTimesProgressText = {
    {"the_rest_takes_as_long_as_what_is_done",
     {897, 312, 2},
     seconds(21),
     hours(1),
     "312 of 897 cases, 2 failed, about 40 s left"},
    {"few_seconds_are_exact",
     {4, 2, 0},
     milliseconds(6'500),
     hours(1),
     "2 of 4 cases, 0 failed, about 7 s left"},
    {"long_times_are_minutes",
     {1'000, 100, 0},
     seconds(60),
     hours(1),
     "100 of 1000 cases, 0 failed, about 9 min left"},
    {"not_beyond_the_deadline",
     {1'000, 1, 0},
     seconds(60),
     seconds(30),
     "1 of 1000 cases, 0 failed, about 30 s left"},
    {"after_the_deadline",
     {1'000, 1, 0},
     seconds(60),
     seconds(-30),
     "1 of 1000 cases, 0 failed, about 0 s left"},
    {"too_early_to_tell", {897, 3, 0}, milliseconds(999), hours(1), "3 of 897 cases, 0 failed"},
    {"nothing_done", {897, 0, 0}, seconds(60), hours(1), "0 of 897 cases, 0 failed"},
    {"all_done", {1, 1, 1}, seconds(60), hours(1), "1 of 1 case, 1 failed"}};

INSTANTIATE_TEST_SUITE_P(Times, ProgressText,
                         testing::ValuesIn(spec::tests::rows(kTimesProgressText)),
                         spec::tests::kRowNames);

TEST(FittedProgress, loses_its_end_in_a_narrow_terminal) {
  const std::string text = "312 of 897 cases, 2 failed, about 40 s left";

  EXPECT_EQ(fitted(text, 43), text);
  EXPECT_EQ(fitted(text, 42), "312 of 897 cases, 2 failed");
  EXPECT_EQ(fitted(text, 25), "312 of 897 cases");
  EXPECT_EQ(fitted(text, 5), "312 o");
}

// A line whose progress is asked for `times` before told() is ready.
class Asked {
 public:
  explicit Asked(int times) : times_(times) {}

  run::Progress progress() {
    if (--times_ == 0) {
      told_.set_value();
    }
    return {.of = 1'000, .done = static_cast<std::size_t>(100 - std::max(times_, 0)), .failed = 1};
  }

  void wait() { told_.get_future().wait(); }

 private:
  int times_;
  std::promise<void> told_;
};

TEST(ProgressLine, is_a_line_each_interval_where_nothing_can_be_erased) {
  std::ostringstream printed;
  std::ostringstream lines;
  Asked asked(3);
  ProgressLine line(
      {.printed = printed, .lines = lines, .interval = milliseconds(1), .progress = [&asked] {
         return asked.progress();
       }});

  line.start();
  line.print("a failure\n");
  asked.wait();
  line.stop();

  EXPECT_EQ(printed.str(), "a failure\n");
  EXPECT_THAT(lines.str(), StartsWith("contract_tests: 98 of 1000 cases, 1 failed\n"
                                      "contract_tests: 99 of 1000 cases, 1 failed\n"
                                      "contract_tests: 100 of 1000 cases, 1 failed\n"));
}

TEST(ProgressLine, says_nothing_before_the_first_interval_is_over) {
  std::ostringstream lines;
  ProgressLine line({.printed = lines, .lines = lines, .interval = hours(1), .progress = [] {
                       return run::Progress{.of = 1};
                     }});

  line.start();
  line.stop();

  EXPECT_EQ(lines.str(), "");
}

TEST(ProgressLine, is_erased_before_something_else_is_printed_and_at_the_end) {
  std::ostringstream out;
  Asked asked(2);
  ProgressLine line({.printed = out,
                     .lines = out,
                     .redrawn = true,
                     .interval = milliseconds(1),
                     .progress = [&asked] { return asked.progress(); },
                     .columns = [] { return 18; }});

  line.start();
  asked.wait();
  line.print("a failure\n");
  line.stop();

  EXPECT_THAT(out.str(), StartsWith("\r\x1b[K99 of 1000 cases\r\x1b[K100 of 1000 cases\r\x1b[K"));
  EXPECT_EQ(support::screen(out.str()), "a failure\n");
}

}  // namespace
}  // namespace contract_tests::program
