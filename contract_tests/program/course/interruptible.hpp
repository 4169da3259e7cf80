#pragma once

// SIGINT and SIGTERM end a run in order: changes are undone first. A second signal ends the
// program.

#include "contract_tests/run/workers/runner.hpp"
#include "spec/non_copyable.hpp"

namespace contract_tests::program::course {

// Signals interrupt `runner` until the end of this object. One at a time.
class Interruptible : spec::NonCopyable {
 public:
  explicit Interruptible(run::workers::Runner& runner);
  ~Interruptible();
};

}  // namespace contract_tests::program::course
