#pragma once

// A record under change: read before, changed, read again, put back. What it takes to put it back
// is noted with the run before the first change, so that an interruption does not lose it.

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

  // Reads the record as it is; false when that cannot be done, or when it shows another value than
  // the one that the subjects say is to be put back.
  bool read();

  const nlohmann::json& original() const { return original_; }

  // What `later` shows changed since then, but for `excepted` places.
  checks::RuleViolations changes(const Sent& later, const std::set<std::string>& excepted,
                             const std::string& rule) const;

  // Sends a change. Null when the response cannot be used.
  const Sent* set(const nlohmann::json& body, Want want = Want::kAccepted);
  // Notes that a change may come of a request sent in another way; false when no request would be
  // left to put it back: then none may be sent.
  bool intend();
  // Puts every field back, if a change was intended, and sees that it is; reports when it is not.
  void undo();
  // Nothing was changed: there is nothing to put back.
  void forget();

  const nlohmann::json& nothing() const { return rules_.nothing; }

  // Precondition: the rules have the field.
  const plan::FieldRules& field(const std::string& name) const { return rules_.fields.at(name); }

  // One of the field's values that it does not have now.
  nlohmann::json other_value(const std::string& name) const;
  // Such a value for every field that the response shows as it was sent.
  nlohmann::json other_values() const;
  // The value of a field of which the record shows only what was made of it; "" when it is not
  // known: the subject that is to be put back, or what the mock shows.
  std::string known_identifier(const std::string& name) const;

  // Places that may move by themselves.
  const std::set<std::string>& moves() const { return rules_.moves; }

 private:
  bool agrees_with_subjects() const;
  nlohmann::json body_of_undo() const;
  std::string key() const;

  CaseRun& case_run_;
  RequestPlan base_;
  const plan::UpdateRules& rules_;
  nlohmann::json original_;
  nlohmann::json original_normal_;
  bool intended_ = false;
};

// What carries a case out on its record: reads it, makes the change, and puts the record back.
// Nothing is changed where the record cannot be read; the trial knows why.
std::function<void(CaseRun&)> on_record(std::function<void(CaseRun&, Record&)> change);

}  // namespace contract_tests::demands
