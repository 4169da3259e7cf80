#pragma once

// How much of the outcomes of a run stays in memory: texts and exchanges of the first megabytes.
// Later ones lose what a report could not show anyway. Verdicts, statuses, places and messages
// stay. Not thread-safe: the runner holds its mutex.

#include "contract_tests/run/outcome.hpp"

#include <cstddef>

namespace contract_tests::run {

struct KeptLimits {
  std::size_t texts = 6'000'000;      // bytes of requests, responses, excerpts and curl lines
  std::size_t exchanges = 3'000'000;  // bytes of exchanges that findings point at
};

class Kept {
 public:
  explicit Kept(KeptLimits limits = {}) : limits_(limits) {}

  // Takes out of `outcome` what is beyond the limits, and counts the rest.
  void trim(Outcome& outcome);

 private:
  void trim_exchanges(Outcome& outcome);

  KeptLimits limits_;
  std::size_t texts_ = 0;
  std::size_t exchanges_ = 0;
};

}  // namespace contract_tests::run
