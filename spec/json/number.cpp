#include "spec/json/number.hpp"

#include "spec/json/decimal.hpp"
#include "spec/json/events.hpp"
#include "spec/json/value.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>

namespace spec::json {
namespace {

using Json = nlohmann::json;

// Numbers that int64, uint64 and double cannot reproduce as written are binary values of this
// subtype, whose bytes are the text. Nothing else makes binary values.
constexpr std::uint64_t kExactNumber = 0x6E756D62U;

// Integers below this are doubles, and the shortest decimal of such a double is the integer itself.
constexpr double kExactDoubles = 9007199254740992.0;
constexpr std::int64_t kExactIntegers = 9007199254740992;

// Doubles are written without exponent while the point is in or near the digits.
constexpr int kMinPlainPoint = -6;
constexpr int kMaxPlainPoint = 21;

bool is_exact(const Json& value) {
  return value.is_binary() && value.get_binary().has_subtype() &&
         value.get_binary().subtype() == kExactNumber;
}

std::string_view exact_text(const Json& number) {
  const auto& bytes = number.get_binary();
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

Json make_exact(std::string_view text) {
  Json::binary_t::container_type bytes(text.begin(), text.end());
  // Json::binary() would destroy a half-made value if memory runs out.
  return Json(Json::binary_t(std::move(bytes), kExactNumber));
}

template <typename T>
void append_chars(std::string& out, T value) {
  std::array<char, 32> buffer{};
  const auto result = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
  out.append(buffer.data(), result.ptr);
}

// Lays out `digits` with the point after the first `point` of them.
void append_layout(std::string& out, std::string_view digits, int point) {
  const int count = static_cast<int>(digits.size());
  if (point <= kMinPlainPoint || point > kMaxPlainPoint) {
    out += digits[0];
    if (count > 1) {
      out += '.';
      out += digits.substr(1);
    }
    out += point > 0 ? "e+" : "e-";
    append_chars(out, std::abs(point - 1));
  } else if (point <= 0) {
    out += "0.";
    out.append(static_cast<std::size_t>(-point), '0');
    out += digits;
  } else if (point >= count) {
    out += digits;
    out.append(static_cast<std::size_t>(point - count), '0');
    out += ".0";
  } else {
    out += digits.substr(0, static_cast<std::size_t>(point));
    out += '.';
    out += digits.substr(static_cast<std::size_t>(point));
  }
}

// The shortest decimal that reads back as `value`, always with a '.' or an exponent, so that it
// reads back as a double.
void append_double(std::string& out, double value) {
  if (!std::isfinite(value)) {
    out += "null";
    return;
  }
  if (std::signbit(value)) {
    out += '-';
  }
  std::array<char, 32> buffer{};
  const auto result = std::to_chars(buffer.data(), buffer.data() + buffer.size(), std::abs(value),
                                    std::chars_format::scientific);
  const std::string_view text(buffer.data(), static_cast<std::size_t>(result.ptr - buffer.data()));
  const std::size_t mark = text.find('e');
  int exponent = 0;
  const std::size_t sign = text[mark + 1] == '+' ? 1 : 0;
  std::from_chars(text.data() + mark + 1 + sign, result.ptr, exponent);
  std::array<char, 24> digits{};
  digits[0] = text[0];
  std::size_t count = 1;
  if (mark > 2) {
    count += text.copy(digits.data() + 1, mark - 2, 2);
  }
  append_layout(out, {digits.data(), count}, exponent + 1);
}

// True when `text` is surely what append_double makes of the double it reads as: at most fifteen
// digits, which a double keeps, in the plain layout and without superfluous zeros.
bool is_plain_double(std::string_view text) {
  const std::size_t dot = text.find('.');
  if (text.size() > 16 || dot == std::string_view::npos || text.find_first_of("eE") != text.npos) {
    return false;
  }
  const std::string_view fraction = text.substr(dot + 1);
  return (fraction == "0" || fraction.back() != '0') && !fraction.starts_with("00000");
}

// Natural numbers are unsigned, as nlohmann's own parser makes them.
Json make_integer(std::string_view text) {
  const char* end = text.data() + text.size();
  std::uint64_t natural = 0;
  std::int64_t number = 0;
  if (!text.starts_with('-')) {
    const bool fits = std::from_chars(text.data(), end, natural).ec == std::errc{};
    return fits ? Json(natural) : make_exact(text);
  }
  const bool fits = std::from_chars(text.data(), end, number).ec == std::errc{};
  return fits && number != 0 ? Json(number) : make_exact(text);
}

bool is_finite_double(const Json& number) {
  return number.is_number_float() && std::isfinite(number.get<double>());
}

Decimal to_decimal(const Json& number) {
  if (number.is_number_float() && !std::isfinite(number.get<double>())) {
    return {};
  }
  return parse_decimal(number_text(number));
}

// The value when it is an integer that a double holds as exactly as its decimal, in either form.
std::optional<std::int64_t> small_integer(const Json& number) {
  if (number.is_number_integer()) {
    const bool fits = !number.is_number_unsigned() ||
                      number.get<std::uint64_t>() <= std::uint64_t{kExactIntegers};
    const auto value = fits ? number.get<std::int64_t>() : 0;
    if (fits && value >= -kExactIntegers && value <= kExactIntegers) {
      return value;
    }
  } else if (number.is_number_float()) {
    const auto value = number.get<double>();
    if (std::abs(value) < kExactDoubles) {
      const auto whole = static_cast<std::int64_t>(value);
      return static_cast<double>(whole) == value ? std::optional(whole) : std::nullopt;
    }
  }
  return std::nullopt;
}

// Two native integers, whatever their signs.
std::strong_ordering compare_integers(const Json& left, const Json& right) {
  const auto is_negative = [](const Json& number) {
    return !number.is_number_unsigned() && number.get<std::int64_t>() < 0;
  };
  if (is_negative(left) != is_negative(right)) {
    return is_negative(left) ? std::strong_ordering::less : std::strong_ordering::greater;
  }
  return is_negative(left) ? left.get<std::int64_t>() <=> right.get<std::int64_t>()
                           : left.get<std::uint64_t>() <=> right.get<std::uint64_t>();
}

// A decimal of few digits: `digits` / 10^`scale`.
struct ShortDecimal {
  std::int64_t digits = 0;
  int scale = 0;
};

constexpr int kMaxScale = 4;
constexpr std::array<std::int64_t, kMaxScale + 1> kPowers{1, 10, 100, 1'000, 10'000};

// The value of a number that is written with at most fourteen digits, few of them after the point.
// Decimals of so many digits are all different doubles: one that reads as the number is its
// shortest.
std::optional<ShortDecimal> short_decimal(const Json& number) {
  constexpr std::int64_t kMaxDigits = 99'999'999'999'999;
  if (const auto whole = small_integer(number)) {
    const bool fits = *whole <= kMaxDigits && *whole >= -kMaxDigits;
    return fits ? std::optional(ShortDecimal{*whole, 0}) : std::nullopt;
  }
  const double value = number.is_number_float() ? number.get<double>() : 1e18;
  for (int scale = 1; scale <= kMaxScale; ++scale) {
    const auto power = static_cast<double>(kPowers.at(static_cast<std::size_t>(scale)));
    const double digits = std::nearbyint(value * power);
    if (!(std::abs(digits) <= static_cast<double>(kMaxDigits))) {
      return std::nullopt;
    }
    if (digits / power == value) {
      return ShortDecimal{static_cast<std::int64_t>(digits), scale};
    }
  }
  return std::nullopt;
}

// Products of fourteen digits and a power are below 10^18.
bool is_multiple(const ShortDecimal& number, const ShortDecimal& divisor) {
  const int scale = std::max(number.scale, divisor.scale);
  const auto scaled = [scale](const ShortDecimal& decimal) {
    return decimal.digits * kPowers.at(static_cast<std::size_t>(scale - decimal.scale));
  };
  return scaled(number) % scaled(divisor) == 0;
}

}  // namespace

Type type_of(const Json& value) {
  switch (value.type()) {
    case Json::value_t::null:
    case Json::value_t::discarded: return Type::kNull;
    case Json::value_t::boolean: return Type::kBoolean;
    case Json::value_t::string: return Type::kString;
    case Json::value_t::array: return Type::kArray;
    case Json::value_t::object: return Type::kObject;
    default: return Type::kNumber;
  }
}

bool is_number(const Json& value) {
  return type_of(value) == Type::kNumber;
}

bool is_number_text(std::string_view text) {
  if (text.empty() || (text[0] != '-' && (text[0] < '0' || text[0] > '9'))) {
    return false;
  }
  Lexer lexer(text);
  return lexer.number(text) && lexer.at_end();
}

Json make_number(std::string_view text) {
  if (text.find_first_of(".eE") == std::string_view::npos) {
    return make_integer(text);
  }
  double number = 0;
  if (std::from_chars(text.data(), text.data() + text.size(), number).ec != std::errc{}) {
    return make_exact(text);
  }
  if (!is_plain_double(text)) {
    std::string printed;
    append_double(printed, number);
    if (printed != text) {
      return make_exact(text);
    }
  }
  return number;
}

void append_number(std::string& out, const Json& number) {
  switch (number.type()) {
    case Json::value_t::number_integer: append_chars(out, number.get<std::int64_t>()); break;
    case Json::value_t::number_unsigned: append_chars(out, number.get<std::uint64_t>()); break;
    case Json::value_t::number_float: append_double(out, number.get<double>()); break;
    default: out += is_exact(number) ? exact_text(number) : "null"; break;
  }
}

std::string number_text(const Json& number) {
  std::string text;
  append_number(text, number);
  return text;
}

std::string number_key(const Json& number) {
  const auto whole = to_int64(number);
  if (whole) {
    return std::to_string(*whole);
  }
  constexpr std::int64_t kMaxZeros = 40;
  const auto [is_negative, digits, point] = to_decimal(number);
  const auto size = static_cast<std::int64_t>(digits.size());
  const std::string sign = is_negative ? "-" : "";
  if (point < -kMaxZeros || point - size > kMaxZeros) {
    return sign + digits + 'e' + std::to_string(point - size);
  }
  if (point >= size) {
    return sign + digits + std::string(static_cast<std::size_t>(point - size), '0');
  }
  if (point <= 0) {
    return sign + "0." + std::string(static_cast<std::size_t>(-point), '0') + digits;
  }
  return sign + digits.substr(0, static_cast<std::size_t>(point)) + '.' +
         digits.substr(static_cast<std::size_t>(point));
}

bool is_integer(const Json& value) {
  if (value.is_number_integer()) {
    return true;
  }
  if (value.is_number_float()) {
    // From 2^52 on every double is an integer, and so is its shortest decimal.
    const auto number = value.get<double>();
    return !(std::abs(number) < kExactDoubles) ||
           static_cast<double>(static_cast<std::int64_t>(number)) == number;
  }
  return is_number(value) && is_integer(to_decimal(value));
}

std::strong_ordering compare_numbers(const Json& left, const Json& right) {
  const auto small_left = small_integer(left);
  const auto small_right = small_integer(right);
  if (small_left && small_right) {
    return *small_left <=> *small_right;
  }
  if (left.is_number_integer() && right.is_number_integer()) {
    return compare_integers(left, right);
  }
  // Different doubles have different shortest decimals in the same order; small integers are
  // doubles.
  const bool are_doubles =
      (small_left || is_finite_double(left)) && (small_right || is_finite_double(right));
  if (are_doubles) {
    const double low = small_left ? static_cast<double>(*small_left) : left.get<double>();
    const double high = small_right ? static_cast<double>(*small_right) : right.get<double>();
    return low < high ? std::strong_ordering::less
                      : (low > high ? std::strong_ordering::greater : std::strong_ordering::equal);
  }
  return compare(to_decimal(left), to_decimal(right));
}

bool is_multiple_of(const Json& number, const Json& divisor) {
  const auto small_number = small_integer(number);
  const auto small_divisor = small_integer(divisor);
  if (small_number && small_divisor && *small_divisor > 0) {
    return *small_number % *small_divisor == 0;
  }
  const auto short_number = short_decimal(number);
  const auto short_divisor = short_decimal(divisor);
  if (short_number && short_divisor && short_divisor->digits > 0) {
    return is_multiple(*short_number, *short_divisor);
  }
  return is_multiple(to_decimal(number), to_decimal(divisor));
}

// A number that is the shortest decimal of its nearest double is hashed as that double, else as its
// digits: those of one double are many.
void add_number(KeyedHash& hash, const Json& number) {
  const double nearest = to_double(number);
  if (!number.is_number_float() && !small_integer(number)) {
    const Decimal exact = to_decimal(number);
    if (exact != to_decimal(Json(nearest))) {
      hash.add(std::uint64_t{exact.negative});
      hash.add(static_cast<std::uint64_t>(exact.point));
      return hash.add(exact.digits);
    }
  }
  hash.add(std::bit_cast<std::uint64_t>(nearest + 0.0));  // -0.0 becomes 0.0
}

std::optional<std::int64_t> to_int64(const Json& value) {
  if (const auto small = small_integer(value)) {
    return small;
  }
  if (!is_number(value)) {
    return std::nullopt;
  }
  const Decimal decimal = to_decimal(value);
  constexpr std::int64_t kMaxDigits = std::numeric_limits<std::int64_t>::digits10 + 1;
  if (!is_integer(decimal) || decimal.point > kMaxDigits) {
    return std::nullopt;
  }
  if (decimal.digits.empty()) {
    return 0;
  }
  std::string text = (decimal.negative ? "-" : "") + decimal.digits;
  text.append(static_cast<std::size_t>(decimal.point) - decimal.digits.size(), '0');
  std::int64_t whole = 0;
  const auto result = std::from_chars(text.data(), text.data() + text.size(), whole);
  return result.ec == std::errc{} ? std::optional(whole) : std::nullopt;
}

double to_double(const Json& number) {
  if (!number.is_binary()) {
    return number.get<double>();
  }
  const std::string_view text = exact_text(number);
  double value = 0;
  if (std::from_chars(text.data(), text.data() + text.size(), value).ec == std::errc{}) {
    return value;
  }
  // Out of range; from_chars does not report at which end.
  const Decimal decimal = parse_decimal(text);
  value = decimal.point > 0 ? std::numeric_limits<double>::infinity() : 0.0;
  return decimal.negative ? -value : value;
}

}  // namespace spec::json
