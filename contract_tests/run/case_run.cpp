#include "contract_tests/run/case_run.hpp"

#include "contract_tests/checks/wire.hpp"
#include "contract_tests/client/exchange_text.hpp"
#include "contract_tests/run/curl_line.hpp"
#include "contract_tests/run/dry_run.hpp"
#include "contract_tests/run/status.hpp"
#include "spec/json/read.hpp"
#include "spec/text/ascii.hpp"
#include "spec/text/quote.hpp"

#include <algorithm>
#include <chrono>

namespace contract_tests::run {

using checks::RuleViolation;
using checks::RuleViolations;
using checks::Severity;
using client::Exchange;
using spec::contract::StatementClass;

namespace {

// Why a case stops at a status that is temporary.
std::string no_more_waiting(int status, const Pace& pace) {
  return named(status) + "; waiting for it would exceed --max-wait (" +
         std::to_string(std::chrono::ceil<std::chrono::seconds>(pace.max_wait()).count()) + " s)";
}

// True if a finding reports the violation already: a status that is wrong is undeclared too, and a
// header that is malformed by HTTP's own rules satisfies no schema.
bool is_reported(const RuleViolation& violation, const std::vector<checks::Finding>& findings) {
  const auto place =
      violation.place == "media type" ? std::string("header/Content-Type") : violation.place;
  const bool undeclared = violation.rule == "status/undeclared";
  const bool of_contract =
      undeclared || (place.starts_with("header/") &&
                     (violation.rule.starts_with("schema/") || violation.rule == "error/shape"));
  return of_contract && std::ranges::any_of(findings, [&](const checks::Finding& finding) {
           return spec::text::equals_ignoring_case(finding.place, place) &&
                  (undeclared ? finding.severity != Severity::kNote
                              : finding.rule.starts_with("http/"));
         });
}

// With the undocumented members, which `body` lacks.
nlohmann::json whole_body(const CaseResponse& sent) {
  auto whole = spec::json::read(sent.exchange.response.body);
  if (whole) {
    return std::move(whole.value());
  }
  return *sent.body;
}

}  // namespace

Severity severity_of(const plan::Rule* rule, const RuleViolation& violation,
                     const checks::Source& source, Target target) {
  if (target == Target::kMock && source.statement_class == StatementClass::kAssumption) {
    return Severity::kError;
  }
  if (violation.severity) {
    return *violation.severity;
  }
  if (rule != nullptr && rule->severity) {
    return *rule->severity;
  }
  return source.statement_class == StatementClass::kAssumption ? Severity::kWarning
                                                               : Severity::kError;
}

CaseRun::CaseRun(RunContext& context, Sender& sender, const Case& item)
    : context_(context),
      sender_(sender),
      item_(item),
      operation_(*context.settings.contract.operation(item.operation)),
      changing_(context.causes.changing(item.operation)) {}

void CaseRun::run() {
  if (item_.run) {
    item_.run(*this);
  } else {
    send();
  }
}

bool CaseRun::admitted(bool nothing_sent) {
  auto why = context_.pace.admit();
  if (why.empty()) {
    return true;
  }
  if (nothing_sent) {
    skip(why);
  } else {
    inconclusive(why);
  }
  return false;
}

spec::Result<spec::http::Request, std::string> CaseRun::built(
    const spec::contract::Operation& operation, const plan::RequestPlan& request) const {
  return plan::build_request(operation, request, names(), settings().url.prefix);
}

const CaseResponse* CaseRun::fetch(const spec::http::Request& request) {
  auto exchange = exchange_with_retries(request, {.want = Want::kAnything}, {});
  if (!exchange) {
    return nullptr;
  }
  auto& sent = sent_.emplace_back();
  sent.exchange = std::move(*exchange);
  note_step(sent);
  return &sent;
}

plan::RequestPlan CaseRun::completed(const spec::contract::Operation& operation,
                                     const plan::RequestPlan& request) const {
  const auto required = settings().required.find(operation.id);
  return required == settings().required.end() ? request : overlay(required->second, request);
}

const CaseResponse* CaseRun::fetch(const spec::contract::Operation& operation,
                                   const plan::RequestPlan& request) {
  const auto made = built(operation, completed(operation, request));
  return made ? fetch(made.value()) : nullptr;
}

const CaseResponse* CaseRun::fetch_reserved(const spec::contract::Operation& operation,
                                            const plan::RequestPlan& request) {
  auto& sent = sent_.emplace_back();
  sent.exchange = sender_.send_reserved(operation, completed(operation, request));
  return &sent;
}

bool CaseRun::is_undone(const std::string& key) {
  const bool pending = context_.undo.pending.contains(key);
  if (pending) {
    skip("an earlier change of this record is not undone yet");
  }
  return !pending;
}

bool CaseRun::note_undo(PendingUndo change) {
  const auto requests = change.requests();
  if (!context_.pace.reserve(requests)) {
    inconclusive(
        "too few requests are left to change a record and undo the change (--max-requests)");
    return false;
  }
  if (!context_.undo.note(std::move(change))) {
    context_.pace.release(requests);  // they are reserved for that record already
  }
  return true;
}

void CaseRun::undone(const std::string& key) {
  if (const auto undone = context_.undo.pending.extract(key)) {
    context_.pace.release(undone.mapped().requests());
  }
}

void CaseRun::rename(const std::string& name, std::string value) {
  if (!own_names_) {
    own_names_ = settings().names;
  }
  own_names_->set(name, std::move(value));
  renamed_.insert(name);
}

std::string CaseRun::path_of(const spec::contract::Operation& operation,
                             const plan::RequestPlan& request) const {
  const auto made = built(operation, request);
  return made ? std::string(spec::http::path_of(made.value().target)) : "";
}

std::string CaseRun::curl_of(const spec::contract::Operation& operation,
                             const plan::RequestPlan& request) const {
  return request_line(settings(), operation, completed(operation, request), names());
}

bool CaseRun::pause(int tried) {
  const auto& retries = settings().retries;
  return context_.pace.sleep(std::min(retries.first_wait * (1 << tried), retries.max_wait));
}

bool CaseRun::wait_after(const Exchange& exchange, int tried) {
  const auto& retries = settings().retries;
  const auto asked = wait_asked_for(exchange);
  if (!asked) {
    return pause(tried);
  }
  return *asked <= retries.max_wait && context_.pace.hold(*asked);
}

std::optional<Exchange> CaseRun::exchange_with_retries(const spec::http::Request& request,
                                                       const Expectation& expect,
                                                       const client::SendOptions& options) {
  std::optional<Exchange> exchange;
  const auto tries = settings().retries.tries;
  std::size_t gateway_errors = 0;  // to this request, so far
  for (int tried = 0; tried < tries && admitted(outcome_.steps.empty()); ++tried) {
    exchange = sender_.send_now(request, options);
    const int status = exchange->status();
    const bool asked_for = std::ranges::find(expect.statuses, status) != expect.statuses.end();
    if (exchange->has_response() && !expect.gateway) {
      context_.tally.note(operation_.name, status);
    }
    const bool gateway_error = !asked_for && is_transient(status) && status != 429;
    if (!gateway_error && gateway_errors != 0) {
      context_.tally.note_recovery(operation_.name, gateway_errors);
    }
    gateway_errors += gateway_error ? 1 : 0;
    const bool last = tried + 1 == tries;
    const bool passing = is_transient(status) || may_pass(expect, status);
    if (asked_for || !passing || last) {
      return exchange;
    }
    // A documented failure does not show load: the request is sent again at once.
    if (!wait_after(*exchange, tried) && is_transient(status)) {
      inconclusive(reason_of_status(status, no_more_waiting(status, context_.pace)));
      return exchange;
    }
    note_inconclusive(std::move(*exchange));
    exchange.reset();
  }
  return exchange;
}

// A documented failure says nothing about a request that should have another result, unless it
// happens every time, or to the plain request too.
bool CaseRun::may_pass(const Expectation& expect, int status) const {
  const bool validated = expect.want == Want::kHandled || expect.want == Want::kRejected;
  const auto plain = context_.causes.plain.find(operation_.id);
  return validated && is_documented_failure(settings().contract, operation_, status) &&
         !(plain && plain->status == status);
}

// A response that says nothing about the case must still be valid HTTP.
void CaseRun::note_inconclusive(Exchange exchange) {
  auto& sent = sent_.emplace_back();
  sent.exchange = std::move(exchange);
  note_step(sent);
  report(checks::check_http(sent.exchange), sent);
}

const CaseResponse& CaseRun::send(const plan::RequestPlan& request, const Expectation& expect,
                                  client::SendOptions options) {
  options.chunked = options.chunked || request.chunked;
  options.expect_continue = options.expect_continue || request.expect_continue;
  if (request.method == "HEAD") {
    options.listen_on = std::chrono::milliseconds(20);
  }
  auto& sent = sent_.emplace_back();
  sent.request = request;
  const auto made = built(operation_, needs_other_texts() ? with_other_texts(request) : request);
  if (!made) {
    inconclusive(no_subject(made.error()));
    return sent;
  }
  auto exchange = exchange_with_texts(request, made.value(), expect, options);
  if (!exchange) {
    return sent;
  }
  sent.exchange = std::move(*exchange);
  note_step(sent);
  validate(sent, request, expect);
  return sent;
}

const CaseResponse& CaseRun::receive(const plan::RequestPlan& request, const Expectation& expect,
                                     Exchange exchange) {
  auto& sent = sent_.emplace_back();
  sent.request = request;
  sent.exchange = std::move(exchange);
  note_step(sent);
  validate(sent, request, expect);
  return sent;
}

std::vector<const CaseResponse*> CaseRun::send_together(
    const std::vector<plan::RequestPlan>& requests, const Expectation& expect) {
  std::vector<spec::http::Request> ready;
  for (const auto& request : requests) {
    auto made = built(operation_, request);
    if (!made) {
      inconclusive(no_subject(made.error()));
      return {};
    }
    if (!admitted(outcome_.steps.empty() && ready.empty())) {
      break;
    }
    ready.push_back(std::move(made.value()));
  }
  std::vector<const CaseResponse*> together;
  for (auto& exchange : send_at_once(settings(), context_.pace, std::move(ready))) {
    auto& sent = sent_.emplace_back();
    sent.request = requests[together.size()];
    sent.exchange = std::move(exchange);
    context_.tally.note(operation_.name, sent.exchange.status());
    note_step(sent);
    validate(sent, sent.request, expect);
    together.push_back(&sent);
  }
  return together;
}

void CaseRun::note_step(CaseResponse& sent) {
  const auto& exchange = sent.exchange;
  const auto copy = client::redacted_request(settings().secrets, exchange);
  Step step;
  step.request = copy.sent.method + ' ' + copy.sent.target;
  step.curl = curl_line(settings().secrets, exchange);
  step.status = exchange.status();
  step.response = settings().secrets.redacted(client::response_line(exchange));
  step.time = exchange.timing.total;
  step.hash = checks::stable_hash(std::to_string(step.status) + '\n' + exchange.response.body);
  outcome_.time += step.time;
  outcome_.steps.push_back(std::move(step));
  sent.steps = outcome_.steps.size();
  context_.causes.note(exchange, item_.id);
}

void CaseRun::report(const RuleViolations& violations, const CaseResponse& sent) {
  for (const auto& violation : violations) {
    if (is_reported(violation, outcome_.findings)) {
      continue;
    }
    if (violation.rule == "status/undeclared" && settings().target == Target::kMock &&
        sent.exchange.status() / 100 == 4) {
      continue;  // it rejects by some status, and the contract gives it none
    }
    auto made = outline(violation, sent);
    if (settings().document_only && made.source.statement_class == StatementClass::kAssumption) {
      continue;
    }
    if (!is_off(made, violation, sent) &&
        kinds_.insert(key_of(made, checks::KeyScope::kViolation)).second) {
      fill_texts(made, violation, sent);
      outcome_.findings.push_back(std::move(made));
    }
  }
}

bool CaseRun::is_off(checks::Finding& made, const RuleViolation& violation,
                     const CaseResponse& sent) const {
  const auto weight =
      plan::weight_of(settings().severities, violation.rule, made.source, sent.exchange.status());
  if (weight) {
    made.severity = weight->severity;
  }
  return weight && weight->off;
}

void CaseRun::suspect(const RuleViolations& all, const CaseResponse& sent) {
  auto violations = all;
  std::erase_if(violations, [this](const auto& each) { return changing_.contains(each.place); });
  for (const auto& violation : violations) {
    if (violation.rule !=
        "paging/order") {  // data that changes by itself does not reorder the rest
      suspected_.insert(violation.rule);
    }
  }
  report(violations, sent);
}

void CaseRun::freeze_volatile() {
  volatile_fields_.emplace(settings().rules.of_operation(operation_.id));
}

void CaseRun::inconclusive(Reason reason) {
  if (outcome_.reason.empty()) {
    reason.words = spec::text::without_controls(reason.words);
    outcome_.reason = std::move(reason);
  }
}

void CaseRun::skip(Reason reason) {
  skipped_ = true;
  outcome_.reason = {};
  inconclusive(std::move(reason));
}

checks::Source CaseRun::source_of(const RuleViolation& violation, const plan::Rule* rule) const {
  checks::Source source;
  if (violation.source) {
    source = *violation.source;
  } else if (violation.rule == item_.basis.rule && !item_.basis.source.clause.empty()) {
    source = item_.basis.source;
  } else if (rule != nullptr) {
    source = rule->rests;
  }
  if (rule != nullptr && source.clause.empty()) {
    source.clause = rule->rests.clause;
  }
  if (!violation.clause.empty()) {
    source.clause = violation.clause;
  }
  return source;
}

checks::Finding CaseRun::outline(const RuleViolation& violation, const CaseResponse& sent) const {
  const auto* rule = find_rule(settings().book, violation.rule);
  checks::Finding made;
  made.rule = violation.rule;
  const auto redact = [this](const std::string& text) { return settings().secrets.redacted(text); };
  made.place = client::shown_place(violation.place, redact);
  if (!violation.kind_place.empty()) {
    made.kind_place = client::shown_place(violation.kind_place, redact);
  }
  made.source = source_of(violation, rule);
  made.severity = severity_of(rule, violation, made.source, settings().target);
  made.operation = operation_.name;
  made.case_id = item_.id;
  const auto shown = [&redact](const std::string& text) {
    return spec::text::without_controls(redact(text));
  };
  made.message = {shown(violation.must), shown(violation.is), shown(violation.property)};
  made.changed = item_.changed;
  made.changed.name = shown(made.changed.name);
  made.changed.words = shown(made.changed.words);
  if (auto& value = made.changed.value) {
    value = shown(*value);
  }
  made.status = sent.exchange.status();
  made.fingerprint = checks::fingerprint(made);
  return made;
}

void CaseRun::fill_texts(checks::Finding& made, const RuleViolation& violation,
                         const CaseResponse& sent) const {
  made.curl = requests_until(sent);
  made.response = settings().secrets.redacted(client::response_line(sent.exchange));
  const auto whole = sent.body ? std::optional(whole_body(sent)) : std::nullopt;
  const auto* body = whole ? &*whole : nullptr;
  made.excerpt = client::excerpt(
      sent.exchange, body, violation.place,
      [this](const std::string& text) { return settings().secrets.redacted(text); });
  made.shown = shown(sent);
}

std::shared_ptr<const Exchange> CaseRun::shown(const CaseResponse& sent) const {
  auto& known = shown_[&sent];
  if (known == nullptr && !sent.exchange.url.empty()) {
    known = std::make_shared<const Exchange>(
        client::redacted_exchange(settings().secrets, sent.exchange));
  }
  return known;
}

bool CaseRun::has_findings() const {
  return std::ranges::any_of(outcome_.findings, [](const checks::Finding& finding) {
    return finding.severity != Severity::kNote;
  });
}

Outcome CaseRun::make_inconclusive(std::string why) {
  outcome_.findings.clear();
  outcome_.reason = std::move(why);
  outcome_.verdict = Verdict::kInconclusive;
  return std::move(outcome_);
}

Outcome CaseRun::finish() {
  outcome_.verdict = verdict_of(outcome_);
  if (skipped_ && outcome_.verdict != Verdict::kFailed) {
    outcome_.verdict = Verdict::kSkipped;
  }
  return std::move(outcome_);
}

}  // namespace contract_tests::run
