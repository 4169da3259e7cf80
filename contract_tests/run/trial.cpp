#include "contract_tests/run/trial.hpp"

#include "contract_tests/checks/wire.hpp"
#include "contract_tests/run/describe.hpp"
#include "contract_tests/run/masking.hpp"
#include "contract_tests/run/status.hpp"
#include "spec/json/read.hpp"

#include <algorithm>
#include <chrono>
#include <latch>
#include <thread>

namespace contract_tests::run {

using checks::Complaint;
using checks::Complaints;
using checks::Severity;
using client::Exchange;
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
  if (whole) {
    return std::move(whole.value());
  }
  return *sent.body;
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

Trial::Trial(const Bench& bench, client::Client& client, const Case& item)
    : bench_(bench),
      client_(client),
      item_(item),
      operation_(*bench.settings.contract.operation(item.operation)) {}

void Trial::run() {
  if (item_.run) {
    item_.run(*this);
  } else {
    send();
  }
}

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
  auto exchange = exchange_patiently(request, {.want = Want::kAnything}, {});
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
  const bool judged = expect.want == Want::kHandled || expect.want == Want::kRefused;
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
  validate(sent, request, expect);
  return sent;
}

const Sent& Trial::receive(const plan::RequestPlan& request, const Expectation& expect,
                           Exchange exchange) {
  auto& sent = sent_.emplace_back();
  sent.request = request;
  sent.exchange = std::move(exchange);
  note_step(sent);
  validate(sent, request, expect);
  return sent;
}

std::vector<const Sent*> Trial::send_together(const std::vector<plan::RequestPlan>& requests,
                                              const Expectation& expect) {
  std::vector<Sent*> together;
  for (const auto& request : requests) {
    const auto built =
        plan::build_request(operation_, request, settings().names, settings().url.prefix);
    if (!built) {
      undecided("the subjects name no " + built.error());
      return {};
    }
    if (!admitted(outcome_.steps.empty() && together.empty())) {
      break;
    }
    together.push_back(&sent_.emplace_back());
    together.back()->request = request;
    together.back()->exchange.sent = built.value();
  }
  std::latch start(static_cast<std::ptrdiff_t>(together.size()));
  {
    std::vector<std::jthread> threads;
    threads.reserve(together.size());
    for (auto* sent : together) {
      threads.emplace_back([this, sent, &start] {
        client::Client client(settings().url, settings().trust, settings().limits);
        start.arrive_and_wait();
        sent->exchange = client.send(std::move(sent->exchange.sent), bounded({}));
      });
    }
  }
  for (auto* sent : together) {
    const int status = sent->exchange.status();
    bench_.tally.note(operation_.name, status, true);
    note_step(*sent);
    validate(*sent, sent->request, expect);
  }
  return {together.begin(), together.end()};
}

void Trial::wait_until_later() {
  const auto wait = settings().started + settings().later - Pace::Clock::now();
  bench_.pace.sleep(
      std::max(std::chrono::ceil<std::chrono::milliseconds>(wait), std::chrono::milliseconds(0)));
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

void Trial::complain(const Complaints& complaints, const Sent& sent) {
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

void Trial::suspect(const Complaints& complaints, const Sent& sent) {
  for (const auto& complaint : complaints) {
    if (complaint.rule != "paging/order") {  // honest change never reorders what it leaves
      suspected_.insert(complaint.rule);
    }
  }
  complain(complaints, sent);
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
                         [this](const std::string& text) { return masked(settings(), text); });
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
