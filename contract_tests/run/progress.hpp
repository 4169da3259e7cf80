#pragma once

// How far a run is.

#include <cstddef>

namespace contract_tests::run {

// How far the selected cases are.
struct Progress {
  std::size_t of = 0;
  std::size_t done = 0;
  std::size_t failed = 0;
};

}  // namespace contract_tests::run
