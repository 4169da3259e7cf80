#pragma once

// Fields that change by themselves between two equal requests (the running period of a history, the
// state of a review), as the rules name them. Two responses may differ in those and in nothing
// else.

#include "contract_tests/plan/rules.hpp"

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace contract_tests::run {

// Belongs to one case run.
class VolatileFields {
 public:
  explicit VolatileFields(const plan::OperationRules& rules);

  // Whether the rules name volatile fields.
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

// Whether `after` differs from `before` in a volatile field.
bool has_changed_by_itself(const plan::OperationRules& rules, nlohmann::json before,
                           nlohmann::json after);

// Whether `left` has a newer newest item than `right`; false for a record, which has no items.
bool is_newer(const plan::OperationRules& rules, const nlohmann::json& left,
              const nlohmann::json& right);

}  // namespace contract_tests::run
