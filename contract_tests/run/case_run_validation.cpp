// Validation of one response: the wire, the status, the contract, the values that the case expects.

#include "contract_tests/checks/json_places.hpp"
#include "contract_tests/checks/leaks.hpp"
#include "contract_tests/checks/normal_form.hpp"
#include "contract_tests/checks/response_validation.hpp"
#include "contract_tests/checks/wire.hpp"
#include "contract_tests/run/case_run.hpp"
#include "contract_tests/run/curl_line.hpp"
#include "contract_tests/run/status.hpp"
#include "spec/contract/checking/validate_message.hpp"
#include "spec/json/pointer.hpp"
#include "spec/json/value.hpp"
#include "spec/text/ascii.hpp"
#include "spec/text/quote.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <utility>

namespace contract_tests::run {

using checks::instant_at;
using checks::RuleViolations;
using client::Ending;
using client::Exchange;
using nlohmann::json;
using spec::time::Instant;

namespace {

// A violation where the response contains a token of the run that the contract says nothing of.
RuleViolations check_tokens(const Settings& settings, const spec::contract::Operation& operation,
                            const Exchange& exchange) {
  const auto violation = [&exchange](std::string place, const std::string& how) {
    return RuleViolations{{exchange.sent.method == "TRACE" ? "http/trace" : "error/token-echo",
                           std::move(place), "must not contain the token of the request",
                           "contains it" + (how.empty() ? "" : ", " + how)}};
  };
  for (const auto& [name, value] : exchange.response.headers.lines()) {
    if (const auto how = settings.secrets.shown_in(value)) {
      return violation("header/" + name, *how);
    }
  }
  auto how = settings.secrets.shown_in(exchange.response.body);
  if (how) {
    how = settings.secrets.shown_in(checks::without_documented_secrets(
        settings.contract, operation, exchange, settings.secrets.words()));
  }
  return how ? violation("body", *how) : RuleViolations{};
}

// True if the request is about one version of a record, of which a plan knows none. Source: RFC
// 9110 §13.1.1, §13.1.4.
bool has_condition(const plan::RequestPlan& request) {
  return std::ranges::any_of(request.headers, [](const auto& header) {
    return spec::text::equals_ignoring_case(header.first, "If-Match") ||
           spec::text::equals_ignoring_case(header.first, "If-Unmodified-Since");
  });
}

// A name that looks like a documented one is no misspelling where the plain response has the
// documented one too, and may be what it is where no plain response can be got.
void validate_names(CaseRun& case_run, const plan::RequestPlan& request,
                    const checks::ResponseReading& reading, const CaseResponse& sent) {
  const auto& plain = case_run.settings().rules.of_operation(case_run.operation().id).request;
  const bool reads =
      case_run.operation().method == "GET" ||
      case_run.settings().rules.of_operation(case_run.operation().id).update.has_value();
  std::set<std::string> shown;
  const bool may_ask = case_run.settings().sends && plain && reads && request != *plain;
  if (!reading.misspelt.empty() && may_ask) {
    const auto& other = case_run.send(*plain, {.want = Want::kAccepted});
    shown = other.accepted && other.body
                ? checks::documented_places(case_run.settings().contract, case_run.operation(),
                                            other.exchange, *other.body)
                : shown;
  }
  for (const auto& found : reading.misspelt) {
    const bool is_other = !case_run.settings().sends || shown.contains(found.documented);
    if (found.of_same_letters || !is_other) {
      case_run.report({found.violation}, sent);
    }
  }
}

}  // namespace

std::set<std::string> differing_places(const CaseResponse& one, const CaseResponse& other) {
  std::set<std::string> places;
  if (one.normal && other.normal) {
    places = checks::differing_places(checks::without_order(*one.normal),
                                      checks::without_order(*other.normal));
  }
  const auto type = [](const CaseResponse& sent) {
    return sent.exchange.response.headers.find("Content-Type");
  };
  if (type(one) != type(other)) {
    places.insert("header/Content-Type");
  }
  return places;
}

// Why there is no response to validate, when the server is not the reason; else "".
std::string CaseRun::why_inconclusive(const Exchange& exchange) const {
  if (exchange.ending == Ending::kNoConnection || exchange.ending == Ending::kUntrusted) {
    return exchange.failure;
  }
  const bool late =
      exchange.ending == Ending::kDeadline && context_.pace.latest() <= Pace::Clock::now();
  // A reused connection had been closed, and no other may be opened.
  const bool closed = exchange.ending == Ending::kNothing && exchange.reused_connection;
  return late || closed ? context_.pace.closed() : "";
}

void CaseRun::validate(CaseResponse& sent, const plan::RequestPlan& request,
                       const Expectation& expect) {
  const bool was_validating = std::exchange(is_validating_, true);
  validate_response(sent, request, expect);
  is_validating_ = was_validating;
}

void CaseRun::validate_response(CaseResponse& sent, const plan::RequestPlan& request,
                                const Expectation& expect) {
  const auto& exchange = sent.exchange;
  if (auto why = why_inconclusive(exchange); !why.empty()) {
    inconclusive(why);
    return;
  }
  if (is_overdue()) {
    return;
  }
  validate_wire(sent);
  if (!exchange.has_response()) {
    return;
  }
  const bool own_method =
      request.method.empty() || request.method == operation_.method || request.method == "HEAD";
  auto body = own_method ? checks::read_json_body(exchange) : checks::JsonBody{};
  if (is_overdue()) {
    return;
  }
  if (own_method) {
    note_coverage(exchange, request, body);
  }
  const bool is_wanted =
      expect.want == Want::kHandled ||
      std::ranges::find(expect.statuses, exchange.status()) != expect.statuses.end();
  if ((!is_wanted && is_gone(exchange)) || !validate_status(sent, request, expect)) {
    return;
  }
  if (own_method && !(expect.gateway && exchange.status() / 100 == 4)) {
    validate_contract(sent, request, expect, std::move(body));
  }
  if (volatile_fields_ && sent.normal) {
    volatile_fields_->freeze(*sent.normal);
  }
  if (sent.normal) {
    checks::drop_places(*sent.normal, changing_);
  }
  if (sent.accepted) {
    validate_values(sent, expect);
  }
}

bool CaseRun::is_gone(const Exchange& exchange) {
  const bool ruled = settings().rules.of_operation(operation_.id).request.has_value();
  auto cause = context_.causes.removed_by(exchange, item_.id, ruled);
  if (cause.empty()) {
    return false;
  }
  inconclusive({"its record is gone (" + std::to_string(exchange.status()) + ") since " + cause,
                Reason::Kind::kOther, cause});
  return true;
}

// The rules for any response.
void CaseRun::validate_wire(const CaseResponse& sent) {
  const auto& exchange = sent.exchange;
  report(checks::check_http(exchange), sent);
  report(checks::check_challenge(operation_, exchange), sent);
  report(checks::check_leaks(settings().leaks, exchange), sent);
  report(check_tokens(settings(), operation_, exchange), sent);
}

bool CaseRun::is_overdue() {
  if (!context_.pace.is_overdue()) {
    return false;
  }
  inconclusive(context_.pace.closed());
  return true;
}

// False when the status leaves nothing to be validated.
bool CaseRun::validate_status(CaseResponse& sent, const plan::RequestPlan& request,
                              const Expectation& expect) {
  const int code = sent.exchange.status();
  if (names_made_up_values(request, expect, code)) {
    inconclusive(std::to_string(code) +
                 " for a generated identifier or body; name one that exists with --subjects");
    return sent.exchange.is_complete() && !sent.exchange.coding_error;
  }
  if (depends_on_state(expect, code)) {
    inconclusive(named(code) +
                 ", which the contract declares: the request has no parameters, so that depends on "
                 "the state of the service");
    return sent.exchange.is_complete() && !sent.exchange.coding_error;
  }
  const auto status = check_status(settings().contract, operation_, expect, item_.basis, code);
  if (expect.want == Want::kRejected || expect.want == Want::kUnauthorized) {
    context_.tally.note_invalid(operation_.name, code / 100 == 2);
  }
  report(status.violations, sent);
  if (!status.cannot_test.empty()) {
    skip(status.cannot_test);
    return false;
  }
  if (!status.inconclusive.empty()) {
    inconclusive(reason_of_status(code, status.inconclusive));
    return false;
  }
  sent.conclusive = sent.exchange.is_complete();
  sent.accepted = sent.conclusive && !sent.exchange.coding_error && status.accepted;
  return sent.conclusive && !sent.exchange.coding_error;
}

// The values in the path of the sent request, decoded.
std::map<std::string, std::string> CaseRun::path_values(const plan::RequestPlan& request) const {
  std::map<std::string, std::string> path;
  for (const auto& [name, value] : request.path) {
    const auto filled = plan::fill(std::string_view(value), names());
    path[name] = filled ? filled.value() : "";
  }
  return path;
}

// Media type, headers, body, names and the rules of the operation.
void CaseRun::validate_contract(CaseResponse& sent, const plan::RequestPlan& request,
                                const Expectation& expect, checks::JsonBody body) {
  if (is_overdue()) {
    return;
  }
  const auto path = path_values(request);
  auto reading =
      checks::check_response({settings().contract, operation_, sent.exchange,
                              settings().rules.of_operation(operation_.id).response, path},
                             std::move(body));
  if (expect.want == Want::kUnauthorized && reading.body && sent.exchange.status() / 100 == 4) {
    report(checks::check_rejection(settings().contract, operation_, *reading.body), sent);
  }
  // Undocumented members may change: only the documented ones are compared.
  sent.body = reading.known ? std::move(reading.known) : std::move(reading.body);
  sent.normal = reading.normal ? std::move(reading.normal) : sent.body;
  if (is_overdue()) {
    return;
  }
  report(checks::check_leaks(settings().leaks, reading.unknown_texts), sent);
  validate_names(*this, request, reading, sent);
  report(reading.violations, sent);
  if (!reading.undecided.empty()) {
    inconclusive(reading.undecided);
  }
}

// A service may reject an identifier or a body that was generated from the contract.
bool CaseRun::names_made_up_values(const plan::RequestPlan& request, const Expectation& expect,
                                   int status) const {
  static constexpr std::array<int, 6> kUnknown{400, 403, 404, 409, 410, 422};
  if (settings().target != Target::kService || expect.want != Want::kAccepted) {
    return false;
  }
  if (status == 412 && has_condition(request)) {
    return true;
  }
  if (std::ranges::find(kUnknown, status) == kUnknown.end()) {
    return false;
  }
  const auto needed = plan::names_in(request);
  const bool refers = item_.refers && is_declared(status);
  return item_.made_up || refers || std::ranges::any_of(needed, [this](const auto& name) {
           return settings().made_up.contains(name) && !renamed_.contains(name);
         });
}

// By its number or range; `default` does not say which.
bool CaseRun::is_declared(int status) const {
  const auto* response = operation_.response(status);
  return response != nullptr && (response->status == status || response->range == status / 100);
}

// A declared error of an operation to which every request is alike: the right one at another time.
// A request that only reads changes nothing, so the plain request gets the same there.
bool CaseRun::depends_on_state(const Expectation& expect, int status) const {
  const bool is_alike = item_.is_plain || !spec::http::is_safe_method(operation_.method) ||
                        context_.causes.plain.find(item_.operation).has_value();
  return settings().target == Target::kService && expect.want == Want::kAccepted &&
         status / 100 == 4 && status != 401 && status != 403 && operation_.parameters.empty() &&
         !operation_.body && is_declared(status) && is_alike;
}

void CaseRun::note_coverage(const Exchange& exchange, const plan::RequestPlan& request,
                            const checks::JsonBody& body) {
  const auto path = path_values(request);
  const auto reading = spec::contract::validate_request(settings().contract, operation_,
                                                        exchange.sent, {path.begin(), path.end()});
  context_.coverage.note(settings().contract, operation_, exchange.sent, reading);
  context_.coverage.note(settings().contract, operation_, exchange.response,
                         body.value ? &*body.value : nullptr);
}

// Validates single places of the body that the case expects.
void CaseRun::validate_values(const CaseResponse& sent, const Expectation& expect) {
  for (const auto& [pointer, raw] : expect.body.items()) {
    const auto wanted = plan::fill(raw, names());
    const auto* got = sent.body ? spec::json::find(*sent.body, pointer) : nullptr;
    if (!wanted || (got != nullptr && spec::json::equal(*got, wanted.value()))) {
      continue;
    }
    report({{item_.basis.rule,
             "body" + pointer,
             "must be " + checks::shown(wanted.value()),
             "is " + (got == nullptr ? "missing" : checks::shown(*got)),
             {},
             item_.basis.source}},
           sent);
  }
}

// The requests that show the violation again: the request of the response, if it shows it by itself
// and nothing was changed for it, or is of another case; else all requests until then.
std::string CaseRun::requests_until(const CaseResponse& sent) const {
  const auto is_safe = [](const CaseResponse& one) {
    return spec::http::is_safe_method(one.exchange.sent.method);
  };
  const bool alone = is_validating_ && (!is_safe(sent) || std::ranges::all_of(sent_, is_safe));
  auto curl = curl_line(settings().secrets, sent.exchange);
  if (alone || sent.steps == 0 || curl.empty()) {
    return curl;
  }
  std::string all;
  for (const auto& step : std::span(outcome_.steps).first(sent.steps)) {
    spec::text::append_to_list(all, step.curl, "; ");
  }
  return all;
}

namespace {

// The time of the newest item; nothing if there is none.
std::optional<Instant> newest_time(const json& body, const plan::VolatileRules& rules) {
  std::optional<Instant> newest;
  const auto* items = spec::json::find(body, rules.items);
  if (items != nullptr && items->is_array()) {
    for (const auto& item : *items) {
      newest = std::max(newest, instant_at(item, rules.newest));
    }
  }
  return newest;
}

}  // namespace

VolatileFields::VolatileFields(const plan::OperationRules& rules) {
  if (rules.volatile_fields) {
    places_ = rules.volatile_fields->at;
    items_ = rules.volatile_fields->items;
    newest_ = rules.volatile_fields->newest;
  } else if (rules.update) {
    places_.assign(rules.update->volatile_fields.begin(), rules.update->volatile_fields.end());
  }
}

void VolatileFields::freeze(json& body) {
  if (newest_.empty()) {
    if (seen_.is_null()) {
      seen_ = body;
    }
    copy_places(seen_, body);
  } else if (auto* items = spec::json::find(body, items_); items != nullptr && items->is_array()) {
    freeze_newest(*items);
  }
}

void VolatileFields::freeze_newest(json& items) {
  const auto newest = std::ranges::max_element(items, [this](const json& left, const json& right) {
    return instant_at(left, newest_) < instant_at(right, newest_);
  });
  if (newest == items.end() || !instant_at(*newest, newest_)) {
    return;
  }
  const auto seen = instant_at(seen_, newest_);
  const auto now = instant_at(*newest, newest_);
  if (!seen || *seen < *now) {
    seen_ = *newest;
  } else if (*seen == *now) {
    copy_places(seen_, *newest);
  }
}

void VolatileFields::copy_places(const json& from, json& to) const {
  for (const auto& place : places_) {
    checks::each_place(from, place, [&to](const checks::Place& at, const json& value) {
      if (auto* target = spec::json::find(to, at.text())) {
        *target = value;
      }
    });
  }
}

bool has_changed_by_itself(const plan::OperationRules& rules, json before, json after) {
  VolatileFields volatile_fields(rules);
  volatile_fields.freeze(before);
  const auto as_it_came = after;
  volatile_fields.freeze(after);
  return after != as_it_came;
}

bool is_newer(const plan::OperationRules& rules, const json& left, const json& right) {
  return rules.volatile_fields &&
         newest_time(left, *rules.volatile_fields) > newest_time(right, *rules.volatile_fields);
}

}  // namespace contract_tests::run
