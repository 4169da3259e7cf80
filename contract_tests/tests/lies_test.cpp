// The suite against servers that tell one lie at a time, and against honest ones that vary: each
// lie must be caught by a finding of the expected rule and class, each variation must give no error
// and no warning. One file a lie (lies/*.yaml) or variation (variations/*.yaml).

#include "contract_tests/plan/plan.hpp"
#include "contract_tests/plan/subjects.hpp"
#include "contract_tests/program/assets.hpp"
#include "contract_tests/program/double_process.hpp"
#include "contract_tests/run/runner.hpp"
#include "contract_tests/tests/liar/liar.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <memory>

namespace contract_tests {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

// What every test shares: one double, one plan.
struct World {
  plan::DataFiles files{fs::path(COUNTERPART_SOURCE_DIR) / "contract_tests/rules/schemas"};
  spec::contract::Contract contract;
  plan::Rules rules;
  plan::RuleBook book;
  plan::Plan plan;
  client::Trust trust;
  program::DoubleProcess double_process;
  plan::Names names;
};

std::unique_ptr<World> make_world() {
  const fs::path root(COUNTERPART_SOURCE_DIR);
  plan::DataFiles files(root / "contract_tests/rules/schemas");
  auto contract = spec::contract::load_contract(root / "spec/payments.openapi.yaml");
  auto rules = plan::load_rules(files, root / "contract_tests/rules/payments.yaml");
  auto book = plan::load_rule_book(files, root / "contract_tests/rules/rule_book.yaml");
  auto plan = plan::make_plan(
      {.contract = contract,
       .rules = rules,
       .book = book,
       .written = plan::load_cases(files, root / "contract_tests/cases", contract, rules)});
  auto started = program::DoubleProcess::start(COUNTERPART_MOCK_SERVER, {"--port", "0", "--quiet"});
  if (!started) {
    std::fprintf(stderr, "%s\n", started.error().c_str());
    std::exit(2);
  }
  auto names = plan::load_subjects(files, root / "fixtures/subjects.yaml");
  names.set("token", "dodo_test_counterpart");
  names.set("other_token", "dodo_test_other_business");
  return std::make_unique<World>(World{std::move(files), std::move(contract), std::move(rules),
                                       std::move(book), std::move(plan), client::Trust(),
                                       std::move(started.value()), std::move(names)});
}

World& world() {
  static const auto made = make_world();
  return *made;
}

std::vector<liar::Behaviour> behaviours_of(const json& data) {
  std::vector<liar::Behaviour> behaviours;
  for (const auto& part : data.at("behaviours")) {
    behaviours.push_back({part.value("when", json::object()), part.value("request", json::array()),
                          part.value("answer", json::array())});
  }
  return behaviours;
}

// Cases of the operations that the file names; those of one procedure or rule alone where it says
// so would not show what other cases make of the lie, so all of an operation's run.
std::vector<std::size_t> cases_for(const json& data) {
  const auto operations = data.at("operations");
  std::vector<std::size_t> selected;
  for (std::size_t index = 0; index < world().plan.cases.size(); ++index) {
    if (std::ranges::find(operations, json(world().plan.cases[index].operation)) !=
        operations.end()) {
      selected.push_back(index);
    }
  }
  return selected;
}

std::vector<checks::Finding> findings_against(const json& data) {
  const auto honest = client::parse_base_url(world().double_process.url());
  const liar::Liar liar(honest.value(), behaviours_of(data));
  run::Settings settings{.contract = world().contract,
                         .rules = world().rules,
                         .book = world().book,
                         .trust = world().trust,
                         .url = liar.url()};
  settings.names = world().names;
  settings.consent = {.writes = true, .probes = true};
  settings.patience = {.tries = 2,
                       .first_wait = std::chrono::milliseconds(1),
                       .longest_wait = std::chrono::milliseconds(2)};
  settings.limits.first_byte = std::chrono::milliseconds(3'000);
  settings.limits.whole = std::chrono::milliseconds(5'000);
  settings.limits.expect = std::chrono::milliseconds(300);
  run::Runner runner(settings, world().plan);
  const auto selected = cases_for(data);
  runner.start(selected, 2);
  std::vector<checks::Finding> findings;
  for (const auto index : selected) {
    const auto& outcome = runner.wait(index);
    findings.insert(findings.end(), outcome.findings.begin(), outcome.findings.end());
  }
  runner.finish();
  return findings;
}

struct Rates {
  std::map<std::string, std::pair<int, int>> caught;  // by class: caught, told
  int false_alarms = 0;
  int variations = 0;
};

Rates rates;

std::string listed(const std::vector<checks::Finding>& findings) {
  std::string text;
  for (const auto& finding : findings) {
    text += "  " + std::string(to_text(finding.severity)) + ' ' + finding.rule + " (" +
            std::string(spec::contract::to_text(finding.source.statement_class)) + ") " +
            finding.case_id + ' ' + finding.place + ": " + finding.message + '\n';
  }
  return text.substr(0, 6000);
}

class Lie : public testing::Test {
 public:
  explicit Lie(json data) : data_(std::move(data)) {}

  void TestBody() override {
    const auto findings = findings_against(data_);
    const auto& expect = data_.at("expect");
    const bool caught = std::ranges::any_of(findings, [&expect](const checks::Finding& finding) {
      return finding.rule == expect.at("rule") && finding.severity != checks::Severity::kNote &&
             spec::contract::to_text(finding.source.statement_class) == expect.at("class");
    });
    auto& rate = rates.caught[expect.at("class").get<std::string>()];
    ++rate.second;
    rate.first += caught ? 1 : 0;
    EXPECT_TRUE(caught) << data_.at("lie").get<std::string>() << "\nwas not caught by "
                        << expect.dump() << " but gave\n"
                        << listed(findings);
  }

 private:
  json data_;
};

class Variation : public testing::Test {
 public:
  explicit Variation(json data) : data_(std::move(data)) {}

  void TestBody() override {
    auto findings = findings_against(data_);
    std::erase_if(findings, [](const checks::Finding& finding) {
      return finding.severity == checks::Severity::kNote;
    });
    ++rates.variations;
    rates.false_alarms += findings.empty() ? 0 : 1;
    EXPECT_TRUE(findings.empty()) << data_.at("variation").get<std::string>() << "\n"
                                  << listed(findings);
  }

 private:
  json data_;
};

// Prints the rates when all tests have run.
class PrintRates : public testing::Environment {
 public:
  void TearDown() override {
    for (const auto& [name, rate] : rates.caught) {
      std::printf("lies caught, class %s: %d of %d\n", name.c_str(), rate.first, rate.second);
    }
    std::printf("false alarms: %d in %d honest variations\n", rates.false_alarms, rates.variations);
  }
};

template <typename Test>
void register_folder(plan::DataFiles& files, const std::string& folder, const std::string& suite) {
  const fs::path root = fs::path(COUNTERPART_SOURCE_DIR) / "contract_tests/tests" / folder;
  std::vector<fs::path> paths;
  for (const auto& entry : fs::directory_iterator(root)) {
    paths.push_back(entry.path());
  }
  std::ranges::sort(paths);
  for (const auto& path : paths) {
    const auto data = files.read(path, "lies").value();
    testing::RegisterTest(suite.c_str(), plan::slug(path.stem().string()).c_str(), nullptr, nullptr,
                          __FILE__, __LINE__,
                          [data]() -> testing::Test* { return new Test(data); });
  }
}

}  // namespace
}  // namespace contract_tests

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  contract_tests::plan::DataFiles files(std::filesystem::path(COUNTERPART_SOURCE_DIR) /
                                        "contract_tests/rules/schemas");
  contract_tests::register_folder<contract_tests::Lie>(files, "lies", "Lies");
  contract_tests::register_folder<contract_tests::Variation>(files, "variations", "Variations");
  testing::AddGlobalTestEnvironment(new contract_tests::PrintRates);
  return RUN_ALL_TESTS();
}
