#pragma once

// What a record changes by itself while it is read (the running period of a history, the state of a
// review), out of rules. Two readings may differ in that, and in nothing else.

#include "contract_tests/plan/rules.hpp"

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace contract_tests::run {

// Belongs to one trial.
class VolatileFields {
 public:
  explicit VolatileFields(const plan::OperationRules& rules);

  // Whether the rules know of anything that moves.
  bool possible() const { return !places_.empty(); }

  // Gives what moves in `body` the values that it had in the body that was seen first.
  void freeze(nlohmann::json& body);

 private:
  void freeze_newest(nlohmann::json& items);
  void copy_places(const nlohmann::json& from, nlohmann::json& to) const;

  std::vector<std::string> places_;  // in the record, or in the newest item of a list
  std::string items_;                // JSON pointer of the list; unused for a record
  std::string newest_;               // in an item: the time by which one is the newest
  nlohmann::json seen_;              // null before the first body
};

// Whether `after` differs from `before` in something that moves by itself.
bool has_changed_by_itself(const plan::OperationRules& rules, nlohmann::json before, nlohmann::json after);

// Whether `left` tells of a newer part than `right`; false of a record, which has no parts.
bool is_newer(const plan::OperationRules& rules, const nlohmann::json& left,
              const nlohmann::json& right);

}  // namespace contract_tests::run
