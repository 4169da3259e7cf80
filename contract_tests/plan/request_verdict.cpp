#include "contract_tests/plan/request_verdict.hpp"

#include "spec/json/pointer.hpp"

#include <algorithm>

namespace contract_tests::plan {

using spec::contract::Part;

namespace {

// Something for every ${name}.
Names stand_ins(const RequestPlan& request) {
  Names names;
  for (const auto& name : names_in(request)) {
    names.set(name, "x");
    names.set("unknown." + name, "x");
    names.set("number." + name, "1");
  }
  for (const auto* name : {"token", "other_token"}) {
    names.set(name, "x");
  }
  return names;
}

std::string first_token(const std::string& pointer) {
  const auto tokens = spec::json::split_pointer(pointer);
  return tokens && !tokens->empty() ? tokens->front() : std::string{};
}

// A value that the run puts there: a stand-in says nothing about it.
bool rests_on_name(const RequestPlan& request, const spec::contract::Violation& violation) {
  const auto parameter = first_token(violation.instance);
  if (violation.part == Part::kBody) {
    const auto* value =
        request.body ? spec::json::find(*request.body, violation.instance) : nullptr;
    return value != nullptr && value->is_string() && !names_in(*value).empty();
  }
  if (violation.part == Part::kPath) {
    return request.path.contains(parameter);
  }
  return violation.part == Part::kQuery &&
         std::ranges::any_of(request.query, [&parameter](const auto& pair) {
           return pair.first == parameter && pair.second.find("${") != std::string::npos;
         });
}

// Path values as the router reads them; names alone where a stand-in leads elsewhere.
std::vector<std::pair<std::string, std::string>> path_values(
    const spec::contract::Contract& contract, const spec::contract::Operation& operation,
    const RequestPlan& request, const spec::http::Request& built) {
  auto match = contract.route(operation.method, spec::http::path_of(built.target));
  if (match.operation == &operation) {
    return std::move(match.path_values);
  }
  std::vector<std::pair<std::string, std::string>> values;
  for (const auto& [name, value] : request.path) {
    values.emplace_back(name, "x");
  }
  return values;
}

RequestVerdict validate_with(const spec::contract::Contract& contract,
                             const spec::contract::Operation& operation, const RequestPlan& request,
                             const Names& names, bool stand_ins) {
  const auto built = build_request(operation, request, names, "");
  RequestVerdict request_verdict;
  if (!built) {
    request_verdict.is_built = false;
    return request_verdict;
  }
  const auto reading = spec::contract::validate_request(
      contract, operation, built.value(), path_values(contract, operation, request, built.value()));
  for (const auto& violation : reading.violations) {
    if (stand_ins && rests_on_name(request, violation)) {
      continue;
    }
    if (violation.undecided) {
      request_verdict.undecided = true;
    } else {
      request_verdict.violated.push_back(
          {violation.statement, violation.rule, violation.part, violation.instance});
    }
  }
  return request_verdict;
}

}  // namespace

RequestVerdict validate_request(const spec::contract::Contract& contract,
                                const spec::contract::Operation& operation,
                                const RequestPlan& request) {
  return validate_with(contract, operation, request, stand_ins(request), true);
}

RequestVerdict validate_request(const spec::contract::Contract& contract,
                                const spec::contract::Operation& operation,
                                const RequestPlan& request, const Names& names) {
  return validate_with(contract, operation, request, names, false);
}

}  // namespace contract_tests::plan
