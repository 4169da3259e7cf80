#pragma once

// The results of a replay for recorded findings, by the outcomes of their cases. Pure functions.

#include "contract_tests/client/secret_texts.hpp"
#include "contract_tests/report/saved_run.hpp"
#include "contract_tests/run/case.hpp"
#include "contract_tests/run/outcome.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace contract_tests::report {

enum class ReplayState : std::uint8_t { kFixed, kStillFailing, kFailingOtherwise, kCannotTell };

std::string_view to_text(ReplayState state);  // "fixed", "still failing", ...

// One recorded finding, as it is now.
struct ReplayedFinding {
  ReplayState state = ReplayState::kCannotTell;
  std::string reason;
  bool needs_all_cases = false;  // a replay of some cases cannot decide it
  std::string operation;         // "GET /customers/{customer_id}"
  std::string place;
  std::string case_id;
  std::string fingerprint;
};

// The result of a finding that was not replayed.
ReplayedFinding cannot_tell(const SelectedFinding& recorded, std::string reason);

// `outcomes` are by index into `plan`, before repeated findings are merged; a case that is in
// neither gives kCannotTell.
std::vector<ReplayedFinding> compare_replay(const std::vector<SelectedFinding>& recorded,
                                            const run::Plan& plan, const run::Outcomes& outcomes,
                                            const client::Secrets& secrets);

// A line for each finding, with the number of its cases, then the counts.
std::string replay_text(const std::vector<ReplayedFinding>& replayed);

// 1 where something fails, still or otherwise; else 3 where a state is kCannotTell; else 0.
int exit_of(const std::vector<ReplayedFinding>& replayed);

}  // namespace contract_tests::report
