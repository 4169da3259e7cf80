#pragma once

// One run of a case: sends its requests, validates every response by the rules for any response,
// and collects what the case itself finds. Belongs to one worker.

#include "contract_tests/checks/finding.hpp"
#include "contract_tests/checks/response_validation.hpp"
#include "contract_tests/plan/rule_book.hpp"
#include "contract_tests/run/case.hpp"
#include "contract_tests/run/outcome.hpp"
#include "contract_tests/run/pace.hpp"
#include "contract_tests/run/root_causes.hpp"
#include "contract_tests/run/run_settings.hpp"
#include "contract_tests/run/sender.hpp"
#include "contract_tests/run/status.hpp"
#include "contract_tests/run/undo.hpp"
#include "spec/contract/checking/contract_coverage.hpp"
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

// Fields that change by themselves between two equal requests (the running period of a history, the
// state of a review), as the rules name them. Two responses may differ in those and in nothing
// else.

// Belongs to one case run.
class VolatileFields {
 public:
  explicit VolatileFields(const plan::OperationRules& rules);

  // True if the rules name volatile fields.
  bool possible() const { return !places_.empty(); }

  // Gives the volatile fields of `body` the values that they had in the first body.
  void freeze(nlohmann::json& body);

 private:
  void freeze_newest(nlohmann::json& items);
  void copy_places(const nlohmann::json& from, nlohmann::json& to) const;

  std::vector<std::string> places_;  // in the record, or in the newest item of a list
  std::string items_;                // JSON pointer of the list; unused for a record
  std::string newest_;               // in an item: the time by which one is the newest
  nlohmann::json seen_;              // null before the first body
};

// True if `after` differs from `before` in a volatile field.
bool has_changed_by_itself(const plan::OperationRules& rules, nlohmann::json before,
                           nlohmann::json after);

// True if `left` has a newer newest item than `right`; false for a record, which has no items.
bool is_newer(const plan::OperationRules& rules, const nlohmann::json& left,
              const nlohmann::json& right);

// A response with the verdict on its status.
struct CaseResponse {
  plan::RequestPlan request;
  client::Exchange exchange;
  std::optional<nlohmann::json> body;  // of a JSON response
  // The same in normal form, in which two readings are compared.
  std::optional<nlohmann::json> normal = std::nullopt;
  bool accepted = false;    // a declared success, whole: the case may go on
  bool conclusive = false;  // it could be validated: no rate limit, no broken connection
  std::size_t steps = 0;    // requests of the case until then, this one included
};

// The places at which the contents of two responses differ: of the body in normal form
// (checks/json_places.hpp), and "header/Content-Type".
std::set<std::string> differing_places(const CaseResponse& one, const CaseResponse& other);

// The state that all case runs of a run share.
struct RunContext {
  // `of_run` must outlive it.
  explicit RunContext(const Settings& of_run)
      : settings(of_run), pace(of_run.pace, of_run.started) {}

  const Settings& settings;
  Pace pace;
  Tally tally;
  UndoLog undo;
  spec::contract::Coverage coverage;
  RootCauses causes;
};

class CaseRun {
 public:
  // All must outlive it.
  CaseRun(RunContext& context, Sender& sender, const Case& item);

  const Case& item() const { return item_; }

  const Settings& settings() const { return context_.settings; }

  const spec::contract::Operation& operation() const { return operation_; }

  const Tally& tally() const { return context_.tally; }

  // The values of ${names}: those of the run, but for what `rename` has set.
  const plan::Names& names() const { return own_names_ ? *own_names_ : settings().names; }

  // In this case run, ${name} is `value`: of a record of the run's own.
  void rename(const std::string& name, std::string value);

  // Runs the case.
  void run();

  // Sends `request` and validates the response; the reference lives as long as this object.
  const CaseResponse& send(const plan::RequestPlan& request, const Expectation& expect,
                           client::SendOptions options = {});

  // The case's own request and expectation.
  const CaseResponse& send() { return send(item_.request, item_.expect); }

  const CaseResponse& send(const plan::RequestPlan& request) { return send(request, item_.expect); }

  // Validates a response to `request` as if this case run had sent it.
  const CaseResponse& receive(const plan::RequestPlan& request, const Expectation& expect,
                              client::Exchange exchange);

  // Sends them all at once, each on its own connection, and validates the responses in this order;
  // no retries. Returns fewer when the pace allows no more requests.
  std::vector<const CaseResponse*> send_together(const std::vector<plan::RequestPlan>& requests,
                                                 const Expectation& expect);

  // Waits before a request is sent again, the longer the more `tried`; false when that is longer
  // than the run may wait.
  bool pause(int tried);

  // Sends a request that is not one of the operation's and does not validate the response; null
  // when the pace allows none.
  const CaseResponse* fetch(const spec::http::Request& request);
  // The same for a request of another operation, which gets what that requires beside the path;
  // null also where it lacks a value.
  const CaseResponse* fetch(const spec::contract::Operation& operation,
                            const plan::RequestPlan& request);

  // The same for a request that is reserved to undo a change.
  const CaseResponse* fetch_reserved(const spec::contract::Operation& operation,
                                     const plan::RequestPlan& request);

  // True if the record of `key` may be changed; if an earlier change of it is still to be undone,
  // the case is skipped.
  bool is_undone(const std::string& key);
  // Before a change: notes how it is undone. False, and the case inconclusive, when too few
  // requests would be left for that.
  bool note_undo(PendingUndo change);
  // The record is restored.
  void undone(const std::string& key);

  // A deletion by this case has removed what `read` asked for, which it was not about.
  void note_removed(const CaseResponse& read) {
    context_.causes.note_removed(read.exchange.sent.target, item_.id);
  }

  // It cannot be restored: for the list at the end of the run.
  void leave(const RemainingValue& left) { context_.undo.leave(left, settings().secrets); }

  // The same for what is different in a record.
  void leave(const std::string& place, const nlohmann::json& was, const nlohmann::json& now,
             const std::string& curl = {}) {
    context_.undo.leave(place, was, now, curl, settings().secrets);
  }

  // Reserves requests to undo a change before it is known which.
  Pace& pace() { return context_.pace; }

  // The path to which `request` goes; "" if it lacks a value.
  std::string path_of(const spec::contract::Operation& operation,
                      const plan::RequestPlan& request) const;

  // The line that sends `request` to the service, secrets replaced.
  std::string curl_of(const spec::contract::Operation& operation,
                      const plan::RequestPlan& request) const;

  UndoLog& undo_log() { return context_.undo; }

  // Violations in `sent`. A violation of the case's own rule without a clause takes the case's.
  void report(const checks::RuleViolations& violations, const CaseResponse& sent);
  // The same for differences between responses, which data that changes by itself can cause too:
  // the runner repeats the case to confirm them.
  void suspect(const checks::RuleViolations& violations, const CaseResponse& sent);
  // Makes the case inconclusive, with the reason.
  void inconclusive(Reason reason);
  // Makes the case skipped, for a reason that only its responses show.
  void skip(Reason reason);

  bool is_skipped() const { return skipped_; }

  // Why it has no verdict so far; empty if nothing says so.
  const Reason& reason() const { return outcome_.reason; }

  // From now on, volatile fields keep the values of the first response.
  void freeze_volatile();

  const std::deque<CaseResponse>& sent() const { return sent_; }

  // But for notes.
  bool has_findings() const;

  bool has_suspicions() const { return !suspected_.empty(); }

  // Rules of the differences, to be confirmed.
  const std::set<std::string>& suspected() const { return suspected_; }

  Outcome finish();
  // Instead of finish(), where the case says nothing about the service: without findings.
  Outcome make_inconclusive(std::string why);

 private:
  // Empty if the pace allows no request; the case is then inconclusive or skipped.
  std::optional<client::Exchange> exchange_with_retries(const spec::http::Request& request,
                                                        const Expectation& expect,
                                                        const client::SendOptions& options);
  // Sends the request; where it is rejected for texts that may have to be unique, with others.
  std::optional<client::Exchange> exchange_with_texts(const plan::RequestPlan& request,
                                                      const spec::http::Request& made,
                                                      const Expectation& expect,
                                                      const client::SendOptions& options);
  // The request with other texts where it has those of the one that creates a record.
  plan::RequestPlan with_other_texts(plan::RequestPlan request);
  // True if the service wants texts to be other ones in each record.
  bool needs_other_texts() const;
  bool admitted(bool nothing_sent);
  // `request` with what the operation requires beside the path.
  plan::RequestPlan completed(const spec::contract::Operation& operation,
                              const plan::RequestPlan& request) const;
  // The request that `request` means, or the name that has no value.
  spec::Result<spec::http::Request, std::string> built(const spec::contract::Operation& operation,
                                                       const plan::RequestPlan& request) const;
  // Waits as long as the response asks; false when that is too long.
  bool wait_after(const client::Exchange& exchange, int tried);
  bool may_pass(const Expectation& expect, int status) const;
  // True if the run has ended, which makes the case inconclusive: checked between the steps of the
  // work on a response, each of which may be long.
  bool is_overdue();
  void note_inconclusive(client::Exchange exchange);
  // The steps of this are in case_run_validation.cpp.
  void validate(CaseResponse& sent, const plan::RequestPlan& request, const Expectation& expect);
  void validate_response(CaseResponse& sent, const plan::RequestPlan& request,
                         const Expectation& expect);
  std::string why_inconclusive(const client::Exchange& exchange) const;
  void validate_wire(const CaseResponse& sent);
  bool validate_status(CaseResponse& sent, const plan::RequestPlan& request,
                       const Expectation& expect);
  void validate_contract(CaseResponse& sent, const plan::RequestPlan& request,
                         const Expectation& expect, checks::JsonBody body);
  void validate_values(const CaseResponse& sent, const Expectation& expect);
  // True if a record that another case removed explains the response.
  bool is_gone(const client::Exchange& exchange);
  bool depends_on_state(const Expectation& expect, int status) const;
  bool is_declared(int status) const;
  bool names_made_up_values(const plan::RequestPlan& request, const Expectation& expect,
                            int status) const;
  void note_coverage(const client::Exchange& exchange, const plan::RequestPlan& request,
                     const checks::JsonBody& body);
  std::map<std::string, std::string> path_values(const plan::RequestPlan& request) const;
  // True if it is switched off; else sets its severity.
  bool is_off(checks::Finding& made, const checks::RuleViolation& violation,
              const CaseResponse& sent) const;
  // The source of a violation: its own, the case's, or the rule book's.
  checks::Source source_of(const checks::RuleViolation& violation, const plan::Rule* rule) const;
  // The finding without its texts: enough to know whether it is new.
  checks::Finding outline(const checks::RuleViolation& violation, const CaseResponse& sent) const;
  void fill_texts(checks::Finding& made, const checks::RuleViolation& violation,
                  const CaseResponse& sent) const;
  std::string requests_until(const CaseResponse& sent) const;
  void note_step(CaseResponse& sent);
  std::shared_ptr<const client::Exchange> shown(const CaseResponse& sent) const;

  RunContext& context_;
  Sender& sender_;
  const Case& item_;
  const spec::contract::Operation& operation_;
  std::optional<plan::Names> own_names_;
  std::set<std::string> renamed_;
  std::string number_;  // in texts that are unique; "" before the first
  std::deque<CaseResponse> sent_;
  mutable std::map<const CaseResponse*, std::shared_ptr<const client::Exchange>> shown_;
  const std::set<std::string> changing_;  // places that two equal requests got differently
  std::set<std::string> kinds_;           // of the findings
  std::set<std::string> suspected_;
  std::optional<VolatileFields> volatile_fields_;
  Outcome outcome_;
  bool skipped_ = false;
  bool is_validating_ = false;  // a response by itself
};

// Severity by class and target, unless the rule has one of its own.
checks::Severity severity_of(const plan::Rule* rule, const checks::RuleViolation& violation,
                             const checks::Source& source, Target target);

}  // namespace contract_tests::run
