#pragma once

// Random numbers for scenarios: a pure function of seed, rule and call number, so that a run can be
// repeated.

#include <cstdint>
#include <string_view>

namespace mock_server::service {

class Chance {
 public:
  Chance(std::uint64_t seed, std::string_view rule, std::int64_t context);

  // From [0, 1); another for each `draw`.
  double even(std::uint64_t draw) const;
  // From the standard normal distribution; uses the draws `draw` and `draw` + 1.
  double normal(std::uint64_t draw) const;

 private:
  std::uint64_t state_;
};

}  // namespace mock_server::service
