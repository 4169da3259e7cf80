#pragma once

// The seed of the random walks, the same in every run. COUNTERPART_SEED=N walks another way,
// COUNTERPART_SEED=random a way that nobody knows yet: a failure names its seed.

#include <cstdint>
#include <cstdlib>
#include <random>
#include <string>

namespace mock_server::service {

inline std::uint64_t walk_seed() {
  const char* const given = std::getenv("COUNTERPART_SEED");
  if (given == nullptr) {
    return 1;
  }
  return std::string(given) == "random" ? std::random_device{}() : std::stoull(given);
}

// The text that names the seed in a failure.
inline std::string seed_trace(std::uint64_t seed) {
  return "COUNTERPART_SEED=" + std::to_string(seed);
}

}  // namespace mock_server::service
