// Every description of spec/contract/corpus, served by the mock without fixtures and tested without
// rules and subjects: each operation has cases that pass, and the suite finds nothing at all.

#include "spec/contract/tests/corpus.hpp"

#include "contract_tests/findings/finding_text.hpp"
#include "contract_tests/program/run_setup.hpp"
#include "contract_tests/report/run_value.hpp"
#include "contract_tests/run/runner.hpp"
#include "spec/tests/paths.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <numeric>
#include <string>
#include <vector>

namespace contract_tests::program {
namespace {

using run::Verdict;
using spec::contract::Description;
using testing::IsEmpty;

class CorpusRun : public testing::TestWithParam<Description> {
 protected:
  CorpusRun() { ::setenv("COUNTERPART_MOCK_SERVER", test_paths::mock_server().c_str(), 1); }

  // Against the mock at `base_url`; "" for one of its own.
  void run(const std::string& base_url = "") {
    Options options;
    options.contract = GetParam().file;
    options.base_url = base_url;
    documents_ = load_documents(options);
    const client::Trust trust;
    const auto server = find_server(options, trust);
    const auto settings = make_settings(options, documents_, server, trust);
    run::Runner runner(settings, documents_.plan);
    std::vector<std::size_t> all(documents_.plan.cases.size());
    std::iota(all.begin(), all.end(), std::size_t{0});
    runner.start(all, 1);
    for (const auto index : all) {
      outcomes_[index] = runner.wait(index);
    }
    problems_ = runner.finish();
  }

  report::Exit exit() const {
    report::Run value{.plan = documents_.plan,
                      .outcomes = outcomes_,
                      .base_url = "",
                      .target = "double",
                      .contract = "",
                      .started = ""};
    value.not_put_back = problems_;
    return report::exit_of(value);
  }

  // Findings of any severity, as a user reads them, but for bodies that are not decoded; and
  // changes that were not undone.
  std::vector<std::string> findings() const {
    auto texts = findings(checks::Severity::kNote);
    for (const auto& left : problems_) {
      texts.push_back(left.what);
    }
    return texts;
  }

  // Findings of at least this severity.
  std::vector<std::string> findings(checks::Severity least) const {
    std::vector<std::string> texts;
    for (const auto& [index, outcome] : outcomes_) {
      for (const auto& finding : outcome.findings) {
        if (finding.severity >= least && finding.rule != "schema/undecided") {
          texts.push_back(findings::failure_text(documents_.plan.cases.at(index), finding));
        }
      }
    }
    return texts;
  }

  // Inconclusive and skipped cases, each with the reason.
  std::vector<std::string> not_covered() const {
    std::vector<std::string> lines;
    for (const auto& [index, outcome] : outcomes_) {
      if (outcome.verdict == Verdict::kInconclusive || outcome.verdict == Verdict::kSkipped) {
        const auto& item = documents_.plan.cases.at(index);
        // A mock without fixtures accepts one token, and keeps no records.
        const bool is_of_records =
            item.needs.own_record || item.needs.list || item.basis.rule == "record/not-found";
        if (!item.needs.other_token && !is_of_records) {
          lines.push_back(item.id + ": " + outcome.reason.words);
        }
      }
    }
    return lines;
  }

  // Passed cases of the operation that received a success.
  std::size_t passed(const std::string& operation) const {
    std::size_t count = 0;
    for (const auto& [index, outcome] : outcomes_) {
      const bool success = std::ranges::any_of(
          outcome.steps, [](const auto& step) { return step.status / 100 == 2; });
      if (documents_.plan.cases.at(index).operation == operation && success &&
          outcome.verdict == Verdict::kPassed) {
        ++count;
      }
    }
    return count;
  }

  Documents documents_;
  std::map<std::size_t, run::Outcome> outcomes_;
  std::vector<run::RemainingChange> problems_;
};

TEST_P(CorpusRun, finds_nothing_in_the_mock) {
  run();

  EXPECT_THAT(findings(), IsEmpty());
  EXPECT_THAT(not_covered(), IsEmpty());
  EXPECT_EQ(exit(), report::Exit::kPassed);
  for (const auto& operation : documents_.contract->operations()) {
    EXPECT_GE(passed(operation.id), 4U) << operation.name;
  }
}

// Started by hand, the mock accepts any token and keeps records, and its health says so.
TEST_P(CorpusRun, finds_nothing_in_a_mock_that_accepts_any_token_and_keeps_records) {
  auto mock_process =
      MockProcess::start(test_paths::mock_server(),
                         {"--port", "0", "--quiet", "--contract", GetParam().file.string()});
  ASSERT_TRUE(mock_process.has_value()) << mock_process.error();

  run(mock_process->url());

  EXPECT_THAT(findings(checks::Severity::kError), IsEmpty());
  for (const auto& [index, outcome] : outcomes_) {
    if (documents_.plan.cases.at(index).basis.rule == "auth/unknown") {
      EXPECT_THAT(outcome.reason.words, testing::HasSubstr("accepts any token"));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Descriptions, CorpusRun, testing::ValuesIn(spec::contract::corpus()),
                         spec::contract::name_of);

}  // namespace
}  // namespace contract_tests::program
