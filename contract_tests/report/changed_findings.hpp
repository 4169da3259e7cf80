#pragma once

// Findings that are new, fixed and still there in the later of two runs, and the reason: contract,
// plan or service. Something that is the same in both runs cannot be the reason; if more than one
// is left, the reason is unknown.

#include "contract_tests/run/outcome.hpp"

#include <nlohmann/json.hpp>

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace contract_tests::report {

enum class ChangeReason : std::uint8_t { kContract, kPlan, kService, kUnknown };

// "contract", "plan", "service", "cannot tell".
std::string_view to_text(ChangeReason because);

// A run with its cases by id. Refers to the value, which must outlive it.
struct IndexedRun {
  explicit IndexedRun(const nlohmann::json& run);

  const nlohmann::json& value;
  std::map<std::string_view, const nlohmann::json*> by_id;

  // Null if the run did not select it.
  const nlohmann::json* find(std::string_view id) const;
};

run::Verdict verdict_of(const nlohmann::json& item);

// True if a case ended in a verdict on the service; null is none.
bool is_decided(const nlohmann::json* item);

// The differences between two runs that can be a reason of changes, in plain words: an array of
// {"what": "seed", "before": "1", "after": "2"}.
nlohmann::json differences(const nlohmann::json& before, const nlohmann::json& after);

class ChangeReasons {
 public:
  // Both must outlive this.
  ChangeReasons(const IndexedRun& before, const IndexedRun& after);

  // The reason of a change in the findings of these cases. If one of them got the same responses to
  // the same requests in both runs, the service is not the reason.
  ChangeReason reason_of_findings(const std::vector<std::string>& ids) const;

  // The reason for a case that only one of the runs has, or that ran in one of them alone.
  ChangeReason reason_of_selection(std::string_view id) const;

  ChangeReason reason_of_coverage() const;

 private:
  bool got_the_same_responses(const std::string& id) const;

  const IndexedRun& before_;
  const IndexedRun& after_;
  bool contract_ = false;   // it differs
  bool plan_ = false;       // what cases are, or what they are weighed by, differs
  bool selection_ = false;  // what may run differs
};

// Adds to the arrays "new", "fixed", "still_failing" and "not_seen" of `changes`: errors first in
// each, then in the order of the plan.
void add_changes_of_findings(const IndexedRun& before, const IndexedRun& after,
                             const ChangeReasons& reasons, nlohmann::json& changes);

}  // namespace contract_tests::report
