#include "contract_tests/run/shrinking.hpp"

#include "contract_tests/plan/request_verdict.hpp"
#include "spec/json/number.hpp"

#include <algorithm>

namespace contract_tests::run {

using nlohmann::json;
using plan::RequestPlan;

namespace {

// Values simpler than `value`, by one step.
std::vector<json> simpler_values(const json& value) {
  std::vector<json> simpler;
  if (!plan::names_in(value).empty()) {
    return simpler;  // the run's own
  }
  if (value.is_string() && value.get_ref<const std::string&>().size() > 1) {
    const auto& text = value.get_ref<const std::string&>();
    const bool ascii = std::ranges::all_of(text, [](char letter) { return letter > 0; });
    if (ascii) {
      simpler.emplace_back(text.substr(0, text.size() / 2));
    }
    simpler.emplace_back("a");
  } else if (const auto whole = spec::json::to_int64(value); whole && *whole != 0) {
    simpler.emplace_back(0);
    simpler.emplace_back(*whole / 2);
  } else if (value.is_structured() && !value.empty()) {
    simpler.push_back(value.is_array() ? json::array() : json::object());
  }
  return simpler;
}

std::vector<RequestPlan> smaller_bodies(const RequestPlan& request) {
  std::vector<RequestPlan> all;
  if (!request.body || !request.body->is_object()) {
    return all;
  }
  const auto with = [&](json body) {
    all.push_back(request);
    all.back().body = std::move(body);
  };
  for (const auto& [name, value] : request.body->items()) {
    auto less = *request.body;
    less.erase(name);
    with(std::move(less));
  }
  for (const auto& [name, value] : request.body->items()) {
    for (auto& simpler : simpler_values(value)) {
      auto body = *request.body;
      body[name] = std::move(simpler);
      with(std::move(body));
    }
  }
  return all;
}

std::vector<RequestPlan> smaller_requests(const RequestPlan& request) {
  auto all = smaller_bodies(request);
  for (std::size_t at = 0; at < request.query.size(); ++at) {
    all.push_back(request);
    all.back().query.erase(all.back().query.begin() + static_cast<std::ptrdiff_t>(at));
  }
  for (std::size_t at = 0; at < request.headers.size(); ++at) {
    all.push_back(request);
    all.back().headers.erase(all.back().headers.begin() + static_cast<std::ptrdiff_t>(at));
  }
  for (std::size_t at = 0; at < request.query.size(); ++at) {
    const auto& value = request.query[at].second;
    if (value.size() > 1 && value.find("${") == std::string::npos) {
      all.push_back(request);
      all.back().query[at].second = value.substr(0, value.size() / 2);
    }
  }
  return all;
}

}  // namespace

std::vector<Case> smaller(const spec::contract::Contract& contract, const Case& item) {
  const auto& operation = *contract.operation(item.operation);
  const auto request_verdict = plan::validate_request(contract, operation, item.request);
  std::vector<Case> cases;
  for (auto& request : smaller_requests(item.request)) {
    if (request == item.request ||
        !(plan::validate_request(contract, operation, request) == request_verdict)) {
      continue;
    }
    cases.push_back(item);
    cases.back().request = std::move(request);
    cases.back().changed.reduced = true;
  }
  return cases;
}

bool fails_the_same_way(const Outcome& before, const Outcome& after) {
  const auto first =
      std::ranges::find(before.findings, checks::Severity::kError, &checks::Finding::severity);
  return before.verdict == Verdict::kFailed && after.verdict == Verdict::kFailed &&
         first != before.findings.end() && find(after, first->fingerprint) != nullptr;
}

}  // namespace contract_tests::run
