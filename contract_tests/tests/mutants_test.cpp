// The suite against servers with one fault each, which it must catch by exactly the findings that
// the tables expect, and against unusual but correct ones, on which it must find nothing. One row
// of mutants/*.yaml or conforming/*.yaml is one test.
//
//   contract_mutants_tests [--jobs N] [--outcomes FOLDER] [--differences FILE] [gtest flags]
//     runs the rows, or those of its shard; a file of FOLDER gets the data of the summary, FILE
//     every row with other findings than its table expects, with all findings
//   contract_mutants_tests --replay N [gtest flags]
//     replays the errors of the first N mutants of each table, on the mutant and on the mock
//   contract_mutants_tests --parity N [gtest flags]
//     compares the mock with the servers of the first N rows of each table; with COUNTERPART_PARITY
//     set, of every row
//   contract_mutants_tests --summary FOLDER
//     sums the outcomes of all shards, prints the rates, checks the gate: of rows, and of rules

#include "contract_tests/plan/rule_book.hpp"
#include "contract_tests/tests/faulty_server/mutant_runner.hpp"
#include "contract_tests/tests/faulty_server/summary.hpp"
#include "spec/tests/paths.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <string_view>
#include <thread>

namespace contract_tests::faulty_server {
namespace {

// Shared by the tests of one process.
struct Shared {
  std::vector<MutantCase> cases = load_mutant_cases();
  unsigned jobs = std::max(std::thread::hardware_concurrency(), 1U);
  std::size_t replays = 0;   // rows of each table that are replayed; 0: rows are tried as they are
  std::size_t parities = 0;  // rows of each table that are compared with the mock
  std::filesystem::path outcomes_file;
  std::ofstream differences;
  std::unique_ptr<MutantRunner> runner;
  Outcomes outcomes;
};

const char* suite_of(const MutantCase& item) {
  return item.conforming ? "Conforming" : "Mutants";
}

std::string joined(const std::vector<std::string>& lines) {
  constexpr std::size_t kMaxBytes = 6'000;
  std::string text;
  for (const auto& line : lines) {
    text += "  " + line + '\n';
  }
  return text.substr(0, kMaxBytes);
}

// Every finding that counts, each once, in the notation of a table.
std::string found(const std::vector<checks::Finding>& findings) {
  std::set<std::string> texts;
  for (const auto& finding : findings) {
    if (finding.severity != checks::Severity::kNote) {
      texts.insert("  found: " +
                   to_text({finding.rule,
                            std::string(spec::contract::to_text(finding.source.statement_class)),
                            finding.place}) +
                   '\n');
    }
  }
  std::string all;
  for (const auto& text : texts) {
    all += text;
  }
  return all;
}

class MutantTest : public testing::Test {
 public:
  MutantTest(Shared& shared, const MutantCase& item) : shared_(shared), item_(item) {}

  void TestBody() override {
    const auto& result = shared_.runner->wait(item_);
    std::printf("%zu requests, %zu responses changed, %lld us\n", result.requests, result.applied,
                static_cast<long long>(result.time.count()));
    const auto differences = compare(item_, result.findings);
    shared_.outcomes[item_.name] = is_right(item_, result.findings);
    if (!differences.empty()) {
      shared_.differences << item_.place << ": " << item_.sentence << '\n'
                          << joined(differences) << found(result.findings) << std::flush;
    }

    EXPECT_TRUE(differences.empty()) << item_.place << ": " << item_.sentence << '\n'
                                     << joined(differences);
    EXPECT_EQ(result.curl_difference, "") << item_.place << ": " << item_.sentence;
    EXPECT_GT(result.applied, 0U) << item_.place << ": its behaviours are about no response";
  }

 private:
  Shared& shared_;
  const MutantCase& item_;
};

// True if the row is an error of every run.
bool is_error(const MutantCase& item) {
  return item.is_steady() && !item.notes && item.statement_class() != "assumption";
}

class ReplayTest : public testing::Test {
 public:
  ReplayTest(Shared& shared, const MutantCase& item) : shared_(shared), item_(item) {}

  void TestBody() override {
    const auto replays = shared_.runner->replay(item_);

    EXPECT_FALSE(replays.on_mutant.empty()) << item_.place << ": nothing failed";
    check(replays.on_mutant, report::ReplayState::kStillFailing);
    check(replays.on_mock, report::ReplayState::kFixed);
  }

 private:
  // A finding about the responses of all cases needs all of them to be decided.
  void check(std::vector<report::ReplayedFinding> replayed, report::ReplayState state) const {
    std::erase_if(replayed, [state](const report::ReplayedFinding& one) {
      return one.state == state || one.needs_all_cases;
    });
    EXPECT_TRUE(replayed.empty()) << item_.place << ": " << item_.sentence << "\nmust be "
                                  << to_text(state) << ":\n"
                                  << report::replay_text(replayed);
  }

  Shared& shared_;
  const MutantCase& item_;
};

bool is_of_service(const parity::Row& row) {
  return row.verdict == parity::RowVerdict::kServiceViolates ||
         row.verdict == parity::RowVerdict::kContractIsSilent;
}

class ParityTest : public testing::Test {
 public:
  ParityTest(Shared& shared, const MutantCase& item) : shared_(shared), item_(item) {}

  void TestBody() override {
    const auto parity = shared_.runner->compare_with_mock(item_);
    const auto& rows = parity.compared.rows;

    EXPECT_TRUE(!item_.conforming || std::ranges::find(rows, parity::RowVerdict::kServiceViolates,
                                                       &parity::Row::verdict) == rows.end())
        << item_.place << ": a violation on a conforming variant\n"
        << text_of(rows);
    EXPECT_TRUE(item_.conforming || has_row(rows, item_.expected.front().rule))
        << item_.place << ": " << item_.sentence << ": no row of the mutant\n"
        << text_of(rows);
    for (const auto& finding : parity.findings) {
      EXPECT_TRUE(finding.severity == checks::Severity::kNote || has_row(rows, finding.rule))
          << item_.place << ": no row for " << finding.rule << ' ' << finding.place;
    }
  }

 private:
  static bool has_row(const std::vector<parity::Row>& rows, const std::string& rule) {
    return std::ranges::any_of(
        rows, [&rule](const parity::Row& row) { return row.rule == rule && is_of_service(row); });
  }

  static std::string text_of(const std::vector<parity::Row>& rows) {
    std::string text;
    for (const auto& row : rows) {
      text += std::string(to_text(row.verdict)) + ": " + row.operation + ' ' + row.rule + ' ' +
              row.place + ": " + row.service + '\n';
    }
    return text;
  }

  Shared& shared_;
  const MutantCase& item_;
};

// The first rows of each table; every row where the environment asks for them.
std::set<const MutantCase*> compared_rows(const Shared& shared) {
  const bool all = std::getenv("COUNTERPART_PARITY") != nullptr;
  std::map<std::string, std::size_t> counts;
  std::set<const MutantCase*> rows;
  for (const auto& item : shared.cases) {
    const auto table = item.place.substr(0, item.place.find(':'));
    if (all || ((item.conforming || is_error(item)) && counts[table] < shared.parities)) {
      ++counts[table];
      rows.insert(&item);
    }
  }
  return rows;
}

// The first rows of each table.
std::set<const MutantCase*> replayed_rows(const Shared& shared) {
  std::map<std::string, std::size_t> counts;
  std::set<const MutantCase*> rows;
  for (const auto& item : shared.cases) {
    const auto table = item.place.substr(0, item.place.find(':'));
    if (!item.conforming && is_error(item) && counts[table] < shared.replays) {
      ++counts[table];
      rows.insert(&item);
    }
  }
  return rows;
}

// Starts the runner when GoogleTest has decided which tests it will run; writes at the end.
class Session : public testing::Environment {
 public:
  explicit Session(Shared& shared) : shared_(shared) {}

  void SetUp() override {
    shared_.runner = std::make_unique<MutantRunner>();
    if (shared_.replays == 0 && shared_.parities == 0) {
      shared_.runner->start(selected(), shared_.jobs);
    }
  }

  void TearDown() override {
    shared_.runner.reset();
    if (!shared_.outcomes_file.empty()) {
      write_outcomes(shared_.outcomes, shared_.outcomes_file);
    }
  }

 private:
  std::vector<const MutantCase*> selected() const {
    std::set<std::string> names;
    const auto& all = *testing::UnitTest::GetInstance();
    for (int suite = 0; suite < all.total_test_suite_count(); ++suite) {
      const auto& tests = *all.GetTestSuite(suite);
      for (int test = 0; test < tests.total_test_count(); ++test) {
        if (tests.GetTestInfo(test)->should_run()) {
          names.insert(tests.GetTestInfo(test)->name());
        }
      }
    }
    std::vector<const MutantCase*> cases;
    for (const auto& item : shared_.cases) {
      if (names.contains(item.name)) {
        cases.push_back(&item);
      }
    }
    return cases;
  }

  Shared& shared_;
};

int sum(const Shared& shared, const std::filesystem::path& folder) {
  const auto outcomes = read_outcomes(folder);
  std::fputs(summary(shared.cases, outcomes).c_str(), stdout);
  auto problems = below_gate(shared.cases, outcomes);
  const auto rules = std::filesystem::path(test_paths::source()) / "contract_tests/rules";
  plan::DataFiles files(rules / "schemas");
  const auto book = plan::load_rule_book(files, rules / "rule_book.yaml");
  std::ranges::move(rules_below_gate(shared.cases, book, load_reasons()),
                    std::back_inserter(problems));
  for (const auto& problem : problems) {
    std::printf("below the gate: %s\n", problem.c_str());
  }
  return problems.empty() ? 0 : 1;
}

int run(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  Shared shared;
  for (int at = 1; at + 1 < argc; at += 2) {
    const std::string_view flag = argv[at];
    if (flag == "--summary") {
      return sum(shared, argv[at + 1]);
    }
    if (flag == "--outcomes") {
      std::filesystem::create_directories(argv[at + 1]);
      const char* const shard = std::getenv("GTEST_SHARD_INDEX");
      shared.outcomes_file =
          std::filesystem::path(argv[at + 1]) / (std::string(shard ? shard : "0") + ".json");
      std::filesystem::remove(shared.outcomes_file);
    } else if (flag == "--differences") {
      shared.differences.open(argv[at + 1]);
    } else if (flag == "--replay") {
      shared.replays = static_cast<std::size_t>(std::atoi(argv[at + 1]));
    } else if (flag == "--parity") {
      shared.parities = static_cast<std::size_t>(std::atoi(argv[at + 1]));
    } else if (flag == "--jobs") {
      shared.jobs = static_cast<unsigned>(std::atoi(argv[at + 1]));
    }
  }
  const auto replayed = replayed_rows(shared);
  const auto compared = compared_rows(shared);
  for (const auto& item : shared.cases) {
    if (shared.parities > 0) {
      if (compared.contains(&item)) {
        testing::RegisterTest(
            "Parity", item.name.c_str(), nullptr, nullptr, __FILE__, __LINE__,
            [&shared, &item]() -> testing::Test* { return new ParityTest(shared, item); });
      }
      continue;
    }
    if (shared.replays > 0) {
      if (replayed.contains(&item)) {
        testing::RegisterTest(
            "Replay", item.name.c_str(), nullptr, nullptr, __FILE__, __LINE__,
            [&shared, &item]() -> testing::Test* { return new ReplayTest(shared, item); });
      }
      continue;
    }
    testing::RegisterTest(
        suite_of(item), item.name.c_str(), nullptr, nullptr, __FILE__, __LINE__,
        [&shared, &item]() -> testing::Test* { return new MutantTest(shared, item); });
  }
  testing::AddGlobalTestEnvironment(new Session(shared));
  return RUN_ALL_TESTS();
}

}  // namespace
}  // namespace contract_tests::faulty_server

int main(int argc, char** argv) {
  try {
    return contract_tests::faulty_server::run(argc, argv);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
  }
}
