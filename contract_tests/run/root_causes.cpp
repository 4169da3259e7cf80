#include "contract_tests/run/root_causes.hpp"

#include "contract_tests/run/status.hpp"
#include "spec/http/message.hpp"

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <utility>

namespace contract_tests::run {

using client::Exchange;

namespace {

bool is_read(std::string_view method) {
  return method == "GET" || method == "HEAD";
}

bool is_known(const checks::Finding& finding, const Failure& failure) {
  return failure.findings.contains(key_of(finding, checks::KeyScope::kViolation));
}

// A status that is the plain request's over again, or a lack of success where that has none either.
bool follows_from(const checks::Finding& finding, const Case& item, const Failure& failure) {
  if (is_known(finding, failure)) {
    return true;
  }
  if (finding.place != "status" || finding.shown == nullptr) {
    return false;
  }
  const int status = finding.shown->status();
  if (failure.ruled) {
    return status == failure.status && status / 100 != 2;
  }
  const bool same = status / 100 == failure.status / 100 && status / 100 != 2;
  return same || (item.expect.want == Want::kAccepted && status / 100 != 5);
}

// True if a case passed for another reason: no server error came, or a rejection that is not the
// one of the plain request.
bool passed_by_itself(const Outcome& outcome, const Case& item, const Failure& failure) {
  const auto want = item.expect.want;
  const bool rejected = (want == Want::kRejected || want == Want::kUnauthorized) &&
                        outcome.steps.back().status != failure.status;
  return outcome.verdict == Verdict::kPassed &&
         (rejected || (want == Want::kHandled && item.expect.gateway));
}

// True if the failure explains the outcome of a case that lost `lost` findings by it.
bool is_concerned(const Outcome& outcome, std::size_t lost, const Failure& failure) {
  const int status = outcome.steps.back().status;
  return !failure.ruled || lost != 0 || (status == failure.status && status / 100 != 2);
}

Outcome with_cause(Outcome outcome, const std::string& why, const Failure& failure) {
  outcome.reason = {why + ": see " + failure.case_id, Reason::Kind::kOther, failure.case_id};
  outcome.verdict = verdict_of(outcome);
  if (outcome.verdict == Verdict::kFailed) {
    outcome.reason = {};
  }
  return outcome;
}

}  // namespace

void Failures::note(const std::string& operation, std::optional<Failure> failure) {
  const std::lock_guard lock(mutex_);
  if (failure) {
    failures_[operation] = std::move(*failure);
  } else {
    failures_.erase(operation);
  }
}

std::optional<Failure> Failures::find(const std::string& operation) const {
  const std::lock_guard lock(mutex_);
  const auto found = failures_.find(operation);
  return found == failures_.end() ? std::nullopt : std::optional(found->second);
}

void RootCauses::note_changing(const std::string& operation, const std::set<std::string>& places) {
  const std::lock_guard lock(mutex_);
  changing_[operation].insert(places.begin(), places.end());
}

std::set<std::string> RootCauses::changing(const std::string& operation) const {
  const std::lock_guard lock(mutex_);
  const auto found = changing_.find(operation);
  return found == changing_.end() ? std::set<std::string>{} : found->second;
}

void RootCauses::note(const Exchange& exchange, const std::string& case_id) {
  const auto& method = exchange.sent.method;
  const auto path = spec::http::path_of(exchange.sent.target);
  const bool success = exchange.status() / 100 == 2;
  const std::lock_guard lock(mutex_);
  note_silence(exchange, case_id);
  if (is_read(method)) {
    if (success) {
      places_[std::string(path)] = {};
    }
    return;
  }
  const bool deleted = success && method == "DELETE";
  const auto known = places_.find(path);
  if (spec::http::is_safe_method(method) || (known == places_.end() && !deleted)) {
    return;
  }
  auto& place = known == places_.end() ? places_[std::string(path)] : known->second;
  if (success || !place.deleted) {
    place.changed_by = case_id;
  }
  place.deleted = success ? deleted : place.deleted;
}

void RootCauses::note_removed(const std::string& target, const std::string& case_id) {
  const std::lock_guard lock(mutex_);
  places_[std::string(spec::http::path_of(target))] = {
      .deleted = true, .with_another = true, .changed_by = case_id};
}

// With the mutex held.
void RootCauses::note_silence(const Exchange& exchange, const std::string& case_id) {
  const auto now = std::chrono::steady_clock::now();
  const auto sent = now - exchange.timing.total;
  if (!exchange.has_response()) {
    if (!silence_ || sent < silence_->sent) {
      silence_ = Silence{case_id, sent, now};
    }
  } else if (silence_ && sent > silence_->given_up) {
    silence_.reset();
  }
}

std::string RootCauses::silent_since() const {
  const std::lock_guard lock(mutex_);
  return silence_ ? silence_->case_id : "";
}

std::string RootCauses::removed_by(const Exchange& exchange, const std::string& case_id,
                                   bool ruled) const {
  if (!is_gone(exchange.status())) {
    return {};
  }
  auto path = spec::http::path_of(exchange.sent.target);
  const std::lock_guard lock(mutex_);
  for (bool whole = true; !path.empty(); whole = false) {
    const auto found = places_.find(path);
    const bool gone = found != places_.end() && (whole || found->second.deleted) &&
                      (!ruled || found->second.with_another);
    if (gone && !found->second.changed_by.empty() && found->second.changed_by != case_id) {
      return found->second.changed_by;
    }
    path = path.substr(0, path.rfind('/') == std::string_view::npos ? 0 : path.rfind('/'));
  }
  return {};
}

Outcome explain_by_plain(Outcome outcome, const Case& item, const Failure& failure) {
  const bool apart = item.is_plain || item.sends_nothing || item.undeclared_method;
  if (apart || outcome.verdict == Verdict::kSkipped || outcome.steps.empty()) {
    return outcome;
  }
  const auto lost = std::erase_if(outcome.findings, [&](const checks::Finding& finding) {
    return follows_from(finding, item, failure);
  });
  const bool temporary =
      outcome.verdict == Verdict::kInconclusive && is_transient(outcome.steps.back().status);
  if (temporary || passed_by_itself(outcome, item, failure) ||
      !is_concerned(outcome, lost, failure)) {
    return outcome;
  }
  return with_cause(std::move(outcome),
                    "the plain request of the operation fails (" + failure.what + ')', failure);
}

Outcome explain_by_unauthenticated(Outcome outcome, const Case& item, const Failure& failure) {
  if (!item.about_credentials || outcome.verdict == Verdict::kSkipped) {
    return outcome;
  }
  const auto lost = std::erase_if(outcome.findings, [&](const checks::Finding& finding) {
    return finding.place == "status"
               ? finding.shown != nullptr && finding.shown->status() / 100 == failure.status / 100
               : is_known(finding, failure);
  });
  if (lost == 0) {
    return outcome;
  }
  return with_cause(std::move(outcome),
                    "a request without credentials gets " + failure.what + " too", failure);
}

}  // namespace contract_tests::run
