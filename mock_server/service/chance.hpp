#pragma once

// What happens by chance: numbers that are a pure function of seed, rule and call, so that the same
// run comes out the same.

#include <cstdint>
#include <string_view>

namespace mock_server::service {

class Chance {
 public:
  Chance(std::uint64_t seed, std::string_view rule, std::int64_t call);

  // From [0, 1); another for each `draw`.
  double even(std::uint64_t draw) const;
  // From the standard normal distribution; uses the draws `draw` and `draw` + 1.
  double normal(std::uint64_t draw) const;

 private:
  std::uint64_t state_;
};

}  // namespace mock_server::service
