// The procedure that looks back over the whole run.

#include "contract_tests/run/procedures.hpp"

namespace contract_tests::run {

void run_tally(Trial& trial) {
  const auto counts = trial.tally().counts();
  const auto found = counts.find(trial.operation().name);
  if (found == counts.end()) {
    trial.not_run("the operation was not asked");
    return;
  }
  trial.complain(check_count(found->second), Sent{});
}

}  // namespace contract_tests::run
