#include "contract_tests/run/trial.hpp"

#include "contract_tests/checks/answer.hpp"
#include "contract_tests/checks/leaks.hpp"
#include "contract_tests/checks/places.hpp"
#include "contract_tests/checks/wire.hpp"
#include "contract_tests/run/describe.hpp"
#include "contract_tests/run/masking.hpp"
#include "contract_tests/run/status.hpp"
#include "spec/json/pointer.hpp"
#include "spec/json/read.hpp"
#include "spec/json/value.hpp"

#include <algorithm>
#include <array>
#include <chrono>

namespace contract_tests::run {

using checks::Complaint;
using checks::Complaints;
using checks::Severity;
using client::Ending;
using client::Exchange;
using plan::Expectation;
using spec::contract::StatementClass;

namespace {

// Why a case ends at a status that might pass.
std::string no_more_waiting(int status, const Pace& pace) {
  return std::to_string(status) + ' ' + std::string(spec::http::reason_phrase(status)) +
         ", and waiting for it would take longer than the run may wait (--max-wait " +
         std::to_string(std::chrono::ceil<std::chrono::seconds>(pace.patience()).count()) + ')';
}

// With the members that nobody documented, which `body` is without.
nlohmann::json whole_body(const Sent& sent) {
  auto whole = spec::json::read(sent.exchange.response.body);
  return whole ? std::move(whole.value()) : *sent.body;
}

// That the answer shows a token of the run, and where.
Complaints check_tokens(const Settings& settings, const Exchange& exchange) {
  const auto said = [&exchange](std::string place, const std::string& how) {
    return Complaints{
        {exchange.sent.method == "TRACE" ? "http/trace" : "error/token-echo", std::move(place),
         "must not show the token of the request but does" + (how.empty() ? "" : ", " + how)}};
  };
  for (const auto& [name, value] : exchange.response.headers.lines()) {
    if (const auto how = shown_secret(settings, value)) {
      return said("header/" + name, *how);
    }
  }
  const auto how = shown_secret(settings, exchange.response.body);
  return how ? said("body", *how) : Complaints{};
}

// A name that looks like a documented one is another word where the plain answer has the documented
// one too.
void judge_names(Trial& trial, const plan::RequestPlan& request,
                 const checks::AnswerReading& reading, const Sent& sent) {
  const auto& plain = trial.settings().rules.of(trial.operation().id).request;
  const bool reads = trial.operation().method == "GET" ||
                     !trial.settings().rules.of(trial.operation().id).update.is_null();
  std::set<std::string> shown;
  if (!reading.misspelt.empty() && plain && reads && request != *plain) {
    const auto& other = trial.send(*plain, {.want = plan::Want::kAccepted});
    shown = other.accepted && other.body
                ? checks::documented_places(trial.settings().contract, trial.operation(),
                                            other.exchange, *other.body)
                : shown;
  }
  for (const auto& found : reading.misspelt) {
    if (found.of_same_letters || !shown.contains(found.documented)) {
      trial.complain({found.complaint}, sent);
    }
  }
}

}  // namespace

Severity severity_of(const plan::Rule* rule, const Complaint& complaint,
                     const checks::Source& source, Target target) {
  if (target == Target::kDouble && source.statement_class == StatementClass::kAssumption) {
    return Severity::kError;
  }
  if (complaint.severity) {
    return *complaint.severity;
  }
  if (rule != nullptr && rule->severity) {
    return *rule->severity;
  }
  return source.statement_class == StatementClass::kAssumption ? Severity::kWarning
                                                               : Severity::kError;
}

Trial::Trial(const Bench& bench, client::Client& client, const plan::Case& item)
    : bench_(bench),
      client_(client),
      item_(item),
      operation_(*bench.settings.contract.operation(item.operation)) {}

bool Trial::admitted(bool nothing_sent) {
  auto why = bench_.pace.admit();
  if (why.empty()) {
    return true;
  }
  if (nothing_sent) {
    not_run(std::move(why));
  } else {
    undecided(std::move(why));
  }
  return false;
}

client::SendOptions Trial::bounded(client::SendOptions options) const {
  options.latest = bench_.pace.latest();
  options.may_repeat = [this] { return bench_.pace.admit().empty(); };
  return options;
}

const Sent* Trial::fetch(const spec::http::Request& request) {
  auto exchange = exchange_patiently(request, {.want = plan::Want::kAnything}, {});
  if (!exchange) {
    return nullptr;
  }
  auto& sent = sent_.emplace_back();
  sent.exchange = std::move(*exchange);
  note_step(sent);
  return &sent;
}

bool Trial::note_undo(const std::string& key, PendingUndo undo) {
  const auto requests = undo.requests();
  if (!bench_.pace.keep_back(requests)) {
    undecided("too few requests are left to change a record and to put it back (--max-requests)");
    return false;
  }
  if (!bench_.undo.note(key, std::move(undo))) {
    bench_.pace.let_go(requests);  // they are kept back for that record already
  }
  return true;
}

void Trial::undone(const std::string& key) {
  bench_.pace.let_go(bench_.undo.done(key));
}

void Trial::leave(const Left& left) {
  bench_.undo.leave(
      {masked(settings(), left.place), masked(settings(), left.now), masked(settings(), left.was)});
}

bool Trial::wait_after(const Exchange& exchange, int tried) {
  const auto& patience = settings().patience;
  const auto asked = wait_asked_for(exchange);
  if (!asked) {
    return bench_.pace.sleep(std::min(patience.first_wait * (1 << tried), patience.longest_wait));
  }
  return *asked <= patience.longest_wait && bench_.pace.hold(*asked);
}

std::optional<Exchange> Trial::exchange_patiently(const spec::http::Request& request,
                                                  const Expectation& expect,
                                                  client::SendOptions options) {
  options = bounded(options);
  std::optional<Exchange> exchange;
  const auto tries = settings().patience.tries;
  for (int tried = 0; tried < tries && admitted(outcome_.steps.empty()); ++tried) {
    exchange = client_.send(request, options);
    const int status = exchange->status();
    const bool asked_for = std::ranges::find(expect.statuses, status) != expect.statuses.end();
    if (exchange->answered() && !expect.front_door) {
      bench_.tally.note(operation_.name, status, asked_for);
    }
    const bool last = tried + 1 == tries;
    const bool passing = is_transient(status) || may_pass(expect, status);
    if (asked_for || !passing || last) {
      return exchange;
    }
    // A documented failure is no sign of load: without a wait, it is asked for again at once.
    if (!wait_after(*exchange, tried) && is_transient(status)) {
      undecided(no_more_waiting(status, bench_.pace));
      return exchange;
    }
    hear_in_vain(std::move(*exchange));
    exchange.reset();
  }
  return exchange;
}

// A documented failure says nothing of a request that deserves another answer, unless it stays.
bool Trial::may_pass(const Expectation& expect, int status) const {
  const bool judged = expect.want == plan::Want::kHandled || expect.want == plan::Want::kRefused;
  return judged && is_documented_failure(settings().contract, operation_, status);
}

// An answer that says nothing about the case is HTTP all the same.
void Trial::hear_in_vain(Exchange exchange) {
  auto& sent = sent_.emplace_back();
  sent.exchange = std::move(exchange);
  note_step(sent);
  complain(checks::check_framing(sent.exchange), sent);
  complain(checks::check_fields(sent.exchange), sent);
}

const Sent& Trial::send(const plan::RequestPlan& request, const Expectation& expect,
                        client::SendOptions options) {
  options.chunked = options.chunked || request.chunked;
  options.expect_continue = options.expect_continue || request.expect_continue;
  if (request.method == "HEAD") {
    options.listen_on = std::chrono::milliseconds(20);
  }
  auto& sent = sent_.emplace_back();
  sent.request = request;
  const auto built =
      plan::build_request(operation_, request, settings().names, settings().url.prefix);
  if (!built) {
    undecided("the subjects name no " + built.error());
    return sent;
  }
  auto exchange = exchange_patiently(built.value(), expect, options);
  if (!exchange) {
    return sent;
  }
  sent.exchange = std::move(*exchange);
  note_step(sent);
  judge(sent, request, expect);
  return sent;
}

void Trial::note_step(const Sent& sent) {
  const auto& exchange = sent.exchange;
  const auto copy = masked_request(settings(), exchange);
  Step step;
  step.request = copy.sent.method + ' ' + copy.sent.target;
  step.curl = curl_line(copy);
  step.status = exchange.status();
  step.answer = masked(settings(), answer_line(exchange));
  step.time = exchange.timing.total;
  outcome_.time += step.time;
  outcome_.steps.push_back(std::move(step));
}

void Trial::judge(Sent& sent, const plan::RequestPlan& request, const Expectation& expect) {
  const auto& exchange = sent.exchange;
  if (exchange.ending == Ending::kNoConnection || exchange.ending == Ending::kUntrusted) {
    undecided(exchange.failure);
    return;
  }
  if (exchange.ending == Ending::kDeadline && bench_.pace.latest() <= Pace::Clock::now()) {
    undecided(bench_.pace.closed());
    return;
  }
  if (exchange.ending == Ending::kNothing && exchange.reused_connection &&
      !bench_.pace.closed().empty()) {
    undecided(bench_.pace.closed());  // a kept connection had been closed, and none may be opened
    return;
  }
  complain(checks::check_framing(exchange), sent);
  complain(checks::check_fields(exchange), sent);
  complain(checks::check_validators(exchange), sent);
  complain(checks::check_challenge(operation_, exchange), sent);
  complain(checks::check_leaks(settings().leaks, exchange), sent);
  complain(check_tokens(settings(), exchange), sent);
  if (!exchange.answered()) {
    return;
  }
  const bool own_method =
      request.method.empty() || request.method == operation_.method || request.method == "HEAD";
  const bool by_contract = own_method && !(expect.front_door && exchange.status() / 100 == 4);
  if (is_nobodys(request, expect, exchange.status())) {
    undecided(std::to_string(exchange.status()) +
              " for what the suite made up; name something that exists with --subjects");
    return;
  }
  auto status = check_status(settings().contract, operation_, expect, item_.why, exchange.status());
  const bool listed =
      std::ranges::find(expect.statuses, exchange.status()) != expect.statuses.end();
  const bool any = expect.want == plan::Want::kAnything || expect.want == plan::Want::kStatus;
  if (any && !listed && is_documented_failure(settings().contract, operation_, exchange.status())) {
    status.complaints.clear();
    status.inconclusive =
        std::to_string(exchange.status()) + ", a documented failure of the service";
  }
  complain(std::move(status.complaints), sent);
  if (!status.unsayable.empty()) {
    not_run(status.unsayable);
    return;
  }
  if (!status.inconclusive.empty()) {
    undecided(status.inconclusive);
    return;
  }
  sent.conclusive = exchange.whole();
  if (!exchange.whole() || exchange.coding_error) {
    return;
  }
  sent.accepted = status.accepted;
  std::map<std::string, std::string> path;
  for (const auto& [name, value] : request.path) {
    const auto filled = plan::fill(std::string_view(value), settings().names);
    path[name] = filled ? filled.value() : "";
  }
  if (by_contract) {
    auto reading = checks::check_answer({settings().contract, operation_, exchange,
                                         settings().rules.of(operation_.id).answer, path});
    if (expect.want == plan::Want::kUnauthorized && reading.body && exchange.status() / 100 == 4) {
      complain(checks::check_refusal(settings().contract, operation_, *reading.body), sent);
    }
    // Members of a service's own may move as they like: only the documented ones are compared.
    sent.body = reading.known ? std::move(reading.known) : std::move(reading.body);
    complain(checks::check_leaks(settings().leaks, reading.unknown_texts), sent);
    judge_names(*this, request, reading, sent);
    complain(std::move(reading.complaints), sent);
    if (!reading.undecided.empty()) {
      undecided(reading.undecided);
    }
  }
  if (own_method) {
    note_proof(sent, request, expect);
  }
  if (movement_ && sent.body) {
    movement_->pin(*sent.body);
  }
  if (sent.accepted) {
    judge_body(sent, expect);
  }
}

// A service owes no success to an identifier or a body that were drawn of the contract alone.
bool Trial::is_nobodys(const plan::RequestPlan& request, const Expectation& expect,
                       int status) const {
  static constexpr std::array<int, 5> kUnknown{403, 404, 409, 410, 422};
  if (settings().target != Target::kService || expect.want != plan::Want::kAccepted ||
      std::ranges::find(kUnknown, status) == kUnknown.end()) {
    return false;
  }
  const auto names = plan::names_in(request);
  return item_.made_up || std::ranges::any_of(names, [this](const auto& name) {
           return settings().made_up.contains(name);
         });
}

void Trial::note_proof(const Sent& sent, const plan::RequestPlan& request,
                       const Expectation& expect) {
  Sighting sighting;
  sighting.status = sent.exchange.status();
  sighting.body = sent.body ? &*sent.body : nullptr;
  sighting.text = sent.exchange.response.body;
  sighting.refusal = sighting.status / 100 == 4 && (expect.want == plan::Want::kRefused ||
                                                    expect.want == plan::Want::kUnauthorized);
  const auto& pages = settings().rules.of(operation_.id).pages;
  if (!pages.is_null() && sent.accepted && sent.body) {
    const auto* items = spec::json::find(*sent.body, pages.at("items").get<std::string>());
    const auto& number = pages.at("number");
    const bool other = std::ranges::any_of(request.query, [&number](const auto& pair) {
      return pair.first == number.at("parameter") && pair.second != number.at("first").dump();
    });
    sighting.second_page = other && items != nullptr && items->is_array() && !items->empty();
  }
  bench_.proof.note(settings().contract, operation_, sighting);
}

void Trial::judge_body(const Sent& sent, const Expectation& expect) {
  for (const auto& [pointer, raw] : expect.body.items()) {
    const auto wanted = plan::fill(raw, settings().names);
    const auto* got = sent.body ? spec::json::find(*sent.body, pointer) : nullptr;
    if (!wanted || (got != nullptr && spec::json::equal(*got, wanted.value()))) {
      continue;
    }
    complain({{item_.why.rule,
               "body" + pointer,
               "must be " + checks::shown(wanted.value()) + " but is " +
                   (got == nullptr ? "missing" : checks::shown(*got)),
               {},
               item_.why.source}},
             sent);
  }
}

void Trial::complain(Complaints complaints, const Sent& sent) {
  for (const auto& complaint : complaints) {
    auto made = outline(complaint);
    if (settings().document_only && made.source.statement_class == StatementClass::kAssumption) {
      continue;
    }
    if (!is_off(made, complaint, sent) && fingerprints_.insert(made.fingerprint).second) {
      add_words(made, complaint, sent);
      outcome_.findings.push_back(std::move(made));
    }
  }
}

bool Trial::is_off(checks::Finding& made, const Complaint& complaint, const Sent& sent) const {
  const auto weight =
      weight_of(settings().severities, complaint.rule, made.source, sent.exchange.status());
  if (weight) {
    made.severity = weight->severity;
  }
  return weight && weight->off;
}

void Trial::suspect(Complaints complaints, const Sent& sent) {
  for (const auto& complaint : complaints) {
    if (complaint.rule != "paging/order") {  // honest change never reorders what it leaves
      suspected_.insert(complaint.rule);
    }
  }
  complain(std::move(complaints), sent);
}

void Trial::hold_still() {
  movement_.emplace(settings().rules.of(operation_.id));
}

void Trial::undecided(std::string reason) {
  if (outcome_.reason.empty()) {
    outcome_.reason = std::move(reason);
  }
}

void Trial::not_run(std::string reason) {
  not_run_ = true;
  outcome_.reason = std::move(reason);
}

checks::Source Trial::source_of(const Complaint& complaint, const plan::Rule* rule) const {
  checks::Source source;
  if (complaint.source) {
    source = *complaint.source;
  } else if (complaint.rule == item_.why.rule && !item_.why.source.clause.empty()) {
    source = item_.why.source;
  } else if (rule != nullptr) {
    source = rule->rests;
  }
  if (rule != nullptr && source.clause.empty()) {
    source.clause = rule->rests.clause;
  }
  if (!complaint.clause.empty()) {
    source.clause = complaint.clause;
  }
  return source;
}

checks::Finding Trial::outline(const Complaint& complaint) const {
  const auto* rule = find_rule(settings().book, complaint.rule);
  checks::Finding made;
  made.rule = complaint.rule;
  made.place = complaint.place;
  made.source = source_of(complaint, rule);
  made.severity = severity_of(rule, complaint, made.source, settings().target);
  made.operation = operation_.name;
  made.case_id = item_.id;
  made.fingerprint = checks::fingerprint(made);
  return made;
}

void Trial::add_words(checks::Finding& made, const Complaint& complaint, const Sent& sent) const {
  made.message = masked(settings(), complaint.message);
  made.changed = masked(settings(), item_.changed);
  made.curl = curl_line(masked_request(settings(), sent.exchange));
  made.answer = masked(settings(), answer_line(sent.exchange));
  const auto whole = sent.body ? std::optional(whole_body(sent)) : std::nullopt;
  const auto* body = whole ? &*whole : nullptr;
  made.excerpt = excerpt(sent.exchange, body, complaint.place,
                         [this](std::string text) { return masked(settings(), std::move(text)); });
  made.shown = shown(sent);
}

std::shared_ptr<const Exchange> Trial::shown(const Sent& sent) const {
  auto& known = shown_[&sent];
  if (known == nullptr && !sent.exchange.url.empty()) {
    known = std::make_shared<const Exchange>(masked_exchange(settings(), sent.exchange));
  }
  return known;
}

Outcome Trial::finish() {
  outcome_.verdict = verdict_of(outcome_);
  if (not_run_ && outcome_.verdict != Verdict::kBroken) {
    outcome_.verdict = Verdict::kNotRun;
  }
  return std::move(outcome_);
}

}  // namespace contract_tests::run
