#include "spec/schema/generate/number_value.hpp"

#include "spec/json/number.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <string>

namespace spec::schema::generate {

namespace {

using Json = nlohmann::json;

// 64 bits of mantissa: exact for the bounds of every integer format.
using Real = long double;

constexpr Real kInfinite = std::numeric_limits<Real>::infinity();
constexpr int kFewDigits = 2;
constexpr int kMaxDigits = 17;

// The number of digits behind the point: 2 for 0.07, 3 for 1e-3.
int fraction_digits(const Json& number) {
  const std::string text = spec::json::number_text(number);
  const std::size_t end = std::min(text.find_first_of("eE"), text.size());
  const std::size_t point = std::min(text.find('.'), end);
  const auto digits = static_cast<long>(end - std::min(point + 1, end));
  const long exponent = end < text.size() ? std::strtol(&text[end + 1], nullptr, 10) : 0;
  return static_cast<int>(std::clamp(digits - exponent, 0L, long{kMaxDigits}));
}

// The numbers that are allowed, in units of 10^-digits: every multiple of `step` from low to high.
struct Grid {
  int digits = 0;
  Real unit = 1;  // the unit of 1
  Real step = 1;
  Real low = -kInfinite;
  Real high = kInfinite;

  Real round_up(Real value) const {
    const Real rest = std::fmod(value, step);
    return rest > 0 ? value - rest + step : value - rest;
  }

  Real round_down(Real value) const { return -round_up(-value); }
};

Real common_multiple(Real a, Real b) {
  Real divisor = a;
  for (Real rest = b; rest != 0;) {
    const Real next = std::fmod(divisor, rest);
    divisor = rest;
    rest = next;
  }
  return a / divisor * b;
}

void add(const NumberConstraint& constraint, Grid& grid) {
  const std::string text = spec::json::number_text(constraint.bound->value);
  const Real value = std::round(std::strtold(text.c_str(), nullptr) * grid.unit);
  switch (constraint.keyword) {
    case Keyword::kMultipleOf:
      grid.step = value > 0 ? common_multiple(grid.step, value) : grid.step;
      return;
    case Keyword::kMinimum: grid.low = std::max(grid.low, value); return;
    case Keyword::kExclusiveMinimum: grid.low = std::max(grid.low, value + 1); return;
    case Keyword::kMaximum: grid.high = std::min(grid.high, value); return;
    case Keyword::kExclusiveMaximum: grid.high = std::min(grid.high, value - 1); return;
    default: return;
  }
}

// The range of "int32", "uint8" and so on.
void add_format(std::string_view name, Grid& grid) {
  const bool is_signed = name.starts_with("int");
  if (!is_signed && !name.starts_with("uint")) {
    return;
  }
  const long bits = std::strtol(std::string(name.substr(is_signed ? 3 : 4)).c_str(), nullptr, 10);
  if (bits > 0) {
    const Real span = std::ldexp(Real{1}, static_cast<int>(is_signed ? bits - 1 : bits));
    grid.low = std::max(grid.low, is_signed ? -span * grid.unit : 0);
    grid.high = std::min(grid.high, (span - 1) * grid.unit);
  }
}

Grid make_grid(const Constraints& constraints, bool whole, int min_digits) {
  Grid grid{.digits = whole ? 0 : min_digits};
  for (const NumberConstraint& each : constraints.numbers) {
    grid.digits = std::max(grid.digits, fraction_digits(each.bound->value));
  }
  grid.unit = std::pow(Real{10}, grid.digits);
  grid.step = whole ? grid.unit : 1;
  for (const NumberConstraint& each : constraints.numbers) {
    add(each, grid);
  }
  for (const formats::Format* format : constraints.formats) {
    add_format(format->name, grid);
  }
  grid.low = std::isfinite(grid.low) ? grid.round_up(grid.low) : grid.low;
  grid.high = std::isfinite(grid.high) ? grid.round_down(grid.high) : grid.high;
  return grid;
}

// Uses more digits if the bounds are close to each other.
Grid make_grid(const Constraints& constraints, bool whole) {
  Grid grid = make_grid(constraints, whole, kFewDigits);
  while (!whole && grid.low > grid.high && grid.digits < kMaxDigits) {
    grid = make_grid(constraints, whole, grid.digits + 1);
  }
  return grid;
}

Json to_number(Real value, const Grid& grid) {
  std::string text = std::to_string(std::fabs(value));
  text.resize(text.find('.'));
  const auto digits = static_cast<std::size_t>(grid.digits);
  text.insert(0, text.size() <= digits ? digits + 1 - text.size() : 0, '0');
  if (digits > 0) {
    text.insert(text.size() - digits, 1, '.');
    text.erase(text.find_last_not_of('0') + 1);
    text.erase(text.find_last_not_of('.') + 1);
  }
  return spec::json::make_number((value < 0 ? "-" : "") + text);
}

}  // namespace

std::optional<Json> number_for(const Constraints& constraints, bool whole, const NumberRange& usual,
                               text::Random& random) {
  constexpr Real kPlaces = 1000;  // if the usual range does not fit
  constexpr Real kMaxPlaces = 0x1p63L;
  const Grid grid = make_grid(constraints, whole);
  if (grid.low > grid.high) {
    return std::nullopt;
  }
  Real low = std::max(grid.low, grid.round_up(static_cast<Real>(usual.low) * grid.unit));
  Real high = std::min(grid.high, grid.round_down(static_cast<Real>(usual.high) * grid.unit));
  if (low > high) {
    const Real least =
        usual.low >= 0 && grid.high >= 0 ? 0 : std::min(low, grid.high - kPlaces * grid.step);
    low = std::isfinite(grid.low) ? grid.low : least;
    high = std::min(grid.high, low + kPlaces * grid.step);
  }
  if (!std::isfinite(low) || !std::isfinite(high)) {  // a bound is beyond what a Real can hold
    return std::nullopt;
  }
  const auto places =
      static_cast<std::uint64_t>(std::min((high - low) / grid.step, kMaxPlaces)) + 1;
  return to_number(low + static_cast<Real>(random.next_below(places)) * grid.step, grid);
}

std::vector<Json> numbers_between_multiples(const Json& value, const Constraints& constraints) {
  constexpr Real kMaxExact = 0x1p62L;
  const auto has_step = std::ranges::any_of(
      constraints.numbers, [](const auto& each) { return each.keyword == Keyword::kMultipleOf; });
  const bool whole = (constraints.types & kFractionType) == 0;
  Grid grid = make_grid(constraints, whole);
  if (!whole) {
    grid = make_grid(constraints, whole, grid.digits + 1);  // so that half a step can be written
  }
  const Real unit = whole ? grid.unit : 1;
  const Real half = std::floor(grid.step / 2 / unit) * unit;
  const Real here =
      std::round(std::strtold(spec::json::number_text(value).c_str(), nullptr) * grid.unit);
  if (!has_step || half == 0 || std::fabs(here) > kMaxExact || half > kMaxExact) {
    return {};
  }
  return {to_number(here + half, grid), to_number(here - half, grid)};
}

std::vector<NumberAtBound> numbers_at_bounds(const Constraints& constraints) {
  const Grid grid = make_grid(constraints, (constraints.types & kFractionType) == 0);
  std::vector<NumberAtBound> values;
  for (const bool is_high : {false, true}) {
    const Real bound = is_high ? grid.high : grid.low;
    for (const Real side : {-grid.step, Real{0}, grid.step}) {
      if (std::isfinite(bound)) {
        values.push_back({to_number(bound + side, grid), side == 0, is_high});
      }
    }
  }
  return values;
}

}  // namespace spec::schema::generate
