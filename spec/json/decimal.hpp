#pragma once

// Numbers as digits and the place of the point, for comparisons that no native type makes exactly.
// Only number.cpp uses it. Sizes are linear in the text; an exponent is never expanded. Pure
// functions, safe from any thread.

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>

namespace spec::json {

// The value is 0.DIGITS * 10^point, negated if `negative`. `digits` has no zero at either end;
// zero has no digits, point 0 and no sign.
struct Decimal {
  bool negative = false;
  std::string digits;
  std::int64_t point = 0;

  friend bool operator==(const Decimal&, const Decimal&) = default;
};

// Precondition: `text` is a JSON number (RFC 8259 §6). An exponent beyond ±10^18 counts as that.
Decimal parse_decimal(std::string_view text);

bool is_integer(const Decimal& number);

std::strong_ordering compare(const Decimal& left, const Decimal& right);

// True when number / divisor is an integer. Precondition: divisor is positive.
bool is_multiple(const Decimal& number, const Decimal& divisor);

}  // namespace spec::json
