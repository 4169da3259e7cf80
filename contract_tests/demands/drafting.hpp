#pragma once

// The operation, its plain request, and the making of a case. Each function that adds cases makes
// them from contract and rules, and knows no endpoint by name. Made by make_plan and load_cases.

#include "contract_tests/checks/response_validation.hpp"
#include "contract_tests/plan/own_record.hpp"
#include "contract_tests/plan/request_verdict.hpp"
#include "contract_tests/plan/rule_book.hpp"
#include "contract_tests/run/case.hpp"
#include "contract_tests/run/case_run.hpp"
#include "spec/contract/contract.hpp"
#include "spec/schema/generate/generator.hpp"
#include "spec/schema/schema_summary.hpp"

#include <cstddef>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace contract_tests::demands {

// Chooses the cases of an operation that stay in a plan with a limit: the plain ones, then the
// first case of each rule, then the second, beginning with other rules at each operation.

class PlanShare {
 public:
  // Room for `limit` cases of the operation of this number.
  PlanShare(std::size_t limit, std::size_t operation) : limit_(limit), operation_(operation) {}

  // False when a further case of the rule would not stay, whatever comes after it.
  bool has_room(std::string_view rule) const;
  // A case of the rule was added.
  void add(std::string_view rule);

  // A case was not made, because there was no room.
  void leave_out() { ++not_made_; }

  // For each case, in the order in which they were added: true if it stays.
  std::vector<bool> kept_cases() const;
  // The number of cases that do not stay or were not made.
  std::size_t left_out() const;

 private:
  struct Rule {
    std::size_t number = 0;  // 0 for the plain cases, which come first
    std::size_t cases = 0;
  };

  // The turn of a case, 0 for plain cases, and the number of its rule.
  using Place = std::pair<std::size_t, std::size_t>;

  std::size_t limit_;
  std::size_t operation_;
  std::map<std::string, Rule, std::less<>> rules_;
  std::vector<Place> places_;  // of each case
  std::size_t not_made_ = 0;
};

using plan::OperationRules;
using plan::Pairs;
using plan::RequestPlan;
using run::Case;
using run::CaseResponse;
using run::CaseRun;
using run::Want;
using spec::contract::StatementClass;

// Why a case is skipped when the validator cannot decide whether its request is valid.
inline constexpr const char* kOpen =
    "the validator reached a limit before it could decide whether the request is valid; simplify "
    "the "
    "pattern in the schema, or add an example";

// Why a case about a record of the run's own changes something for good.
inline constexpr const char* kStays =
    "the contract has no DELETE by which the run could remove the record that it creates";

struct Drafting {
  const spec::contract::Contract& contract;
  const spec::contract::Operation& operation;
  const OperationRules& rules;
  const plan::ListRules* list = nullptr;  // what its list must do; null if it has none
  std::span<const plan::HostileText> hostile = {};
  RequestPlan plain;  // a valid request; of names where the run knows better
  bool writes = false;
  std::string lasting = {};  // why its changes could not be undone; "" if they can
  std::shared_ptr<const plan::OwnRecord> own = nullptr;  // null if the run can have none
  bool open = false;           // the validator cannot decide whether `plain` is valid
  run::Reason unmade = {};     // why no valid request was found for `plain`; empty if one was
  bool is_given = false;       // the user gives the body of `plain`
  bool made_up = false;        // the body or path of `plain` was generated and need not exist
  PlanShare* share = nullptr;  // counts the cases; null if all stay
  // For generated cases alone.
  const spec::schema::generate::Generator* generator = nullptr;
  std::uint64_t seed = 0;
  std::vector<Case>& cases;

  // A case around the plain request: what it rests on is `source`, else the operation itself.
  Case draft(std::string sentence, std::string rule, checks::Source source) const;
  Case draft(std::string sentence, std::string rule) const;
  // The same, resting on what the rule book says of its rule.
  Case draft_by_book(std::string sentence, std::string rule) const;
  // The same of a request that a service, or a gateway before it, may accept or reject, but not by
  // a server error.
  Case draft_no_server_error(std::string sentence, std::string rule, checks::Change changed) const;
  // Gives the case its id, its needs and its lane, and appends it.
  void add(Case item) const;

  // True if the validator finds the request invalid, for certain.
  bool is_rejected(const RequestPlan& request) const;
  // Makes a case of `item` whose request must be rejected; it then rests on no more than the
  // strongest statement that the request does not satisfy. False when the contract takes it.
  bool demand_rejection(Case& item) const;
  bool is_sound(const RequestPlan& request) const;

  // The summary of the schemas of a parameter or member.
  const spec::schema::Summary& summary(const spec::schema::Schemas& schemas) const {
    return contract.summaries().summary_of(schemas);
  }

  checks::Source source_of(spec::contract::StatementId statement) const {
    return checks::source_of(contract, statement);
  }

  checks::Source source_of(const plan::RequestViolation& violated) const;
  // The source of a keyword in a parameter's schema. If only the parameter's name is assumed, its
  // values are not.
  checks::Source source_of(const spec::contract::Parameter& parameter,
                           spec::contract::StatementId statement) const;
  // A clause that rules name, in a class.
  static checks::Source clause(std::string clause, StatementClass kind);

 private:
  // True if the validator cannot decide about the request.
  bool is_open(const RequestPlan& request) const;
  // By the rules of an update: a field whose value the record does not show cannot be put back by
  // what was read. Without rules: the record that the plain request names is read and put back, or
  // the run has one of its own.
  void need_what_is_put_back(Case& item) const;
  void need_a_record(Case& item) const;
};

}  // namespace contract_tests::demands
