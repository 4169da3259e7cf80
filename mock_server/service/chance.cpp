#include "mock_server/service/chance.hpp"

#include <cmath>
#include <numbers>

namespace mock_server::service {
namespace {

// The finaliser of SplitMix64: every bit of the input moves every bit of the result.
std::uint64_t mix(std::uint64_t value) {
  value += 0x9e3779b97f4a7c15U;
  value = (value ^ (value >> 30U)) * 0xbf58476d1ce4e5b9U;
  value = (value ^ (value >> 27U)) * 0x94d049bb133111ebU;
  return value ^ (value >> 31U);
}

}  // namespace

Chance::Chance(std::uint64_t seed, std::string_view rule, std::int64_t context)
    : state_(mix(seed)) {
  for (const char c : rule) {
    state_ = mix(state_ ^ static_cast<unsigned char>(c));
  }
  state_ = mix(state_ ^ static_cast<std::uint64_t>(context));
}

double Chance::even(std::uint64_t draw) const {
  constexpr double kSteps = 9007199254740992.0;  // 2^53
  return static_cast<double>(mix(state_ + draw) >> 11U) / kSteps;
}

// Box and Muller's transform.
double Chance::normal(std::uint64_t draw) const {
  const double radius = std::sqrt(-2.0 * std::log(1.0 - even(draw)));
  return radius * std::cos(2.0 * std::numbers::pi * even(draw + 1));
}

}  // namespace mock_server::service
