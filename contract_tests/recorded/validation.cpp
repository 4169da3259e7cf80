#include "contract_tests/recorded/validation.hpp"

#include "contract_tests/recorded/exchange.hpp"
#include "contract_tests/run/display/curl_line.hpp"
#include "contract_tests/run/display/redaction.hpp"
#include "contract_tests/run/kept.hpp"
#include "spec/text/quote.hpp"

#include <algorithm>
#include <exception>
#include <set>
#include <string>
#include <utility>

namespace contract_tests::recorded {

using client::Exchange;
using spec::har::Call;

namespace {

run::Outcome without_response(const run::Settings& settings, const Call& call) {
  Exchange exchange;
  exchange.sent = call.request;
  exchange.url = call.url;
  const auto copy = run::display::redacted_request(settings.secrets, exchange);
  run::Outcome outcome{.verdict = run::Verdict::kInconclusive,
                       .reason = "no response was recorded"};
  outcome.reason.words += call.failure.empty() ? "" : ": " + spec::text::printable(call.failure);
  outcome.steps.push_back({.request = copy.sent.method + ' ' + copy.sent.target,
                           .curl = run::display::curl_line(settings.secrets, exchange),
                           .response = "no response"});
  return outcome;
}

run::Outcome validated(ResponseValidation& validation, const run::Settings& settings,
                       const run::Case& item, const Call& call) {
  if (!call.response) {
    return without_response(settings, call);
  }
  try {
    return validation.validate(item, exchange_of(call), !call.has_response_body);
  } catch (const std::exception& error) {
    return {.verdict = run::Verdict::kInconclusive,
            .reason = std::string("error in the suite: ") + error.what()};
  }
}

}  // namespace

ResponseValidation::ResponseValidation(const run::Settings& settings)
    : context_(settings), sender_(settings, context_.pace) {}

run::Outcome ResponseValidation::validate(const run::Case& item, Exchange exchange,
                                          bool body_is_lost) {
  run::CaseRun case_run(context_, sender_, item);
  case_run.receive(item.request, item.expect, std::move(exchange));
  if (case_run.settings().after_case) {
    case_run.settings().after_case(case_run);
  }
  auto outcome = case_run.finish();
  if (body_is_lost) {
    std::erase_if(outcome.findings,
                  [](const checks::Finding& finding) { return finding.place.starts_with("body"); });
    outcome.reason = "the body of the response is not in the file";
    outcome.verdict = verdict_of(outcome);
  }
  return outcome;
}

Validated validate_calls(const run::Settings& settings, const RecordedCalls& recorded) {
  ResponseValidation validation(settings);
  Validated made;
  run::Kept kept;
  std::set<std::string> called;
  for (std::size_t index = 0; index < recorded.calls.size(); ++index) {
    const auto& item = recorded.plan.cases[index];
    called.insert(item.operation);
    auto outcome = validated(validation, settings, item, recorded.calls[index]);
    kept.trim(outcome);
    made.outcomes[index] = std::move(outcome);
  }
  made.coverage = validation.coverage().report(settings.contract);
  std::erase_if(made.coverage.operations,
                [&called](const auto& operation) { return !called.contains(operation.id); });
  return made;
}

}  // namespace contract_tests::recorded
