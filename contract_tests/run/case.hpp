#pragma once

// A case: what is asked, what is expected, why, and what carries it out. Made by the demands of
// contract, rules and case files before the first byte is sent, so that a plan can be listed,
// hashed and reported.

#include "contract_tests/checks/finding.hpp"
#include "contract_tests/plan/request_plan.hpp"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace contract_tests::run {

class CaseRun;

// What a response to a request must be, as far as its status goes.
enum class Want : std::uint8_t {
  kAccepted,      // a declared success
  kRejected,       // 4xx: the request breaks a rule
  kUnauthorized,  // 401, or another 4xx that says so
  kHandled,       // success or 4xx: both are legal, 5xx is not
  kStatus,        // one of `statuses`
  kAnything       // validated by what carries the case out
};

struct Expectation {
  Want want = Want::kAccepted;
  std::vector<int> statuses;
  nlohmann::json body = nlohmann::json::object();  // JSON pointer -> value, on accepted answers
  // Whether what is before the service, which knows nothing of its errors, may reject (4xx).
  bool gateway = false;
  // Nothing but an assumption excludes the request, so that a service may sensibly accept it: that
  // is worth a note there. The mock must keep assumptions too.
  bool may_accept = false;

  friend bool operator==(const Expectation&, const Expectation&) = default;
};

// Why a case exists: the rule that it tries, and what that rests on.
struct Why {
  std::string rule;
  checks::Source source;

  friend bool operator==(const Why&, const Why&) = default;
};

// What a run must have or allow for a case to be carried out.
struct Needs {
  bool writes = false;  // may change something, if it is accepted
  // What it may change is read before and written back after by other operations of the contract
  // (plan/restoration.hpp): the record that its path names.
  bool restores_record = false;
  std::string lasting = {};  // why what it may change could not be put back; "" where it can
  bool probes = false;       // methods outside the contract
  bool burst = false;        // many requests at once
  bool mock_only = false;  // asks the mock for a response by name
  bool other_token = false;
  bool member = false;  // the list holds the member that the rules filter by
  // The subject that is put back after a change; on the mock the record itself tells it.
  std::string restores = {};
  std::set<std::string> subjects;

  friend bool operator==(const Needs&, const Needs&) = default;
};

struct Case {
  std::string operation;       // id in the contract
  std::string operation_name;  // "PATCH /brands/{id}"
  std::string sentence;        // "a page size of 101 is rejected or cut to 100"
  std::string id;              // operation and slug of the sentence; unique
  Why why;
  // Carries the case out: sends what it needs, compares what came, undoes what it did. Where there
  // is none, the request is sent, and the response validated like any.
  std::function<void(CaseRun&)> run;
  plan::RequestPlan request;
  Expectation expect;
  std::optional<plan::RequestPlan> variant;  // sent besides; its response must be the same
  std::vector<plan::RequestPlan> others;  // what else it sends that is known: about other records
  std::string field;                      // of an update: the one that it is about
  std::string changed;             // what the request does differently from a plain one, in words
  std::string lane;                // cases of one lane run one after another; "" runs beside any
  std::string unavailable;         // why it cannot run whatever the server; "" normally
  bool made_up = false;            // of a body or path that nobody promised to exist
  bool generated = false;          // by seed: where it fails, its request is made smaller
  bool undeclared_method = false;  // its method is none of the contract's
  bool sends_nothing = false;      // it is about what all other cases saw
  Needs needs;
};

// Letters, digits and single underscores, as a GoogleTest name must be ("page_size_101"). A minus
// before a digit becomes "minus_", so that -1 and 1 differ.
std::string slug(std::string_view sentence);

// Every request that the case is made of: its own, and those that it is known to send besides.
std::vector<plan::RequestPlan> requests_of(const Case& item);

// Whether an update case may change the field of this name.
bool touches(const Case& item, const std::string& field);

struct Plan {
  std::vector<Case> cases;
  // Values for the ${OPERATION.PARAMETER} that no subject names: of examples, else made up.
  std::map<std::string, std::string> made_up;
  std::uint64_t seed = 0;
  std::string rules;  // hash of the rules that the cases were made by

  // Of cases, rules and seed: the same plan gives the same 16 hex digits.
  std::string hash() const;
};

}  // namespace contract_tests::run
