#include "contract_tests/demands/planning/written.hpp"

#include "contract_tests/demands/requests/description.hpp"
#include "contract_tests/demands/together.hpp"
#include "contract_tests/plan/restoration.hpp"

#include <algorithm>

namespace contract_tests::demands::planning {

using nlohmann::json;
using run::Expectation;
using run::Needs;
using spec::document::Node;

namespace {

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

// How the case is carried out, where it is more than one request.
void take_way(const json& data, Case& item) {
  if (data.contains("together_with")) {
    ask_together(item, overlay(item.request, plan::request_from(data.at("together_with"))));
  } else if (data.contains("description_at")) {
    requests::ask_for_description(item, data.at("description_at").get<std::string>());
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
  take_way(data, item);
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
                             const spec::contract::Contract& contract, const plan::Rules& rules) {
  std::vector<Case> cases;
  std::vector<spec::Problem> problems;
  for (const auto& file : yaml_files(folder)) {
    for (const auto& node : files.read(file, "cases").find("cases").elements()) {
      const auto name = node.find("operation");
      const auto* operation = contract.operation(name.string());
      if (operation == nullptr) {
        problems.push_back(name.problem("the contract has no such operation"));
        continue;
      }
      const auto& demands = rules.of(operation->id);
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

}  // namespace contract_tests::demands::planning
