#pragma once

// A record that a case changes: read, changed, read again, restored. The undo is noted in the run
// before the first change, so that an interruption does not lose it.

#include "contract_tests/demands/drafting.hpp"

#include <nlohmann/json.hpp>

#include <functional>
#include <set>
#include <string>

namespace contract_tests::demands {

class Record {
 public:
  // Precondition: the operation has rules on updates.
  // `base` is the request that reads when its body changes nothing; the case's own by default.
  explicit Record(CaseRun& case_run);
  Record(CaseRun& case_run, RequestPlan base);

  // Reads the record as it is; false when that fails, when it shows another value than the subject
  // that the undo would restore, or when the operation has not restored a record before.
  bool read();

  const nlohmann::json& original() const { return original_; }

  // The places where `later` differs from the original, but for `excepted`.
  checks::RuleViolations changes(const CaseResponse& later, const std::set<std::string>& excepted,
                                 const std::string& rule) const;

  // Sends a change. Null when the response cannot be used.
  const CaseResponse* set(const nlohmann::json& body, Want want = Want::kAccepted);
  // Notes that another request may change the record; false when no request would be left to undo
  // it: then the request must not be sent.
  bool intend();
  // Restores every field, if a change was intended, and checks it; reports a failure.
  void undo();
  // Nothing was changed: there is nothing to undo.
  void forget();

  const nlohmann::json& nothing() const { return rules_.nothing; }

  // Precondition: the rules have the field.
  const plan::FieldRules& field(const std::string& name) const { return rules_.fields.at(name); }

  // One of the field's values that it does not have now.
  nlohmann::json other_value(const std::string& name) const;
  // Such a value for every field that the response shows as it was sent.
  nlohmann::json other_values() const;
  // The value of a field that the record shows only in a derived form: the subject to restore, or
  // the mock's own value; "" when it is unknown.
  std::string known_identifier(const std::string& name) const;

  // Places that may change by themselves.
  const std::set<std::string>& volatile_fields() const { return rules_.volatile_fields; }

 private:
  bool agrees_with_subjects() const;
  bool may_change();
  RequestPlan request_of_undo() const;
  std::string path() const;
  std::string key() const;

  CaseRun& case_run_;
  RequestPlan base_;
  const plan::UpdateRules& rules_;
  nlohmann::json original_;
  nlohmann::json original_normal_;
  bool intended_ = false;
};

// The function of a case about a record: reads it, makes the change, and restores the record.
// Changes nothing where the record cannot be read; the case run has the reason.
std::function<void(CaseRun&)> run_on_record(std::function<void(CaseRun&, Record&)> change);

// Updates by rules. A changed field is shown and stored, and nothing else changes
// (update_cases.cpp); single values are stored or rejected, and rejected requests change nothing
// (field_value_cases.cpp). Every case undoes its changes.

void add_update_cases(const Drafting& drafting);

// All of these need rules on updates.

// Makes `item`, whose request must be rejected, check that its record does not change; with
// keep_records, also the other record that the rules name.
void keep_record(const Drafting& drafting, Case& item);
void keep_records(const Drafting& drafting, Case& item);
// Makes `item` undo what its request changed.
void take_back(Case& item);
// Makes `item` send `extra`, of members that the body does not have, beside a change of one field.
void change_beside(const Drafting& drafting, Case& item, const nlohmann::json& extra);

// For the three files alone.
Case update_case(const Drafting& drafting, std::string sentence, std::string rule,
                 StatementClass kind = StatementClass::kDocument);
Case unauthorized_change(const Drafting& drafting, std::string sentence, nlohmann::json body);
void add_value_cases(const Drafting& drafting, const std::string& name,
                     const plan::FieldRules& field);
void add_rejected_changes(const Drafting& drafting);

// The place of the field that the case is about.
const std::string& place_of(const CaseRun& case_run, const Record& record);

// The response, if there is one, must show every field of `body`.
void check_shown(CaseRun& case_run, const Record& record, const CaseResponse* seen,
                 const nlohmann::json& body);

}  // namespace contract_tests::demands
