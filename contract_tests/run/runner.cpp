#include "contract_tests/run/runner.hpp"

#include "contract_tests/run/changes.hpp"
#include "contract_tests/run/shrinking.hpp"
#include "contract_tests/run/status.hpp"
#include "spec/http/message.hpp"

#include <algorithm>
#include <chrono>
#include <deque>
#include <exception>
#include <set>
#include <utility>

namespace contract_tests::run {

namespace {

Outcome not_run(Reason reason) {
  Outcome outcome;
  outcome.verdict = reason.is_unmade() ? Verdict::kInconclusive : Verdict::kSkipped;
  outcome.reason = std::move(reason);
  return outcome;
}

// True if a request without credentials was not rejected, which is a finding.
bool is_let_in(const CaseResponse& sent, const Outcome& outcome) {
  return sent.exchange.has_response() && sent.exchange.status() / 100 != 4 &&
         std::ranges::any_of(outcome.findings, [](const checks::Finding& finding) {
           return finding.place == "status" && finding.severity != checks::Severity::kNote;
         });
}

void run_case(CaseRun& case_run) {
  switch (write_strategy_of(case_run.settings(), case_run.item())) {
    case WriteStrategy::kRestores: run_restoring(case_run); break;
    case WriteStrategy::kRemoves: run_removing(case_run); break;
    case WriteStrategy::kOwnRecord: run_on_own_record(case_run); break;
    case WriteStrategy::kUnnamed:
    case WriteStrategy::kLasts: run_lasting(case_run); break;
    case WriteStrategy::kAsIs:
      if (case_run.item().undeclared_method && !case_run.settings().consent.lasting) {
        run_lasting(case_run);
      } else {
        case_run.run();
      }
      break;
  }
}

bool is_reproduced(const std::set<std::string>& suspected, const std::set<std::string>& again) {
  return std::ranges::any_of(suspected,
                             [&again](const std::string& rule) { return again.contains(rule); });
}

}  // namespace

Runner::Runner(const Settings& settings, const Plan& plan)
    : settings_(settings),
      plan_(plan),
      context_(settings),
      watcher_(settings, plan, context_.pace, context_.causes) {}

Runner::~Runner() {
  interrupt();
}

void Runner::start(const std::vector<std::size_t>& selected, unsigned jobs) {
  workers_.clear();
  // Cases that are not selected are done already.
  outcomes_.assign(plan_.cases.size(), not_run({"it was not selected", Reason::Kind::kNotAllowed}));
  done_.assign(plan_.cases.size(), true);
  asked_.clear();
  limited_ = 0;
  for (const auto index : selected) {
    done_[index] = false;
    asked_.insert(plan_.cases[index].operation);
  }
  queue_ = Queue(plan_, settings_.rules, selected, settings_.pace.requests != 0);
  watcher_.start(selected);
  {
    const std::lock_guard lock(mutex_);
    progress_ = {.of = selected.size()};
  }
  for (unsigned worker = 0; worker < std::max(jobs, 1U); ++worker) {
    workers_.emplace_back([this] { work(); });
  }
}

FoundValues Runner::find_values(const std::vector<std::size_t>& selected, Search search) {
  Sender sender(settings_, context_.pace);
  CaseRun first(context_, sender, plan_.cases.front());
  return run::find_values(first, plan_, selected, search);
}

Progress Runner::progress() const {
  const std::lock_guard lock(mutex_);
  return progress_;
}

const Outcome& Runner::wait(std::size_t index) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return static_cast<bool>(done_[index]); });
  return outcomes_[index];
}

Outcome Runner::take(std::size_t index) {
  wait(index);
  return std::move(outcomes_[index]);
}

std::optional<Queue::Job> Runner::take_job() {
  std::unique_lock lock(mutex_);
  std::optional<Queue::Job> job;
  changed_.wait(lock, [&] {
    job = queue_.take();
    return job || queue_.is_empty();
  });
  return job;
}

void Runner::work() {
  Sender sender(settings_, context_.pace);
  while (const auto job = take_job()) {
    run_job(*job, sender);
    const std::lock_guard lock(mutex_);
    queue_.done(*job);
    changed_.notify_all();
  }
}

void Runner::run_job(const Queue::Job& job, Sender& sender) {
  for (const auto index : job.cases) {
    const auto& item = plan_.cases[index];
    auto reason = why_not(settings_, item);
    if (reason.empty()) {
      reason = watcher_.closed(item);
    }
    if (reason.empty()) {
      reason = context_.pace.closed();
    }
    set(index, reason.empty() ? execute_safely(item, sender) : not_run(std::move(reason)));
  }
}

// An error in the suite makes one case inconclusive and does not end the run.
Outcome Runner::execute_safely(const Case& item, Sender& sender) {
  try {
    return execute_repeatedly(item, sender);
  } catch (const std::exception& error) {
    Outcome outcome;
    outcome.verdict = Verdict::kInconclusive;
    outcome.reason = std::string("error in the suite: ") + error.what();
    return outcome;
  }
}

// A case over all other cases runs once.
Outcome Runner::execute_repeatedly(const Case& item, Sender& sender) {
  const unsigned times = item.sends_nothing ? 1 : settings_.repeat;
  std::vector<Outcome> outcomes;
  while (outcomes.size() < std::max(times, 1U)) {
    outcomes.push_back(explained(item, execute(item, sender)));
    if (outcomes.back().verdict == Verdict::kSkipped) {
      break;
    }
  }
  return merge_repeats(std::move(outcomes));
}

// A difference between two responses may be data that changed by itself (a new period): it is
// reported when it is reproduced.
Outcome Runner::execute(const Case& item, Sender& sender) {
  constexpr int kMoreTries = 2;
  CaseRun first(context_, sender, item);
  run_case(first);
  if (settings_.after_case) {
    settings_.after_case(first);
  }
  if (auto why = watcher_.look(item, first.sent(), first.has_findings()); !why.empty()) {
    return first.make_inconclusive(std::move(why));
  }
  if (!first.has_suspicions()) {
    auto outcome = first.finish();
    note_causes(first, outcome);
    outcome = explained(item, std::move(outcome));
    return item.generated && outcome.verdict == Verdict::kFailed
               ? shrink(item, std::move(outcome), sender)
               : outcome;
  }
  const auto& rules = settings_.rules.of_operation(item.operation);
  const bool is_volatile = rules.request ? changes_by_itself(item, first, sender)
                                         : learns_what_changes(item, first, sender);
  if (is_volatile && repeats_its_request(item) && !first.has_findings()) {
    return first.finish();
  }
  Outcome last;
  for (int tried = 0; tried < kMoreTries; ++tried) {
    CaseRun again(context_, sender, item);
    if (is_volatile) {
      again.freeze_volatile();
    }
    run_case(again);
    if (is_reproduced(first.suspected(), again.suspected())) {
      return is_volatile ? again.finish() : first.finish();
    }
    last = again.finish();
  }
  if (last.verdict == Verdict::kPassed && !is_volatile) {
    last.verdict = Verdict::kInconclusive;
    last.reason = "flaky: a difference between two responses was not reproduced";
  }
  return last;
}

void Runner::note_causes(const CaseRun& case_run, const Outcome& outcome) {
  const auto& item = case_run.item();
  const auto& all = case_run.sent();
  const auto path = case_run.path_of(case_run.operation(), item.request);
  const auto sent = std::find_if(all.rbegin(), all.rend(), [&](const CaseResponse& each) {
    return !each.exchange.url.empty() && each.request == item.request &&
           each.exchange.sent.method == case_run.operation().method &&
           spec::http::path_of(each.exchange.sent.target) == path;
  });
  if (!(item.is_plain || item.is_unauthenticated) || sent == all.rend()) {
    return;
  }
  const auto& exchange = sent->exchange;
  const bool says_nothing = is_transient(exchange.status()) || !context_.pace.closed().empty() ||
                            exchange.ending >= client::Ending::kNoConnection;
  const bool failed = item.is_plain ? !sent->accepted : is_let_in(*sent, outcome);
  std::optional<Failure> failure;
  if (failed && !says_nothing) {
    failure = Failure{.case_id = item.id,
                      .what = exchange.has_response() ? named(exchange.status()) : "no response",
                      .status = exchange.status(),
                      .findings = {},
                      .ruled = settings_.rules.of_operation(item.operation).request.has_value()};
    for (const auto& finding : outcome.findings) {
      failure->findings.insert(key_of(finding, checks::KeyScope::kViolation));
    }
  }
  (item.is_plain ? context_.causes.plain : context_.causes.unauthenticated)
      .note(item.operation, std::move(failure));
}

Outcome Runner::explained(const Case& item, Outcome outcome) const {
  if (const auto failure = context_.causes.plain.find(item.operation)) {
    outcome = explain_by_plain(std::move(outcome), item, *failure);
  }
  if (const auto failure = context_.causes.unauthenticated.find(item.operation)) {
    outcome = explain_by_unauthenticated(std::move(outcome), item, *failure);
  }
  return outcome;
}

// Without rules it is seen what changes by itself: what equal requests got differently, each alone
// on a connection of its own, since one that is reused may give responses to other requests. They
// are the case's first one, if it reads, sent again; else those of the case, which runs again if it
// repeats its request. No case compares it from now on.
bool Runner::learns_what_changes(const Case& item, const CaseRun& first, Sender& sender) {
  constexpr int kReads = 4;
  constexpr std::size_t kReruns = 2;
  std::vector<const CaseResponse*> known;
  std::set<std::string> places;
  const auto look = [&](const CaseResponse& sent) {
    if (!sent.accepted || sent.exchange.reused_connection) {
      return;
    }
    for (const auto* other : known) {
      if (other->request == sent.request) {
        places.merge(differing_places(*other, sent));
      }
    }
    known.push_back(&sent);
  };
  const auto shown = std::ranges::find_if(first.sent(), &CaseResponse::accepted);
  std::deque<CaseRun> probes;
  if (shown != first.sent().end() && spec::http::is_safe_method(shown->exchange.sent.method)) {
    auto& probe = probes.emplace_back(context_, sender, item);
    for (int read = 0; read < kReads; ++read) {
      look(probe.send(shown->request, {.want = Want::kAnything}, {.fresh_connection = true}));
    }
  } else {
    std::ranges::for_each(first.sent(), look);
    const bool reruns = repeats_its_request(item) && !places.empty();
    while (reruns && probes.size() < kReruns) {
      auto& probe = probes.emplace_back(context_, sender, item);
      run_case(probe);
      for (const auto& sent : probe.sent()) {
        if (sent.request == item.request) {
          look(sent);
        }
      }
    }
  }
  context_.causes.note_changing(item.operation, places);
  return !places.empty();
}

// Sends the first request about the resource again, and the first and last one that showed its
// newest part: whether volatile fields changed between equal requests.
bool Runner::changes_by_itself(const Case& item, const CaseRun& first, Sender& sender) {
  const auto& rules = settings_.rules.of_operation(item.operation);
  if (item.expect.want != Want::kAccepted || !VolatileFields(rules).possible()) {
    return false;
  }
  CaseRun probe(context_, sender, item);
  const auto has_changed = [&](const CaseResponse* earlier) {
    if (earlier == nullptr) {
      return false;
    }
    const auto& again = probe.send(earlier->request, {.want = Want::kAnything});
    return again.accepted && again.normal &&
           has_changed_by_itself(rules, *earlier->normal, *again.normal);
  };
  const CaseResponse* plain = nullptr;
  const CaseResponse* first_newest = nullptr;
  const CaseResponse* last_newest = nullptr;
  for (const auto& sent : first.sent()) {
    if (!sent.accepted || !sent.normal) {
      continue;
    }
    plain = plain == nullptr && sent.request == item.request ? &sent : plain;
    if (first_newest == nullptr || is_newer(rules, *sent.normal, *first_newest->normal)) {
      first_newest = &sent;
    }
    if (last_newest == nullptr || !is_newer(rules, *last_newest->normal, *sent.normal)) {
      last_newest = &sent;
    }
  }
  // A resource that is no list is read with the plain request, never with one that may change it.
  return has_changed(plain) ||
         (rules.volatile_fields && (has_changed(first_newest) || has_changed(last_newest)));
}

Outcome Runner::shrink(const Case& item, Outcome failed, Sender& sender) {
  constexpr std::size_t kMaxTries = 24;
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(5);
  auto candidates = smaller(settings_.contract, item);
  std::size_t at = 0;
  for (std::size_t tries = 0;
       at < candidates.size() && tries < kMaxTries && context_.pace.closed().empty() &&
       std::chrono::steady_clock::now() < deadline;
       ++tries, ++at) {
    CaseRun case_run(context_, sender, candidates[at]);
    run_case(case_run);
    auto outcome = case_run.finish();
    outcome.steps.insert(outcome.steps.begin(), failed.steps.begin(), failed.steps.end());
    if (fails_the_same_way(failed, outcome)) {
      failed = std::move(outcome);
      failed.smallest = candidates[at].request;
      candidates = smaller(settings_.contract, candidates[at]);
      at = std::size_t(-1);
    } else {
      failed.steps = std::move(outcome.steps);
    }
  }
  return failed;
}

std::vector<std::string> Runner::headlines() const {
  auto lines = watcher_.headlines();
  const std::lock_guard lock(mutex_);
  if (limited_ > 0) {
    lines.push_back("the service limits its callers (429): " + std::to_string(limited_) +
                    " cases were given up after all waits together reached --max-wait; lower "
                    "--rate or raise --max-wait");
  }
  return lines;
}

void Runner::set(std::size_t index, Outcome outcome) {
  note_states(settings_, outcome);
  const std::lock_guard lock(mutex_);
  limited_ +=
      outcome.verdict == Verdict::kInconclusive && outcome.reason.kind == Reason::Kind::kLimited
          ? 1
          : 0;
  ++progress_.done;
  progress_.failed += outcome.verdict == Verdict::kFailed ? 1 : 0;
  kept_.trim(outcome);
  outcomes_[index] = std::move(outcome);
  done_[index] = true;
  changed_.notify_all();
}

spec::contract::CoverageReport Runner::coverage() const {
  auto report = context_.coverage.report(settings_.contract);
  std::erase_if(report.operations,
                [this](const auto& operation) { return !asked_.contains(operation.id); });
  return report;
}

std::vector<RemainingChange> Runner::finish() {
  workers_.clear();  // joins
  const auto pending = std::exchange(context_.undo.pending, {});
  if (!pending.empty() || !context_.undo.initial_readings.empty()) {
    Sender sender(settings_, context_.pace);
    CaseRun last(context_, sender, plan_.cases.front());
    // What is below another record comes behind it by its path, and is removed before it.
    std::for_each(pending.rbegin(), pending.rend(),
                  [&last](const auto& entry) { put_back(last, entry.second); });
    std::erase_if(context_.undo.initial_readings, [&pending](const auto& entry) {
      return std::ranges::any_of(pending, [&](const auto& removed) {
        return removed.second.removes() && entry.first.starts_with(removed.first + '/');
      });
    });
    look_again(last);
  }
  return context_.undo.remaining_changes();
}

}  // namespace contract_tests::run
