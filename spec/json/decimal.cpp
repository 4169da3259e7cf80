#include "spec/json/decimal.hpp"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <vector>

namespace spec::json {
namespace {

constexpr std::int64_t kMaxExponent = 1'000'000'000'000'000'000;
// A remainder below 10^18 times ten plus a digit fits 64 bits.
constexpr std::size_t kMaxWordDigits = 18;

std::int64_t parse_exponent(std::string_view text) {
  if (text.starts_with('+')) {
    text.remove_prefix(1);
  }
  std::int64_t exponent = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), exponent);
  if (error != std::errc{}) {
    exponent = text.starts_with('-') ? -kMaxExponent : kMaxExponent;
  }
  return std::clamp(exponent, -kMaxExponent, kMaxExponent);
}

// A natural number in limbs of 32 bits, the lowest first, none at the top that is zero.
class Natural {
 public:
  explicit Natural(std::string_view digits = {}) {
    for (const char digit : digits) {
      append_digit(static_cast<std::uint32_t>(digit - '0'));
    }
  }

  // *this = *this * 10 + digit.
  void append_digit(std::uint32_t digit) {
    std::uint64_t carry = digit;
    for (std::uint32_t& limb : limbs_) {
      carry += std::uint64_t{limb} * 10U;
      limb = static_cast<std::uint32_t>(carry);
      carry >>= 32U;
    }
    if (carry != 0) {
      limbs_.push_back(static_cast<std::uint32_t>(carry));
    }
  }

  bool is_zero() const { return limbs_.empty(); }

  // Divides by `divisor` if that leaves no remainder; else false and unchanged.
  bool divide_exactly(std::uint32_t divisor) {
    std::vector<std::uint32_t> quotient(limbs_.size());
    std::uint64_t remainder = 0;
    for (std::size_t i = limbs_.size(); i-- > 0;) {
      remainder = (remainder << 32U) | limbs_[i];
      quotient[i] = static_cast<std::uint32_t>(remainder / divisor);
      remainder %= divisor;
    }
    if (remainder != 0) {
      return false;
    }
    limbs_ = std::move(quotient);
    trim();
    return true;
  }

  bool at_least(const Natural& other) const {
    if (limbs_.size() != other.limbs_.size()) {
      return limbs_.size() > other.limbs_.size();
    }
    return !std::lexicographical_compare(limbs_.rbegin(), limbs_.rend(), other.limbs_.rbegin(),
                                         other.limbs_.rend());
  }

  // Precondition: *this >= other.
  void subtract(const Natural& other) {
    std::int64_t borrow = 0;
    for (std::size_t i = 0; i < limbs_.size(); ++i) {
      borrow += limbs_[i];
      borrow -= i < other.limbs_.size() ? std::int64_t{other.limbs_[i]} : 0;
      limbs_[i] = static_cast<std::uint32_t>(borrow);
      borrow >>= 32;
    }
    trim();
  }

 private:
  void trim() {
    while (!limbs_.empty() && limbs_.back() == 0) {
      limbs_.pop_back();
    }
  }

  std::vector<std::uint32_t> limbs_;
};

bool divides_word(std::uint64_t divisor, std::int64_t shift, std::string_view digits) {
  for (const std::uint64_t factor : {2U, 5U}) {
    for (std::int64_t i = 0; i < shift && divisor % factor == 0; ++i) {
      divisor /= factor;
    }
  }
  std::uint64_t remainder = 0;
  for (const char digit : digits) {
    remainder = (remainder * 10U + static_cast<std::uint64_t>(digit - '0')) % divisor;
  }
  return remainder == 0;
}

bool divides_natural(Natural divisor, std::int64_t shift, std::string_view digits) {
  for (const std::uint32_t factor : {2U, 5U}) {
    for (std::int64_t i = 0; i < shift && divisor.divide_exactly(factor); ++i) {
    }
  }
  Natural remainder;
  for (const char digit : digits) {
    remainder.append_digit(static_cast<std::uint32_t>(digit - '0'));
    while (remainder.at_least(divisor)) {
      remainder.subtract(divisor);
    }
  }
  return remainder.is_zero();
}

}  // namespace

Decimal parse_decimal(std::string_view text) {
  Decimal number;
  number.negative = text.starts_with('-');
  if (number.negative) {
    text.remove_prefix(1);
  }
  const std::size_t mark = text.find_first_of("eE");
  const std::string_view mantissa = text.substr(0, mark);
  const std::size_t dot = std::min(mantissa.find('.'), mantissa.size());
  number.digits.reserve(mantissa.size());
  number.digits = mantissa.substr(0, dot);
  if (dot < mantissa.size()) {
    number.digits += mantissa.substr(dot + 1);
  }
  number.digits.erase(number.digits.find_last_not_of('0') + 1);
  const std::size_t zeros = number.digits.find_first_not_of('0');
  if (zeros == std::string::npos) {
    return {};
  }
  number.digits.erase(0, zeros);
  number.point = static_cast<std::int64_t>(dot) - static_cast<std::int64_t>(zeros);
  if (mark != std::string_view::npos) {
    number.point += parse_exponent(text.substr(mark + 1));
  }
  return number;
}

bool is_integer(const Decimal& number) {
  return static_cast<std::int64_t>(number.digits.size()) <= number.point || number.digits.empty();
}

std::strong_ordering compare(const Decimal& left, const Decimal& right) {
  const auto sign = [](const Decimal& number) {
    return number.digits.empty() ? 0 : (number.negative ? -1 : 1);
  };
  if (sign(left) != sign(right) || sign(left) == 0) {
    return sign(left) <=> sign(right);
  }
  const Decimal& low = left.negative ? right : left;
  const Decimal& high = left.negative ? left : right;
  if (low.point != high.point) {
    return low.point <=> high.point;
  }
  return low.digits.compare(high.digits) <=> 0;
}

// With number = a * 10^p and divisor = b * 10^q, a and b natural and not ending in zero: for
// p < q no quotient is an integer, since a does not end in zero; else b must divide a * 10^(p-q),
// that is, b less its factors 2 and 5, up to p-q of each, must divide a.
bool is_multiple(const Decimal& number, const Decimal& divisor) {
  if (number.digits.empty()) {
    return true;
  }
  const std::int64_t shift = (number.point - static_cast<std::int64_t>(number.digits.size())) -
                             (divisor.point - static_cast<std::int64_t>(divisor.digits.size()));
  if (shift < 0) {
    return false;
  }
  if (divisor.digits.size() > kMaxWordDigits) {
    return divides_natural(Natural(divisor.digits), shift, number.digits);
  }
  std::uint64_t word = 0;
  std::from_chars(divisor.digits.data(), divisor.digits.data() + divisor.digits.size(), word);
  return divides_word(word, shift, number.digits);
}

}  // namespace spec::json
