#include "contract_tests/run/status.hpp"

#include "contract_tests/checks/wire.hpp"
#include "spec/http/message.hpp"
#include "spec/text/ascii.hpp"
#include "spec/text/quote.hpp"
#include "spec/time/instant.hpp"

#include <algorithm>
#include <array>
#include <ctime>
#include <iterator>
#include <string>
#include <vector>

namespace contract_tests::run {

using checks::RuleViolation;
using spec::contract::Operation;
using spec::contract::Response;
using spec::contract::StatementClass;

std::string named(int status) {
  const auto phrase = spec::http::reason_phrase(status);
  return std::to_string(status) + (phrase.empty() ? "" : " " + std::string(phrase));
}

namespace {

RuleViolation status_violation(const CaseBasis& why, const std::string& must, int status) {
  return {why.rule, "status", must, "is " + named(status), {}, why.source};
}

// Statuses that a server usually rejects a bad request with.
constexpr std::array<int, 9> kRejections{400, 404, 405, 409, 410, 413, 415, 422, 501};

// True if the operation declares a success; if not, `default` declares it.
bool declares_success(const Operation& operation) {
  return std::ranges::any_of(operation.responses, &Response::is_success);
}

// An operation that declares neither a success nor `default` succeeds by what it declares: a
// redirect of a download, say. Beside a redirect, an error is no success.
bool is_only_declared_kind(const Operation& operation, const Response* response, int status) {
  const auto has = [&operation](int kind) {
    return std::ranges::any_of(operation.responses, [kind](const Response& other) {
      return (other.status != 0 ? other.status / 100 : other.range) == kind;
    });
  };
  const int lowest_error = has(3) ? 400 : 500;
  return response != nullptr && !has(0) && !declares_success(operation) && status < lowest_error;
}

void want_success(const Operation& operation, const CaseBasis& why, int status,
                  StatusVerdict& verdict) {
  const auto* response = operation.response(status);
  if (is_only_declared_kind(operation, response, status)) {
    verdict.accepted = true;
    return;
  }
  if (status / 100 != 2) {
    verdict.violations.push_back(status_violation(why, "must be a success (2xx)", status));
    return;
  }
  verdict.accepted = true;
  const bool declared =
      response != nullptr &&
      (response->status == status || response->range == 2 || !declares_success(operation));
  const bool partial = status == 206;  // defined by HTTP, validated by its fields
  if (!declared && !partial) {
    verdict.violations.push_back({"status/undeclared-success", "status",
                                  "must be a declared success status", "is " + named(status)});
    verdict.accepted = false;
  }
}

// A request that violates only an assumption, or nothing (an unknown identifier), may be accepted,
// but must not end in a server error that the contract does not declare.
RuleViolation not_rejected(const Operation& operation, const Expectation& expect,
                           const CaseBasis& why, int status) {
  auto violation = status_violation(why, "must be a rejection (4xx)", status);
  const bool is_valid = why.rule.starts_with("status/") && operation.response(status) == nullptr;
  if (status / 100 == 5 && (expect.may_accept || is_valid)) {
    violation.rule = is_valid                        ? "status/hostile"
                     : why.rule.starts_with("body/") ? "body/hostile"
                                                     : "parameter/hostile";
    violation.source.reset();
  } else if (expect.may_accept) {
    violation.severity = checks::Severity::kNote;
  }
  return violation;
}

void want_rejection(const Operation& operation, const Expectation& expect, const CaseBasis& why,
                    int status, StatusVerdict& verdict) {
  if (status / 100 != 4 && status != 501) {
    verdict.violations.push_back(not_rejected(operation, expect, why, status));
  } else if (std::ranges::find(kRejections, status) == kRejections.end()) {
    std::vector<std::string> usual;
    std::ranges::transform(kRejections, std::back_inserter(usual),
                           [](int rejection) { return std::to_string(rejection); });
    verdict.violations.push_back(
        {"status/unusual-rejection", "status",
         "must be a usual rejection (" + spec::text::join_alternatives(usual) + ")",
         "is " + named(status)});
  }
}

// A token that is invalid everywhere does not show that accounts are separated.
bool proves_nothing(const CaseBasis& why, int status) {
  return why.rule == "auth/other-account" && status == 401;
}

void want_unauthorized(const CaseBasis& why, int status, StatusVerdict& verdict) {
  if (status == 401) {
    return;
  }
  if (status / 100 == 4) {
    verdict.violations.push_back(
        {"status/unusual-rejection", "status", "must be 401 Unauthorized", "is " + named(status)});
    return;
  }
  verdict.violations.push_back(status_violation(why, "must be 401 Unauthorized", status));
}

void want_listed(const Expectation& expect, const CaseBasis& why, int status,
                 StatusVerdict& verdict) {
  if (std::ranges::find(expect.statuses, status) == expect.statuses.end()) {
    std::string list;
    for (const int wanted : expect.statuses) {
      spec::text::append_to_list(list, named(wanted), " or ");
    }
    verdict.violations.push_back(status_violation(why, "must be " + list, status));
  }
  verdict.accepted = status / 100 == 2;
}

}  // namespace

bool is_documented_failure(const spec::contract::Contract& contract, const Operation& operation,
                           int status) {
  const auto* response = operation.response(status);
  return response != nullptr && response->status == status && status >= 500 &&
         contract.statement(response->statement).statement_class == StatementClass::kDocument;
}

bool is_transient(int status) {
  return status == 429 || status == 502 || status == 503 || status == 504;
}

bool is_gone(int status) {
  return status == 404 || status == 410;
}

std::optional<std::chrono::milliseconds> wait_asked_for(const client::Exchange& exchange) {
  const auto field = exchange.response.headers.find("Retry-After");
  if (!field) {
    return std::nullopt;
  }
  if (const auto seconds = spec::text::parse_number<int>(*field); seconds && *seconds >= 0) {
    return std::chrono::seconds(*seconds);
  }
  const auto date = spec::time::parse_http_date(*field);
  return date ? std::optional(
                    std::chrono::seconds(std::max<std::int64_t>(*date - std::time(nullptr), 0)))
              : std::nullopt;
}

StatusVerdict check_status(const spec::contract::Contract& contract, const Operation& operation,
                           const Expectation& expect, const CaseBasis& why, int status) {
  StatusVerdict verdict;
  const bool asked_for = std::ranges::find(expect.statuses, status) != expect.statuses.end();
  if (!asked_for && is_transient(status)) {
    verdict.inconclusive = named(status);
    return verdict;
  }
  if (!asked_for && proves_nothing(why, status)) {
    verdict.cannot_test =
        "the other token is invalid (401); pass a valid one of another account with --other-token";
    return verdict;
  }
  const bool may_fail = expect.want == Want::kAccepted || expect.want == Want::kStatus ||
                        expect.want == Want::kAnything;
  if (!asked_for && may_fail && is_documented_failure(contract, operation, status)) {
    verdict.inconclusive = named(status) + ", a documented failure of the service";
    return verdict;
  }
  switch (expect.want) {
    case Want::kAccepted: want_success(operation, why, status, verdict); break;
    case Want::kRejected: want_rejection(operation, expect, why, status, verdict); break;
    case Want::kUnauthorized: want_unauthorized(why, status, verdict); break;
    case Want::kHandled:
      if (status / 100 == 2 ||
          is_only_declared_kind(operation, operation.response(status), status)) {
        want_success(operation, why, status, verdict);
      } else {
        want_rejection(operation, expect, why, status, verdict);
      }
      break;
    case Want::kStatus: want_listed(expect, why, status, verdict); break;
    case Want::kAnything: verdict.accepted = status / 100 == 2; break;
  }
  return verdict;
}

namespace {

// The statuses of a count, in words: "429" or "502 and 503".
std::string list_of(const std::map<int, std::size_t>& statuses) {
  std::string list;
  for (const auto& [status, count] : statuses) {
    spec::text::append_to_list(list, std::to_string(status), " and ");
  }
  return list;
}

}  // namespace

void Tally::note(const std::string& operation, int status) {
  const std::lock_guard lock(mutex_);
  auto& count = counts_[operation];
  ++count.responses;
  ++count.statuses[status];
}

void Tally::note_recovery(const std::string& operation, std::size_t gateway_errors) {
  const std::lock_guard lock(mutex_);
  counts_[operation].gateway_errors += gateway_errors;
}

void Tally::note_invalid(const std::string& operation, bool accepted) {
  const std::lock_guard lock(mutex_);
  auto& count = counts_[operation];
  ++count.invalid;
  count.accepted += accepted ? 1 : 0;
}

std::map<std::string, Count> Tally::counts() const {
  const std::lock_guard lock(mutex_);
  return counts_;
}

checks::RuleViolations check_count(const Count& count) {
  constexpr std::size_t kMinResponses = 8;
  checks::RuleViolations violations;
  if (count.responses < kMinResponses) {
    return violations;
  }
  const bool never_usable = std::ranges::all_of(
      count.statuses, [](const auto& entry) { return is_transient(entry.first); });
  if (never_usable) {
    violations.push_back(
        {"status/never-usable", "status", "must succeed sometimes",
         "all " + std::to_string(count.responses) + " responses were " + list_of(count.statuses)});
  }
  if (count.gateway_errors > 1) {
    violations.push_back(
        {"status/flaky", "status", "must not fail now and then",
         std::to_string(count.gateway_errors) + " of " + std::to_string(count.responses) +
             " responses were gateway errors (502, 503, 504) that the same request did not get "
             "again"});
  }
  return violations;
}

checks::RuleViolations check_acceptance(const std::map<std::string, Count>& counts) {
  constexpr std::size_t kMany = 12;
  std::size_t invalid = 0;
  std::size_t accepted = 0;
  for (const auto& [operation, count] : counts) {
    invalid += count.invalid;
    accepted += count.accepted;
  }
  if (invalid < kMany || accepted != invalid) {
    return {};
  }
  return {{"status/accepts-everything", "status", "must reject invalid requests",
           "accepted all " + std::to_string(invalid) + " of them: it seems to check nothing"}};
}

}  // namespace contract_tests::run
