#pragma once

// The operations that a request to an unknown path may have meant, by the segments of their paths.
// Pure functions.

#include "spec/contract/contract.hpp"

#include <cstddef>
#include <string_view>
#include <vector>

namespace mock_server::control::journal {

struct NearestLimits {
  std::size_t operations = 3;
  // Two for each equal segment, one for a probably misspelt one.
  std::size_t min_points = 1;
};

// Nearest first: those with the most equal segments; among equals, first those of the same method,
// then those with the nearest number of segments. The path's first segments may be a server's.
// `path` is without a session's prefix.
std::vector<const spec::contract::Operation*> nearest_operations(
    const spec::contract::Contract& contract, std::string_view method, std::string_view path,
    const NearestLimits& limits = {});

}  // namespace mock_server::control::journal
