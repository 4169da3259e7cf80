#include "contract_tests/recorded/expectation.hpp"

#include "contract_tests/checks/response.hpp"
#include "contract_tests/recorded/exchange.hpp"
#include "contract_tests/run/status.hpp"
#include "spec/contract/checking/validate_message.hpp"
#include "spec/http/header_field.hpp"

#include <string_view>
#include <vector>

namespace contract_tests::recorded {

using spec::contract::Contract;
using spec::contract::Operation;
using spec::har::Call;

void expect(const Contract& contract, const Operation& operation, const Call& call,
            const std::vector<std::pair<std::string, std::string>>& path, run::Case& item) {
  item.expect.want = run::Want::kHandled;
  item.why.rule = "recorded/handled";
  item.why.source = checks::source_of(contract, operation.statement);
  auto reading = spec::contract::validate_request(contract, operation, call.request, path);
  std::erase_if(reading.violations, [](const spec::contract::Violation& violation) {
    return violation.part == spec::contract::Part::kHeader && violation.rule != "missing" &&
           spec::http::is_ignored_where_invalid(
               std::string_view(violation.instance).substr(violation.instance.empty() ? 0 : 1));
  });
  for (const auto& violation : reading.violations) {
    const bool of_lost_body =
        !call.has_request_body && (violation.part == spec::contract::Part::kBody ||
                                   violation.part == spec::contract::Part::kMediaType);
    if (violation.undecided || of_lost_body) {
      item.expect.want = run::Want::kAnything;
      return;
    }
  }
  if (!reading.violations.empty()) {
    const auto& violation = reading.violations.front();
    item.expect.want = run::Want::kRejected;
    item.why.rule = violation.part == spec::contract::Part::kBody ? "body/" : "parameter/";
    item.why.rule += violation.rule;
    item.why.source = checks::source_of(contract, violation.statement);
    item.expect.may_accept =
        item.why.source.statement_class == spec::contract::StatementClass::kAssumption;
    const auto message = violation.message.text();
    const std::string part(to_text(violation.part));
    item.changed =
        violation.part > spec::contract::Part::kBody
            ? checks::Change(part + ": " + message)
            : checks::Change(part, violation.instance.substr(violation.instance.empty() ? 0 : 1),
                             std::nullopt, message);
  }
}

namespace {

// Whether the contract, or HTTP, has this status for a request that is valid, beside successes.
bool is_declared(const Contract& contract, const Operation& operation, const Call& call) {
  constexpr int kConditionalStatus = 304;
  const int status = call.response->status;
  if (status == kConditionalStatus && is_conditional(call.request.headers)) {
    return true;
  }
  const auto* response = operation.response(status);
  return status / 100 == 3 ? response != nullptr && (response->status != 0 || response->range != 0)
                           : run::is_documented_failure(contract, operation, status);
}

}  // namespace

void expect_response(const Contract& contract, const Call& call, run::Case& item) {
  const auto& operation = *contract.operation(item.operation);
  const int status = call.response->status;
  const bool is_valid = item.expect.want == run::Want::kHandled;
  if (is_valid) {
    item.why.rule = "status/success";
    item.expect.want = run::Want::kAccepted;
  }
  if (status / 100 == 4 || (is_valid && is_declared(contract, operation, call))) {
    item.expect.want = run::Want::kStatus;
    item.expect.statuses = {status};
  }
}

}  // namespace contract_tests::recorded
