#pragma once

// One carrying-out of a case: sends its requests, validates every response by what holds for any response,
// and gathers what the case's own run finds besides. Belongs to one worker.

#include "contract_tests/checks/finding.hpp"
#include "contract_tests/client/client.hpp"
#include "contract_tests/run/case.hpp"
#include "contract_tests/run/volatile_fields.hpp"
#include "contract_tests/run/outcome.hpp"
#include "contract_tests/run/pace.hpp"
#include "contract_tests/run/settings.hpp"
#include "contract_tests/run/tally.hpp"
#include "contract_tests/run/undo.hpp"
#include "spec/contract/checking/coverage.hpp"
#include "spec/contract/contract.hpp"

#include <nlohmann/json.hpp>

#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace contract_tests::run {

// A response with the verdict on its status.
struct Sent {
  plan::RequestPlan request;
  client::Exchange exchange;
  std::optional<nlohmann::json> body;  // of a JSON response
  // The same in normal form, in which two readings are compared.
  std::optional<nlohmann::json> normal = std::nullopt;
  bool accepted = false;    // a declared success, whole: the case may go on
  bool conclusive = false;  // it was validated: no rate limit, no broken wire
};

// What every trial of a run shares.
struct RunContext {
  const Settings& settings;
  Tally& tally;
  UndoLog& undo;
  spec::contract::Coverage& coverage;
  Pace& pace;
};

class CaseRun {
 public:
  CaseRun(const RunContext& context, client::Client& client, const Case& item);

  const Case& item() const { return item_; }

  const Settings& settings() const { return context_.settings; }

  const spec::contract::Operation& operation() const { return operation_; }

  const Tally& tally() const { return context_.tally; }

  // Carries the case out.
  void run();

  // Sends `request` and validates the response; the reference is good for the life of the trial.
  const Sent& send(const plan::RequestPlan& request, const Expectation& expect,
                   client::SendOptions options = {});

  // The case's own request and expectation.
  const Sent& send() { return send(item_.request, item_.expect); }

  const Sent& send(const plan::RequestPlan& request) { return send(request, item_.expect); }

  // Validates what was received in answer to `request`, as if this trial had sent it.
  const Sent& receive(const plan::RequestPlan& request, const Expectation& expect,
                      client::Exchange exchange);

  // Sends them all at once, each on a connection of its own, and validates the responses in this
  // order; nothing is tried again. Fewer come back when the pace lets no more out.
  std::vector<const Sent*> send_together(const std::vector<plan::RequestPlan>& requests,
                                         const Expectation& expect);

  // Waits until a while after the run began (Settings::later), unless the run is interrupted.
  void wait_until_later();

  // Sends what is none of the operation's own requests and validates nothing; null when the pace lets
  // none out.
  const Sent* fetch(const spec::http::Request& request);

  // Before a change: how the record that `key` names is put back. False, and the case undecided,
  // when no request would be left for it.
  bool note_undo(const std::string& key, PendingUndo undo);
  // The record is as it was.
  void undone(const std::string& key);
  // It is not, and cannot be made so: for the list at the end of the run.
  void leave(const Left& left);

  UndoLog& undo_log() { return context_.undo; }

  // A violation about `sent`; "" for `place`'s clause takes the case's, where the rule is its own.
  void report(const checks::RuleViolations& violations, const Sent& sent);
  // The same for what comes of comparing answers, which honest change can cause too: the runner
  // tries again before it believes it.
  void suspect(const checks::RuleViolations& violations, const Sent& sent);
  // Why the case says nothing, after all.
  void undecided(std::string reason);
  // Turns the case into one that was not run, for a reason that only its responses told.
  void not_run(std::string reason);

  bool is_not_run() const { return not_run_; }

  // From now on, what moves by itself stands still in the bodies that cases see.
  void freeze_volatile();

  const std::deque<Sent>& answers() const { return sent_; }

  bool has_suspicions() const { return !suspected_.empty(); }

  // Rules of the suspicions, to be met again.
  const std::set<std::string>& suspected() const { return suspected_; }

  Outcome finish();

 private:
  // Nothing when the pace lets no request out; the case then says so.
  std::optional<client::Exchange> exchange_patiently(const spec::http::Request& request,
                                                     const Expectation& expect,
                                                     client::SendOptions options);
  bool admitted(bool nothing_sent);
  // `options` with the bounds of the run.
  client::SendOptions bounded(client::SendOptions options) const;
  // Waits as long as the response asks for; false when that is too long.
  bool wait_after(const client::Exchange& exchange, int tried);
  bool may_pass(const Expectation& expect, int status) const;
  void note_inconclusive(client::Exchange exchange);
  // The steps of this are in trial_validation.cpp.
  void validate(Sent& sent, const plan::RequestPlan& request, const Expectation& expect);
  std::string why_inconclusive(const client::Exchange& exchange) const;
  void validate_wire(const Sent& sent);
  bool validate_status(Sent& sent, const plan::RequestPlan& request, const Expectation& expect);
  void validate_contract(Sent& sent, const plan::RequestPlan& request, const Expectation& expect);
  void validate_values(const Sent& sent, const Expectation& expect);
  bool is_nobodys(const plan::RequestPlan& request, const Expectation& expect, int status) const;
  void note_coverage(const client::Exchange& exchange, const plan::RequestPlan& request);
  std::map<std::string, std::string> path_values(const plan::RequestPlan& request) const;
  // Whether it is switched off, and else its severity.
  bool is_off(checks::Finding& made, const checks::RuleViolation& violation, const Sent& sent) const;
  // What a violation rests on: its own source, the case's, or the rule book's.
  checks::Source source_of(const checks::RuleViolation& violation, const plan::Rule* rule) const;
  // The finding without its words: enough to know whether it is met for the first time.
  checks::Finding outline(const checks::RuleViolation& violation) const;
  void add_words(checks::Finding& made, const checks::RuleViolation& violation, const Sent& sent) const;
  void note_step(const Sent& sent);
  std::shared_ptr<const client::Exchange> shown(const Sent& sent) const;

  RunContext context_;
  client::Client& client_;
  const Case& item_;
  const spec::contract::Operation& operation_;
  std::deque<Sent> sent_;
  mutable std::map<const Sent*, std::shared_ptr<const client::Exchange>> shown_;
  std::set<std::string> fingerprints_;
  std::set<std::string> suspected_;
  std::optional<VolatileFields> volatile_fields_;
  Outcome outcome_;
  bool not_run_ = false;
};

// Severity by class and target, unless the rule has one of its own.
checks::Severity severity_of(const plan::Rule* rule, const checks::RuleViolation& violation,
                             const checks::Source& source, Target target);

}  // namespace contract_tests::run
