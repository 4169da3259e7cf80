#pragma once

// A case: its request, what is expected, why it exists, and the function that runs it. Made from
// contract, rules and case files before the first byte is sent, so that a plan can be listed,
// hashed and reported.

#include "contract_tests/checks/finding.hpp"
#include "contract_tests/plan/own_record.hpp"
#include "contract_tests/plan/request_plan.hpp"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace contract_tests::run {

// Why a case has no verdict: it was not carried out, or what it got says nothing of the service.
// `words` are for people; what follows from a reason is decided by its kind.
struct Reason {
  enum class Kind : std::uint8_t {
    kOther,
    // By what the run may do (consent, settings, the contract itself): the case counts as not
    // covered. Of any other kind it should have run.
    kNotAllowed,
    kSubject,    // one is not set
    kUnmade,     // no valid request was found, unless subjects give one
    kUnmakable,  // no valid request was found, and subjects cannot give one
    kLimited,    // the service limits its callers (429)
    kRepeated    // another operation has the same finding, in the case `caused_by`
  };

  Reason() = default;

  Reason(const char* why) : words(why) {}

  Reason(std::string why, Kind of_kind = Kind::kOther, std::string because_of = {})
      : words(std::move(why)), kind(of_kind), caused_by(std::move(because_of)) {}

  bool empty() const { return words.empty(); }

  bool is_not_allowed() const { return kind == Kind::kNotAllowed; }

  bool is_repeated() const { return kind == Kind::kRepeated; }

  // True if no valid request was found.
  bool is_unmade() const { return kind == Kind::kUnmade || kind == Kind::kUnmakable; }

  friend bool operator==(const Reason&, const Reason&) = default;

  std::string words;
  Kind kind = Kind::kOther;
  std::string caused_by;  // id of the case whose failure explains it; "" without such a case
};

// The subject `name` is not set.
inline Reason no_subject(const std::string& name) {
  return {"the subject " + name + " is not set; see --print-subjects", Reason::Kind::kSubject};
}

// The response is not that of the service, or not the usual one.
inline Reason reason_of_status(int status, std::string words) {
  constexpr int kTooManyRequests = 429;
  return {std::move(words),
          status == kTooManyRequests ? Reason::Kind::kLimited : Reason::Kind::kOther};
}

// The findings of an operation are those of the case with this id.
inline Reason repeated(const std::string& case_id) {
  return {"the same for other operations too: see " + case_id, Reason::Kind::kRepeated, case_id};
}

class CaseRun;

// The expected status of a response.
enum class Want : std::uint8_t {
  kAccepted,      // a declared success
  kRejected,      // 4xx: the request is invalid
  kUnauthorized,  // 401, or another 4xx that names credentials
  kHandled,       // success or 4xx: both are legal, 5xx is not
  kStatus,        // one of `statuses`
  kAnything       // the function of the case checks it
};

// "accepted", "rejected", "unauthorized", "handled", "status", "anything": as case files write
// them.
std::string_view to_text(Want want);
// Precondition: `text` is one of those.
Want want_from(std::string_view text);

struct Expectation {
  Want want = Want::kAccepted;
  std::vector<int> statuses;
  nlohmann::json body = nlohmann::json::object();  // JSON pointer -> value, on accepted responses
  // True if a gateway in front of the service, which does not know its errors, may reject (4xx).
  bool gateway = false;
  // The request violates only an assumption, so a service may accept it, which is a note. The mock
  // must satisfy assumptions too.
  bool may_accept = false;

  friend bool operator==(const Expectation&, const Expectation&) = default;
};

// Why a case exists: the rule that it tests, and the source of that rule.
struct CaseBasis {
  std::string rule;
  checks::Source source;

  friend bool operator==(const CaseBasis&, const CaseBasis&) = default;
};

// The conditions for running a case.
struct Needs {
  bool writes = false;  // may change something, if it is accepted
  // The record in its path is read before and written back after by other operations of the
  // contract (plan/reversible_changes.hpp).
  bool restores_record = false;
  std::string lasting = {};  // why a change could not be undone; "" if it can
  bool own_record = false;   // is about a record that the run has created
  bool list = false;         // compares the items of a list in several responses
  bool probes = false;       // methods outside the contract
  bool burst = false;        // many requests at once
  bool mock_only = false;    // asks for a response with a preference of the mock
  bool other_token = false;
  bool member = false;  // the list has the member that the rules filter by
  // The subject whose value is restored after a change; on the mock the record shows it.
  std::string restores = {};
  std::set<std::string> subjects;

  friend bool operator==(const Needs&, const Needs&) = default;
};

// NOLINTNEXTLINE(bugprone-exception-escape): nlohmann's moves assert, they never throw.
struct Case {
  std::string operation;       // id in the contract
  std::string operation_name;  // "PATCH /brands/{id}"
  std::string sentence;        // "a page size of 101 is rejected or cut to 100"
  // Its name everywhere: "GET_customers_customer_id.a_plain_request_succeeds"; unique.
  std::string id;
  CaseBasis basis;
  // Runs the case: sends its requests, compares the responses, undoes its changes. Where it is
  // empty, the request is sent, and the response validated like any.
  std::function<void(CaseRun&)> run;
  plan::RequestPlan request;
  Expectation expect;
  std::optional<plan::RequestPlan> variant;  // sent too; its response must be the same
  std::vector<plan::RequestPlan> others;     // further requests that are known: about other records
  std::string field;                         // of an update: the one that it is about
  checks::Change changed;                    // how the request differs from a plain one
  std::string lane;      // cases of one lane run one after another; "" runs beside any
  Reason obstacle;       // why it cannot run whatever the server (kNotAllowed), or has no request
  bool made_up = false;  // its body or path was generated and need not exist
  bool refers = false;   // its query has a generated text or number that may name what is not there
  bool generated = false;  // by seed: when it fails, its request is reduced
  bool is_plain = false;   // the operation's plain request; its failure explains others
  // Sends no credentials where some are needed, so that it must be rejected.
  bool is_unauthenticated = false;
  // Must be rejected because of its credentials. Inconclusive if the unauthenticated case is not
  // rejected.
  bool about_credentials = false;
  bool undeclared_method = false;        // the contract does not have its method
  bool sends_nothing = false;            // it checks the responses of all other cases
  bool sends_its_request_alone = false;  // although it has `run`
  Needs needs;
  // The way to records of the run's own for this operation; null if there is none.
  std::shared_ptr<const plan::OwnRecord> own = nullptr;
};

// Letters, digits and single underscores, as a GoogleTest name must be ("page_size_101"). A minus
// before a digit becomes "minus_", so that -1 and 1 differ.
std::string slug(std::string_view sentence);

// Slugs of operation and sentence with "." between, as GoogleTest's filter takes it.
std::string name_of(std::string_view operation_name, std::string_view sentence);

// Every request of the case that is known before it runs.
std::vector<std::reference_wrapper<const plan::RequestPlan>> requests_of(const Case& item);

// True if the case compares the responses to two equal requests.
bool repeats_its_request(const Case& item);

// True if an update case may change the field of this name.
bool touches(const Case& item, const std::string& field);

struct Plan {
  std::vector<Case> cases;
  // Values for the ${OPERATION.PARAMETER} that no subject names: of examples, else made up.
  std::map<std::string, std::string> made_up;
  // By operation id: what its requests must have beside the path; those that need nothing are left
  // out.
  std::map<std::string, plan::RequestPlan, std::less<>> required;
  std::uint64_t seed = 0;
  std::string rules;         // hash of the rules that the cases were made by
  std::size_t left_out = 0;  // cases beyond the limit of a plan

  // The hash of cases, rules and seed, 16 hex digits.
  std::string hash() const;
};

}  // namespace contract_tests::run
