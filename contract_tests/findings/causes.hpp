#pragma once

// Findings grouped by cause, as people read them: one violated statement at one place, in however
// many cases and operations it was met. Pure functions of outcomes; every report lists causes.

#include "contract_tests/checks/finding.hpp"
#include "contract_tests/run/case.hpp"
#include "contract_tests/run/outcome.hpp"

#include <nlohmann/json_fwd.hpp>

#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace contract_tests::findings {

struct Cause {
  const run::Case* item = nullptr;           // the first case that met it, a failed one if any did
  const run::Outcome* outcome = nullptr;     // of that case
  const checks::Finding* finding = nullptr;  // of that outcome
  std::vector<std::string> operations;       // names, in the order in which they met it
  std::size_t cases = 0;                     // that met it
};

class Causes {
 public:
  // Errors first, known ones behind the others, then warnings, then notes; in the plan's order
  // within each. `plan` and `outcomes`
  // (by index into the plan) must outlive this.
  Causes(const run::Plan& plan, const run::Outcomes& outcomes);

  const std::vector<Cause>& all() const { return causes_; }

  // Precondition: `finding` is one of the outcomes.
  std::size_t index_of(const checks::Finding& finding) const {
    return indices_.at(key_of(finding, checks::KeyScope::kCause));
  }

 private:
  std::vector<Cause> causes_;
  std::map<std::string, std::size_t> indices_;
};

// The cause in the form of run.schema.json.
nlohmann::json to_json(const Cause& cause);

// One line: "error parameter/maximum GET /customers and 2 more: query/page_size 101: must be
// rejected, but is 200 [7 cases]". `cause` is one of the run value.
std::string line_of(const nlohmann::json& cause);

// The same without severity and rule.
std::string sentence_of(const nlohmann::json& cause);

}  // namespace contract_tests::findings
