// Failure texts, one data file for each kind: a case of the plan against a server with the
// responses in the file. With COUNTERPART_WRITE_GOLDEN set, prints the files.

#include "contract_tests/demands/planning.hpp"
#include "contract_tests/demands/written_cases.hpp"
#include "contract_tests/findings/finding_text.hpp"
#include "contract_tests/plan/list_rules.hpp"
#include "contract_tests/plan/subjects.hpp"
#include "contract_tests/run/runner.hpp"
#include "contract_tests/tests/support/scripted_server.hpp"
#include "contract_tests/tests/support/suite_tests.hpp"
#include "spec/contract/loading/load_contract.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <iostream>
#include <memory>

namespace contract_tests {
namespace {

using nlohmann::json;

plan::Rules rules_of(plan::DataFiles& files, const spec::contract::Contract& contract) {
  auto rules =
      plan::load_rules(files, support::source_dir() / "contract_tests/rules/payments.yaml");
  plan::add_inferred_lists(contract, rules);
  return rules;
}

struct Loaded {
  plan::DataFiles files{support::source_dir() / "contract_tests/rules/schemas"};
  spec::contract::Contract contract =
      spec::contract::load_contract(support::source_dir() / "spec/payments.openapi.yaml");
  plan::Rules rules = rules_of(files, contract);
  plan::RuleBook book =
      plan::load_rule_book(files, support::source_dir() / "contract_tests/rules/rule_book.yaml");
  run::Plan plan = demands::make_plan(
      {.contract = contract,
       .rules = rules,
       .book = book,
       .written = demands::load_cases(files, support::source_dir() / "contract_tests/cases",
                                      contract, rules, book)});
  checks::LeakMarks leaks =
      plan::load_leak_marks(files, support::source_dir() / "contract_tests/rules/leaks.yaml");
  plan::Names names = plan::load_subjects(files, support::source_dir() / "fixtures/subjects.yaml");
  client::Trust trust;
};

Loaded& loaded() {
  static const auto made = std::make_unique<Loaded>();
  return *made;
}

std::optional<std::size_t> index_of(const std::string& id) {
  const auto& cases = loaded().plan.cases;
  const auto found = std::ranges::find(cases, id, &run::Case::id);
  return found == cases.end() ? std::nullopt : std::optional<std::size_t>(found - cases.begin());
}

std::vector<support::Script> scripts_of(const json& data) {
  std::vector<support::Script> scripts;
  for (const auto& steps : data.at("responses")) {
    scripts.push_back({.steps = steps});
  }
  return scripts;
}

// `late`: the response must come too late; otherwise a busy machine must not look like a slow
// server.
run::Outcome outcome_of(std::size_t index, const support::ScriptedServer& server, bool late) {
  run::Settings settings{.contract = loaded().contract,
                         .rules = loaded().rules,
                         .book = loaded().book,
                         .trust = loaded().trust,
                         .url = client::parse_base_url(server.url()).value()};
  settings.names = loaded().names;
  settings.leaks = loaded().leaks;
  settings.names.set("token", "dodo_test_known_to_this_test");
  settings.names.set("other_token", "dodo_test_other_of_this_test");
  settings.secrets = {"dodo_test_known_to_this_test", "dodo_test_other_of_this_test"};
  settings.consent = {.writes = true, .lasting = true, .probes = true};
  settings.retries.tries = 1;
  settings.limits.connect = std::chrono::seconds(60);
  settings.limits.first_byte = late ? std::chrono::milliseconds(700) : std::chrono::seconds(60);
  settings.limits.whole = late ? std::chrono::milliseconds(1'500) : std::chrono::seconds(60);
  settings.limits.response.body_bytes = 1024U * 1024;
  run::Runner runner(settings, loaded().plan);
  runner.start({index}, 1);
  auto outcome = runner.wait(index);
  runner.finish();
  return outcome;
}

void replace_all(std::string& text, const std::string& what, const std::string& with) {
  for (auto at = text.find(what); at != std::string::npos; at = text.find(what, at)) {
    text.replace(at, what.size(), with);
    at += with.size();
  }
}

class Failure : public testing::Test {
 public:
  explicit Failure(json data) : data_(std::move(data)) {}

  void TestBody() override {
    const auto index = index_of(data_.at("case"));
    ASSERT_TRUE(index) << "the plan has no case " << data_.at("case");
    const support::ScriptedServer server(scripts_of(data_));

    const auto wanted = data_.value("text", "");
    const bool late = wanted.find(" http/deadline ") != std::string::npos;
    const auto outcome = outcome_of(*index, server, late);

    std::string text;
    for (const auto& finding : outcome.findings) {
      text += findings::failure_text(loaded().plan.cases[*index], finding);
    }
    text += outcome.reason.empty() ? "" : "inconclusive: " + outcome.reason.words + '\n';
    replace_all(text, ':' + std::to_string(server.port()), ":PORT");
    replace_all(text, support::source_dir().string() + '/', "");
    EXPECT_EQ(text, wanted);
    if (std::getenv("COUNTERPART_WRITE_GOLDEN") != nullptr) {
      std::cout << "GOLDEN " << json(text).dump() << '\n';
    }
  }

 private:
  json data_;
};

}  // namespace

void register_failure_tests(plan::DataFiles& files) {
  support::register_folder(files, "failures", [](const std::string& name, json data) {
    testing::RegisterTest("Failure", name.c_str(), nullptr, nullptr, __FILE__, __LINE__,
                          [data]() -> testing::Test* { return new Failure(data); });
  });
}

}  // namespace contract_tests
