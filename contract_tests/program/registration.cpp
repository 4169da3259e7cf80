#include "contract_tests/program/registration.hpp"

#include "contract_tests/report/failure_text.hpp"
#include "contract_tests/run/dry_run.hpp"

#include <gtest/gtest.h>

#include <charconv>
#include <iostream>
#include <map>
#include <set>
#include <string>

namespace contract_tests::program {

using run::Outcome;
using run::Verdict;

namespace {

// Where GoogleTest says that a failure is: the contract's line where the finding rests on one.
struct Place {
  std::string file;
  int line = 0;
};

Place place_of(const checks::Finding& finding) {
  const auto& text = finding.source.place;
  const auto colon = text.rfind(':', text.rfind(':') - 1);
  Place place{finding.rule, 0};
  if (colon != std::string::npos && colon > 0) {
    place.file = text.substr(0, colon);
    std::from_chars(text.data() + colon + 1, text.data() + text.size(), place.line);
  }
  return place;
}

class RegisteredCase : public testing::Test {
 public:
  RegisteredCase(const run::Case& item, std::size_t index, run::Runner& runner, bool listing)
      : item_(item), index_(index), runner_(runner), listing_(listing) {}

  void TestBody() override {
    const auto& outcome = runner_.wait(index_);
    RecordProperty("verdict", std::string(to_text(outcome.verdict)));
    RecordProperty("requests", static_cast<int>(outcome.steps.size()));
    RecordProperty("time_us", std::to_string(outcome.time.count()));
    for (const auto& finding : outcome.findings) {
      say(finding, outcome.verdict);
    }
    if (outcome.verdict == Verdict::kInconclusive || outcome.verdict == Verdict::kSkipped) {
      GTEST_SKIP() << to_text(outcome.verdict) << ": " << outcome.reason;
    }
  }

 private:
  void say(const checks::Finding& finding, Verdict verdict) const {
    const auto text = report::failure_text(item_, finding);
    if (finding.severity == checks::Severity::kError && verdict == Verdict::kFailed) {
      const auto place = place_of(finding);
      ADD_FAILURE_AT(place.file.c_str(), place.line) << text;
    } else if (listing_) {
      std::printf("%s", text.c_str());
    }
  }

  const run::Case& item_;
  std::size_t index_;
  run::Runner& runner_;
  bool listing_;
};

// What failed, in full, a finding of several cases once: the rest is in the summary.
class Failures : public testing::EmptyTestEventListener {
 public:
  void OnTestPartResult(const testing::TestPartResult& result) override {
    constexpr std::string_view kMark = "Failed\n";
    std::string_view text = result.message();
    text.remove_prefix(text.starts_with(kMark) ? kMark.size() : 0);
    // The last line is the finding's fingerprint.
    const auto last = text.rfind('\n', text.size() - 2);
    const auto id = last == std::string_view::npos ? text : text.substr(last);
    if (result.failed() && ids_.insert(std::string(id)).second) {
      std::cout << text << '\n' << std::flush;
    }
  }

 private:
  std::set<std::string> ids_;
};

void leave_listing_out() {
  auto& listeners = testing::UnitTest::GetInstance()->listeners();
  delete listeners.Release(listeners.default_result_printer());
}

class DryCase : public testing::Test {
 public:
  DryCase(const run::Case& item, const run::Settings& settings)
      : item_(item), settings_(settings) {}

  void TestBody() override { std::cout << run::dry_text(settings_, item_); }

 private:
  const run::Case& item_;
  const run::Settings& settings_;
};

// Starts the runner when GoogleTest has decided which tests it will run.
class Start : public testing::Environment {
 public:
  Start(const run::Plan& plan, run::Runner& runner, unsigned jobs, MayStart may_start)
      : plan_(plan), runner_(runner), jobs_(jobs), may_start_(std::move(may_start)) {}

  void SetUp() override {
    const auto selected = selected_cases(plan_);
    if (!may_start_(selected)) {
      GTEST_SKIP() << "no case ran";
    }
    runner_.start(selected, jobs_);
  }

 private:
  const run::Plan& plan_;
  run::Runner& runner_;
  unsigned jobs_;
  MayStart may_start_;
};

}  // namespace

std::vector<TestName> test_names(const run::Plan& plan) {
  std::set<std::string> taken;
  std::vector<TestName> names;
  for (const auto& item : plan.cases) {
    const TestName plain{run::slug(item.operation_name), run::slug(item.sentence)};
    auto name = plain;
    for (int number = 2; !taken.insert(name.suite + '.' + name.test).second; ++number) {
      name.test = plain.test + '_' + std::to_string(number);
    }
    names.push_back(std::move(name));
  }
  return names;
}

std::vector<std::size_t> selected_cases(const run::Plan& plan) {
  std::map<std::string, std::size_t> indices;
  const auto names = test_names(plan);
  for (std::size_t index = 0; index < names.size(); ++index) {
    indices[names[index].suite + '.' + names[index].test] = index;
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

void register_dry_cases(const run::Plan& plan, const run::Settings& settings) {
  const auto names = test_names(plan);
  for (std::size_t index = 0; index < plan.cases.size(); ++index) {
    const auto* item = &plan.cases[index];
    testing::RegisterTest(
        names[index].suite.c_str(), names[index].test.c_str(), nullptr, nullptr, __FILE__, __LINE__,
        [item, &settings]() -> testing::Test* { return new DryCase(*item, settings); });
  }
  leave_listing_out();
}

void register_cases(const run::Plan& plan, run::Runner& runner, const Registration& how) {
  const auto names = test_names(plan);
  for (std::size_t index = 0; index < plan.cases.size(); ++index) {
    const auto* item = &plan.cases[index];
    auto* shared = &runner;
    testing::RegisterTest(names[index].suite.c_str(), names[index].test.c_str(), nullptr, nullptr,
                          __FILE__, __LINE__,
                          [item, index, shared, listing = how.listing]() -> testing::Test* {
                            return new RegisteredCase(*item, index, *shared, listing);
                          });
  }
  testing::AddGlobalTestEnvironment(new Start(plan, runner, how.jobs, how.may_start));
  if (!how.listing) {
    leave_listing_out();
    testing::UnitTest::GetInstance()->listeners().Append(new Failures);
  }
}

}  // namespace contract_tests::program
