#include "contract_tests/program/registration.hpp"

#include "contract_tests/findings/causes.hpp"
#include "contract_tests/findings/finding_text.hpp"

#include <gtest/gtest.h>

#include <iostream>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <utility>

namespace contract_tests::program {

using run::Outcome;
using run::Verdict;

namespace {

// Prints the first causes in full, each once. The summary has a line for every cause.
class FailurePrinter {
 public:
  FailurePrinter(ProgressLine& progress, bool prints)
      : progress_(progress), in_full_(prints ? kInFull : 0) {}

  void print(const std::string& cause, const std::string& text) {
    if (causes_.size() < in_full_ && causes_.insert(cause).second) {
      progress_.print(text + '\n');
    }
  }

 private:
  static constexpr std::size_t kInFull = 5;

  ProgressLine& progress_;
  std::size_t in_full_;
  std::set<std::string> causes_;
};

class RegisteredCase : public testing::Test {
 public:
  // `failures` is null if GoogleTest prints its own listing.
  RegisteredCase(const run::Case& item, std::size_t index, run::Runner& runner,
                 FailurePrinter* failures)
      : item_(item), index_(index), runner_(runner), failures_(failures) {}

  void TestBody() override {
    const auto& outcome = runner_.wait(index_);
    RecordProperty("verdict", std::string(to_text(outcome.verdict)));
    RecordProperty("requests", static_cast<int>(outcome.steps.size()));
    RecordProperty("time_us", std::to_string(outcome.time.count()));
    for (const auto& finding : outcome.findings) {
      say(finding, outcome.verdict);
    }
    if (outcome.verdict == Verdict::kKnown) {
      GTEST_SKIP() << "known: the baseline has what this case found";
    }
    if (outcome.verdict == Verdict::kInconclusive || outcome.verdict == Verdict::kSkipped) {
      GTEST_SKIP() << to_text(outcome.verdict) << ": " << outcome.reason.words;
    }
  }

 private:
  void say(const checks::Finding& finding, Verdict verdict) const {
    const auto text = findings::failure_text(item_, finding);
    const bool fails =
        finding.severity >= runner_.fail_on() && finding.state != checks::FindingState::kKnown;
    if (fails && verdict == Verdict::kFailed) {
      // The place for GoogleTest: the contract's line, if the finding rests on one.
      const auto place = findings::stated_at_from(finding.source.place)
                             .value_or(findings::StatedAt{.file = finding.rule});
      // GoogleTest keeps the text of every failure, which only its listing prints.
      ADD_FAILURE_AT(place.file.c_str(), static_cast<int>(place.line))
          << (failures_ == nullptr ? text : finding.fingerprint);
      if (failures_ != nullptr) {
        failures_->print(key_of(finding, checks::KeyScope::kCause), text);
      }
    } else if (failures_ == nullptr) {
      std::printf("%s", text.c_str());
    }
  }

  const run::Case& item_;
  std::size_t index_;
  run::Runner& runner_;
  FailurePrinter* failures_;
};

void leave_listing_out() {
  auto& listeners = testing::UnitTest::GetInstance()->listeners();
  delete listeners.Release(listeners.default_result_printer());
}

class PrintedCase : public testing::Test {
 public:
  PrintedCase(const run::Case& item, const TextOfCase& text) : item_(item), text_(text) {}

  void TestBody() override { std::cout << text_(item_); }

 private:
  const run::Case& item_;
  const TextOfCase& text_;
};

// One GoogleTest test for each case, by the case's own name: "SUITE.TEST".
template <typename Make>
void register_each(const run::Plan& plan, const HasCase& has, const Make& make) {
  for (std::size_t index = 0; index < plan.cases.size(); ++index) {
    if (!has(plan.cases[index])) {
      continue;
    }
    const auto& name = plan.cases[index].id;
    const auto dot = name.find('.');
    testing::RegisterTest(name.substr(0, dot).c_str(), name.substr(dot + 1).c_str(), nullptr,
                          nullptr, __FILE__, __LINE__, make(index));
  }
}

// Starts the runner when GoogleTest has decided which tests it will run.
class RunnerStart : public testing::Environment {
 public:
  RunnerStart(const run::Plan& plan, run::Runner& runner, Registration how)
      : plan_(plan), runner_(runner), how_(std::move(how)) {}

  void SetUp() override {
    auto selected = selected_cases(plan_);
    if (how_.add) {
      selected = how_.add(selected);
    }
    if (!how_.may_start(selected)) {
      GTEST_SKIP() << "no case ran";
    }
    runner_.start(selected, how_.jobs);
    if (how_.progress != nullptr) {
      how_.progress->start();
    }
  }

 private:
  const run::Plan& plan_;
  run::Runner& runner_;
  Registration how_;
};

}  // namespace

std::vector<std::size_t> selected_cases(const run::Plan& plan) {
  std::map<std::string_view, std::size_t> indices;
  for (std::size_t index = 0; index < plan.cases.size(); ++index) {
    indices[plan.cases[index].id] = index;
  }
  std::vector<std::size_t> selected;
  const auto& all = *testing::UnitTest::GetInstance();
  for (int suite = 0; suite < all.total_test_suite_count(); ++suite) {
    const auto& tests = *all.GetTestSuite(suite);
    for (int test = 0; test < tests.total_test_count(); ++test) {
      const auto& info = *tests.GetTestInfo(test);
      const auto found = indices.find(std::string(tests.name()) + '.' + info.name());
      if (info.should_run() && found != indices.end()) {
        selected.push_back(found->second);
      }
    }
  }
  return selected;
}

void register_printed_cases(const run::Plan& plan, const HasCase& has, TextOfCase text) {
  const auto shared = std::make_shared<const TextOfCase>(std::move(text));
  register_each(plan, has, [&plan, &shared](std::size_t index) {
    return [item = &plan.cases[index], shared]() -> testing::Test* {
      return new PrintedCase(*item, *shared);
    };
  });
  leave_listing_out();
}

void register_cases(const run::Plan& plan, run::Runner& runner, const Registration& how) {
  const auto failures = how.progress == nullptr
                            ? nullptr
                            : std::make_shared<FailurePrinter>(*how.progress, how.failures);
  register_each(plan, how.has, [&](std::size_t index) {
    return [item = &plan.cases[index], index, shared = &runner, failures]() -> testing::Test* {
      return new RegisteredCase(*item, index, *shared, failures.get());
    };
  });
  testing::AddGlobalTestEnvironment(new RunnerStart(plan, runner, how));
  if (how.progress != nullptr) {
    leave_listing_out();
  }
}

}  // namespace contract_tests::program
