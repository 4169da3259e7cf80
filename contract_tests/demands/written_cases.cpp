#include "contract_tests/demands/written_cases.hpp"

#include "contract_tests/demands/drafting.hpp"
#include "contract_tests/demands/request_variants.hpp"
#include "contract_tests/plan/reversible_changes.hpp"
#include "contract_tests/plan/rule_names.hpp"
#include "spec/json/pointer.hpp"
#include "spec/json/read.hpp"
#include "spec/json/value.hpp"

#include <algorithm>
#include <array>
#include <string>

namespace contract_tests::demands {

using nlohmann::json;
using run::Expectation;
using run::Needs;
using spec::document::Node;
using spec::json::text_at;

// Compares the contract that a server serves with the one that it is tested against.

namespace {

checks::RuleViolation drift(std::string place, std::string must, std::string is) {
  return {"description/drift", "body" + std::move(place), std::move(must), std::move(is)};
}

// The first place below `part` where the two documents differ.
checks::RuleViolations differences(const json& own, const json& served, const std::string& part) {
  const auto* left = spec::json::find(own, part);
  const auto* right = spec::json::find(served, part);
  if (left == nullptr || (right != nullptr && spec::json::equal(*left, *right))) {
    return {};
  }
  if (right == nullptr) {
    return {drift(part, "must be present as in the contract", "is missing")};
  }
  const auto patch = json::diff(*left, *right);
  const auto place = patch.empty() ? "" : patch.front().value("path", "");
  return {drift(part + place, "must be the same as in the contract", "differs")};
}

void run_description(CaseRun& case_run, const std::string& path) {
  spec::http::Request request;
  request.method = "GET";
  request.target = case_run.settings().url.prefix + path;
  const auto* fetched = case_run.fetch(request);
  if (fetched == nullptr) {
    return;
  }
  const auto& sent = *fetched;
  const auto served = spec::json::read(sent.exchange.response.body);
  if (sent.exchange.status() != 200 || !served || text_at(served.value(), "/openapi").empty()) {
    case_run.skip("the server does not serve its contract at " + path);
    return;
  }
  const auto& contract = case_run.settings().contract;
  const std::string version(text_at(served.value(), "/info/version"));
  if (version != contract.version()) {
    case_run.report(
        {drift("/info/version", "must be " + std::string(contract.version()), "is " + version)},
        sent);
  }
  const bool same = text_at(served.value(), "/info/title") == contract.title();
  if (!same || case_run.settings().document_only) {
    return;
  }
  const auto own = contract.root().value();
  for (const auto* part : {"/paths", "/components"}) {
    case_run.report(differences(own, served.value(), part), sent);
  }
}

// Makes `item` read the served contract at `path`. The case is skipped when there is none. Versions
// must agree; where it is the same document (by its title), paths and components too.
void ask_for_description(Case& item, std::string path) {
  item.run = [path = std::move(path)](CaseRun& case_run) { run_description(case_run, path); };
}

Expectation expectation(const json& data) {
  Expectation expect;
  expect.want = run::want_from(data.value("want", "accepted"));
  expect.statuses = data.value("statuses", std::vector<int>{});
  expect.body = data.value("body", json::object());
  return expect;
}

void take_needs(const json& data, Needs& needs) {
  for (const auto& need : data.value("needs", json::array())) {
    needs.probes = needs.probes || need == "probes";
    needs.mock_only = needs.mock_only || need == "mock";
    needs.other_token = needs.other_token || need == "other_token";
  }
}

// Sets the function that runs a case of more than one request.
void take_run(const json& data, Case& item) {
  if (data.contains("together_with")) {
    ask_together(item, overlay(item.request, plan::request_from(data.at("together_with"))));
  } else if (data.contains("description_at")) {
    ask_for_description(item, data.at("description_at").get<std::string>());
  } else if (data.value("later", false)) {
    item.run = [](CaseRun& case_run) {
      case_run.send();
      case_run.pace().sleep(case_run.settings().later);
      case_run.send();
    };
  }
}

Case read_case(const Node& node, const Drafting& drafting) {
  const auto data = node.value();
  checks::Source source;
  source.clause = data.at("clause").get<std::string>();
  source.statement_class =
      spec::contract::statement_class_from(data.at("class").get<std::string>());
  auto item = drafting.draft(data.at("sentence").get<std::string>(),
                             data.at("rule").get<std::string>(), std::move(source));
  if (data.value("without_body", false)) {
    item.request.body.reset();
  }
  item.request = overlay(item.request, plan::request_from(data.value("request", json::object())));
  item.expect = expectation(data.value("expect", json::object()));
  item.changed = checks::change_from(data.value("changed", json("")));
  take_needs(data, item.needs);
  take_run(data, item);
  return item;
}

std::vector<std::filesystem::path> yaml_files(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> files;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
    if (entry.path().extension() == ".yaml") {
      files.push_back(entry.path());
    }
  }
  if (error) {
    throw spec::LoadError(spec::Problem{folder.string(), 0, 0, "", error.message()});
  }
  std::ranges::sort(files);
  return files;
}

}  // namespace

std::vector<Case> load_cases(plan::DataFiles& files, const std::filesystem::path& folder,
                             const spec::contract::Contract& contract, const plan::Rules& rules,
                             const plan::RuleBook& book) {
  std::vector<Case> cases;
  std::vector<spec::Problem> problems;
  for (const auto& file : yaml_files(folder)) {
    for (const auto& node : files.read(file, "cases").find("cases").elements()) {
      const auto name = node.find("operation");
      const auto* operation = contract.operation(name.string());
      if (operation == nullptr) {
        problems.push_back(name.problem(plan::no_operation(name.string(), contract)));
        continue;
      }
      if (const auto rule = node.find("rule"); plan::find_rule(book, rule.string()) == nullptr) {
        problems.push_back(rule.problem(plan::no_rule(rule.string(), book)));
        continue;
      }
      const auto& demands = rules.of_operation(operation->id);
      const Drafting drafting{.contract = contract,
                              .operation = *operation,
                              .rules = demands,
                              .plain = ruled_request(*operation, demands),
                              .writes = may_write(*operation, demands),
                              .lasting = lasting_of(contract, *operation, demands),
                              .cases = cases};
      drafting.add(read_case(node, drafting));
    }
  }
  if (!problems.empty()) {
    throw spec::LoadError(std::move(problems));
  }
  return cases;
}

}  // namespace contract_tests::demands
