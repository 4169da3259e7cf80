#include "contract_tests/parity/recorded_outcomes.hpp"

#include "contract_tests/client/exchange_text.hpp"
#include "contract_tests/parity/recorded_calls.hpp"
#include "contract_tests/plan/request_plan.hpp"
#include "contract_tests/run/curl_line.hpp"
#include "contract_tests/run/outcome.hpp"
#include "spec/text/ascii.hpp"
#include "spec/text/quote.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <exception>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace contract_tests::parity {

using client::Exchange;
using run::Outcome;
using run::Verdict;
using spec::contract::Operation;
using spec::har::Call;
using spec::http::Headers;

namespace {

constexpr int kUnauthorizedStatus = 401;
constexpr int kNotModifiedStatus = 304;
constexpr const char* kWrongToken = "not_a_token_of_the_mock";

// Fields of a request that would steer the mock, or are the recording client's own.
constexpr std::array<std::string_view, 5> kOfClient{"Host", "Accept-Encoding", "Cookie", "Prefer",
                                                    "Expect"};

bool is_of_client(std::string_view field) {
  return std::ranges::any_of(kOfClient, [field](std::string_view other) {
    return spec::text::equals_ignoring_case(field, other);
  });
}

// A field that tells the mock what to do.
bool is_of_mock(std::string_view field) {
  constexpr std::string_view kPrefix = "X-Counterpart-";
  return spec::text::equals_ignoring_case(field.substr(0, kPrefix.size()), kPrefix);
}

// Recorded credentials are another server's. Where the service rejected them, or there were none
// and it asked for some, the mock gets none that are good either.
void set_credentials(const run::Settings& settings, const Operation& operation, const Call& call,
                     spec::http::Request& request) {
  const bool had_some = request.headers.has("Authorization");
  const bool rejected = call.response && call.response->status == kUnauthorizedStatus;
  request.headers.remove("Authorization");
  if (!operation.is_secured() || (rejected && !had_some)) {
    return;
  }
  plan::RequestPlan plan;
  if (rejected) {
    plan.authorization = std::string("Bearer ") + kWrongToken;
  }
  if (const auto built = plan::build_request(operation, plan, settings.names, "")) {
    for (const auto& [name, value] : built.value().headers.lines()) {
      if (!spec::text::equals_ignoring_case(name, "Accept") &&
          !spec::text::equals_ignoring_case(name, "Content-Type")) {
        request.headers.set(name, value);
      }
    }
  }
}

spec::http::Request request_to_mock(const run::Settings& settings, const Operation& operation,
                                    const Call& call) {
  auto request = call.request;
  Headers kept;
  for (const auto& [name, value] : request.headers.lines()) {
    if (!is_of_recorded_transfer(name) && !is_of_client(name) && !is_of_mock(name)) {
      add_lines(kept, name, value);
    }
  }
  request.headers = std::move(kept);
  request.target = settings.url.prefix + request.target;
  set_credentials(settings, operation, call, request);
  return request;
}

}  // namespace

Outcomes validate_mock(const run::Settings& settings, const RecordedCalls& chosen) {
  ResponseValidation validation(settings);
  Outcomes outcomes;
  for (std::size_t index = 0; index < chosen.calls.size(); ++index) {
    const auto& call = chosen.calls[index];
    const auto& item = chosen.plan.cases[index];
    if (!call.has_request_body) {
      outcomes[index] = {.verdict = run::Verdict::kInconclusive,
                         .reason = "the body of the request is not in the file"};
    } else if (call.response && call.response->status == kNotModifiedStatus &&
               is_conditional(call.request.headers)) {
      outcomes[index] = {.reason = {"a conditional request, about what another server sent before",
                                    run::Reason::Kind::kNotAllowed}};
    } else {
      const auto& operation = *settings.contract.operation(item.operation);
      outcomes[index] = validation.validate(
          item, validation.sender().send_now(request_to_mock(settings, operation, call)), false);
    }
  }
  return outcomes;
}

namespace {

constexpr std::size_t kMaxNumbers = 3;  // of calls that a sentence names
constexpr std::size_t kMaxSteps = 5;    // of a case, beside those with findings

std::string id_of(const run::Case& item, const Call& call, const client::Secrets& secrets) {
  const auto& request = call.request;
  const auto text = secrets.redacted(request.method + ' ' + request.target + '\n' + request.body);
  return run::name_of(item.operation_name, "recorded request " + checks::stable_hash(text));
}

// "call 3 of the file", "calls 3, 7, 9 and 12 more of the file"
std::string sentence_of(const std::vector<std::size_t>& numbers) {
  std::string text;
  for (std::size_t at = 0; at < std::min(numbers.size(), kMaxNumbers); ++at) {
    spec::text::append_to_list(text, std::to_string(numbers[at]));
  }
  text = (numbers.size() == 1 ? "call " : "calls ") + text;
  if (numbers.size() > kMaxNumbers) {
    text += " and " + std::to_string(numbers.size() - kMaxNumbers) + " more";
  }
  return text + " of the file";
}

bool has(const Outcome& outcome, const checks::Finding& finding) {
  return find(outcome, finding.fingerprint) != nullptr;
}

// Adds what another call with the same request came to.
void join(Outcome& whole, Outcome more) {
  const bool adds = std::ranges::any_of(
      more.findings, [&whole](const checks::Finding& finding) { return !has(whole, finding); });
  if (adds || whole.steps.size() < kMaxSteps) {
    std::ranges::move(more.steps, std::back_inserter(whole.steps));
  }
  for (auto& finding : more.findings) {
    if (!has(whole, finding)) {
      whole.findings.push_back(std::move(finding));
    }
  }
  whole.time += more.time;
  // A skipped call says nothing about the calls that got a response.
  const bool was_skipped = whole.verdict == Verdict::kSkipped;
  if (more.verdict != Verdict::kSkipped && (was_skipped || whole.reason.empty())) {
    whole.reason = std::move(more.reason);
  }
  if (!was_skipped || more.verdict != Verdict::kSkipped) {
    whole.verdict = verdict_of(whole);
  }
}

}  // namespace

Cases by_request(const run::Settings& settings, RecordedCalls recorded, Outcomes outcomes) {
  Cases made;
  std::map<std::string, std::size_t> indices;
  std::vector<std::vector<std::size_t>> numbers;  // of the calls, by case
  for (auto& of_call : outcomes) {
    const std::size_t index = of_call.first;
    run::Outcome& outcome = of_call.second;
    auto& item = recorded.plan.cases[index];
    const auto& call = recorded.calls[index];
    item.id = id_of(item, call, settings.secrets);
    if (!call.response) {
      outcome.verdict = Verdict::kSkipped;  // a client that gave up says nothing about the service
    }
    for (auto& finding : outcome.findings) {
      finding.case_id = item.id;
    }
    const auto [found, is_new] = indices.try_emplace(item.id, made.plan.cases.size());
    const auto at = found->second;
    if (is_new) {
      made.plan.cases.push_back(std::move(item));
      made.outcomes.emplace(at, std::move(outcome));
      numbers.emplace_back();
    } else {
      join(made.outcomes[at], std::move(outcome));
    }
    numbers[at].push_back(call.index + 1);
  }
  for (std::size_t at = 0; at < numbers.size(); ++at) {
    note_states(settings, made.outcomes[at]);
    made.plan.cases[at].sentence = sentence_of(numbers[at]);
  }
  return made;
}

namespace {

run::Outcome without_response(const run::Settings& settings, const Call& call) {
  Exchange exchange;
  exchange.sent = call.request;
  exchange.url = call.url;
  const auto copy = client::redacted_request(settings.secrets, exchange);
  run::Outcome outcome{.verdict = run::Verdict::kInconclusive,
                       .reason = "no response was recorded"};
  outcome.reason.words += call.failure.empty() ? "" : ": " + spec::text::printable(call.failure);
  outcome.steps.push_back({.request = copy.sent.method + ' ' + copy.sent.target,
                           .curl = run::curl_line(settings.secrets, exchange),
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

ValidatedCalls validate_calls(const run::Settings& settings, const RecordedCalls& recorded) {
  ResponseValidation validation(settings);
  ValidatedCalls made;
  run::OutcomeTrimmer kept;
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

}  // namespace contract_tests::parity
