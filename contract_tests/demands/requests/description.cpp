#include "contract_tests/demands/requests/description.hpp"

#include "spec/json/pointer.hpp"
#include "spec/json/read.hpp"
#include "spec/json/value.hpp"

#include <array>

namespace contract_tests::demands::requests {

using nlohmann::json;
using spec::json::text_at;

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

}  // namespace

void ask_for_description(Case& item, std::string path) {
  item.run = [path = std::move(path)](CaseRun& case_run) { run_description(case_run, path); };
}

}  // namespace contract_tests::demands::requests
