#include "spec/schema/samples/numbers.hpp"

#include "spec/json/number.hpp"

#include <algorithm>
#include <numeric>
#include <string>

namespace spec::schema::samples {

namespace {

__extension__ using Wide = __int128;
using Json = nlohmann::json;

constexpr std::int64_t kLeastPlaces = 10;  // that a range of coarse steps has
constexpr int kMaxDigits = 30;             // of a scaled number: what Wide holds with room for sums

// An exact number as digits and a power of ten.
struct Scaled {
  Wide digits = 0;
  int power = 0;  // of ten, at most 0
};

std::optional<Wide> times_power_of_ten(Wide value, int power) {
  for (; power > 0; --power) {
    if (value > (Wide{1} << 120U) / 10 || value < -((Wide{1} << 120U) / 10)) {
      return std::nullopt;
    }
    value *= 10;
  }
  return value;
}

// Nothing for a number with more digits than are handled here.
std::optional<Scaled> read(const Json& number) {
  const std::string text = spec::json::number_text(number);
  const auto exponent_at = std::min(text.find_first_of("eE"), text.size());
  Scaled scaled;
  int digits = 0;
  bool fraction = false;
  for (const char c : std::string_view(text).substr(0, exponent_at)) {
    if (c == '.') {
      fraction = true;
    } else if (c != '-') {
      scaled.digits = scaled.digits * 10 + (c - '0');
      scaled.power -= fraction ? 1 : 0;
      if (scaled.digits != 0 && ++digits > kMaxDigits) {
        return std::nullopt;
      }
    }
  }
  if (text.front() == '-') {
    scaled.digits = -scaled.digits;
  }
  if (exponent_at < text.size()) {
    const std::string exponent = text.substr(exponent_at + 1);
    if (exponent.size() > 4) {
      return std::nullopt;
    }
    scaled.power += std::stoi(exponent);
  }
  while (scaled.power < 0 && scaled.digits % 10 == 0) {
    scaled.digits /= 10;
    ++scaled.power;
  }
  if (scaled.power > 0) {
    const auto whole = times_power_of_ten(scaled.digits, scaled.power);
    return whole ? std::optional{Scaled{*whole, 0}} : std::nullopt;
  }
  return scaled.power < -kMaxDigits ? std::nullopt : std::optional{scaled};
}

// `value` * 10^-scale as a JSON number.
Json write(Wide value, int scale) {
  const bool negative = value < 0;
  std::string digits;
  for (Wide rest = negative ? -value : value; rest != 0; rest /= 10) {
    digits.insert(digits.begin(), static_cast<char>('0' + static_cast<int>(rest % 10)));
  }
  const auto places = static_cast<std::size_t>(scale);
  if (digits.size() <= places) {
    digits.insert(0, places + 1 - digits.size(), '0');
  }
  if (places > 0) {
    digits.insert(digits.size() - places, 1, '.');
    digits.erase(digits.find_last_not_of('0') + 1);
    if (digits.back() == '.') {
      digits.pop_back();
    }
  }
  return spec::json::make_number((negative ? "-" : "") + digits);
}

// The grid that a shape's numbers lie on: every `step`-th multiple of 10^-scale in [low, high].
struct Grid {
  int scale = 0;
  Wide step = 1;
  std::optional<Wide> low;
  std::optional<Wide> high;
};

Wide round_up(Wide value, Wide step) {
  const Wide rest = ((value % step) + step) % step;
  return rest == 0 ? value : value + step - rest;
}

Wide round_down(Wide value, Wide step) {
  return value - ((value % step) + step) % step;
}

// The range that an integer format leaves; nothing for other formats.
void narrow_by_format(const formats::Format& format, Grid& grid, Wide unit) {
  struct Width {
    std::string_view name;
    unsigned bits;
    bool is_signed;
  };

  static constexpr Width kWidths[] = {
      {"int8", 8, true},   {"uint8", 8, false},   {"int16", 16, true}, {"uint16", 16, false},
      {"int32", 32, true}, {"uint32", 32, false}, {"int64", 64, true}, {"uint64", 64, false}};
  for (const Width& width : kWidths) {
    if (format.name == width.name) {
      const Wide span = Wide{1} << (width.is_signed ? width.bits - 1 : width.bits);
      const Wide low = width.is_signed ? -span * unit : 0;
      const Wide high = (span - 1) * unit;
      grid.low = std::max(grid.low.value_or(low), low);
      grid.high = std::min(grid.high.value_or(high), high);
    }
  }
}

class GridMaker {
 public:
  // Fractions have at least `digits` digits behind the point.
  GridMaker(const Shape& shape, bool whole, int digits)
      : shape_(shape), whole_(whole), digits_(digits) {}

  std::optional<Grid> run() {
    for (const Demand& demand : shape_.numbers) {
      const auto scaled = read(demand.bound->value);
      if (!scaled) {
        return std::nullopt;
      }
      grid_.scale = std::max(grid_.scale, -scaled->power);
      numbers_.push_back(*scaled);
    }
    if (!whole_) {
      grid_.scale = std::max(grid_.scale, digits_);
    }
    const auto unit = times_power_of_ten(1, grid_.scale);
    if (!unit) {
      return std::nullopt;
    }
    grid_.step = whole_ ? *unit : 1;
    return take_demands() ? finish(*unit) : std::nullopt;
  }

 private:
  bool take_demands() {
    for (std::size_t i = 0; i < numbers_.size(); ++i) {
      const auto value = times_power_of_ten(numbers_[i].digits, grid_.scale + numbers_[i].power);
      if (!value || !take(shape_.numbers[i].keyword, *value)) {
        return false;
      }
    }
    return true;
  }

  bool take(Keyword keyword, Wide value) {
    switch (keyword) {
      case Keyword::kMultipleOf: {
        const Wide divisor = gcd(grid_.step, value);
        const auto factor = value / divisor;
        if (factor > (Wide{1} << 100U) / grid_.step) {
          return false;
        }
        grid_.step *= factor;
        return true;
      }
      case Keyword::kMinimum: raise(value); return true;
      case Keyword::kExclusiveMinimum: raise(value + 1); return true;
      case Keyword::kMaximum: lower(value); return true;
      default: lower(value - 1); return true;
    }
  }

  static Wide gcd(Wide a, Wide b) {
    while (b != 0) {
      a = std::exchange(b, a % b);
    }
    return a;
  }

  void raise(Wide value) { grid_.low = std::max(grid_.low.value_or(value), value); }

  void lower(Wide value) { grid_.high = std::min(grid_.high.value_or(value), value); }

  std::optional<Grid> finish(Wide unit) {
    for (const formats::Format* format : shape_.formats) {
      narrow_by_format(*format, grid_, unit);
    }
    if (grid_.low) {
      grid_.low = round_up(*grid_.low, grid_.step);
    }
    if (grid_.high) {
      grid_.high = round_down(*grid_.high, grid_.step);
    }
    return grid_;
  }

  const Shape& shape_;
  bool whole_;
  int digits_;
  Grid grid_;
  std::vector<Scaled> numbers_;
};

bool is_empty(const Grid& grid) {
  return grid.low && grid.high && *grid.low > *grid.high;
}

// A grid with room between bounds that lie close to each other.
std::optional<Grid> make_grid(const Shape& shape, bool whole) {
  constexpr int kFewDigits = 2;
  constexpr int kManyDigits = 20;
  auto grid = GridMaker(shape, whole, kFewDigits).run();
  for (int digits = kFewDigits + 1; grid && is_empty(*grid) && !whole && digits <= kManyDigits;
       ++digits) {
    grid = GridMaker(shape, whole, digits).run();
  }
  return grid;
}

}  // namespace

std::optional<Json> number_for(const Shape& shape, bool whole, const UsualRange& usual,
                               Random& random) {
  if (whole && shape.numbers.empty() && shape.formats.empty()) {
    const auto places = static_cast<std::uint64_t>(usual.high - usual.low);
    const std::int64_t value = usual.low + static_cast<std::int64_t>(random.below(places + 1));
    return value < 0 ? Json(value) : Json(static_cast<std::uint64_t>(value));
  }
  auto grid = make_grid(shape, whole);
  if (!grid || is_empty(*grid)) {
    return std::nullopt;
  }
  const Wide unit = *times_power_of_ten(1, grid->scale);
  Wide low = round_up(usual.low * unit, grid->step);
  Wide high = round_down(usual.high * unit, grid->step);
  const Wide least = grid->step > unit ? grid->step * kLeastPlaces : grid->step;
  const Wide width = std::max(high - low, least);
  if (grid->low && (low < *grid->low || (grid->high && high > *grid->high))) {
    low = *grid->low;
  } else if (grid->high && high > *grid->high) {
    low = round_up(*grid->high - width, grid->step);
  }
  high = round_down(low + width, grid->step);
  if (grid->high) {
    high = std::min(high, *grid->high);
  }
  const auto places = static_cast<std::uint64_t>((high - low) / grid->step) + 1;
  return write(low + static_cast<Wide>(random.below(places)) * grid->step, grid->scale);
}

std::vector<Json> numbers_at_bounds(const Shape& shape) {
  const auto grid = make_grid(shape, (shape.types & kFractionType) == 0);
  std::vector<Json> values;
  if (!grid) {
    return values;
  }
  for (const auto& bound : {grid->low, grid->high}) {
    if (bound) {
      for (const Wide side : {-grid->step, Wide{0}, grid->step}) {
        values.push_back(write(*bound + side, grid->scale));
      }
    }
  }
  return values;
}

}  // namespace spec::schema::samples
