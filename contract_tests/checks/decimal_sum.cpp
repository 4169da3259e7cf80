#include "contract_tests/checks/decimal_sum.hpp"

#include "spec/text/ascii.hpp"

#include <algorithm>
#include <string>

namespace contract_tests::checks {

namespace {

// Digits before and after the point, without needless zeros at either end.
struct Plain {
  std::string whole;
  std::string fraction;

  friend bool operator==(const Plain&, const Plain&) = default;
};

Plain trimmed(Plain number) {
  number.whole.erase(0, number.whole.find_first_not_of('0'));
  number.fraction.erase(number.fraction.find_last_not_of('0') + 1);
  return number;
}

std::optional<Plain> parse(std::string_view text) {
  const auto point = text.find('.');
  const auto whole = text.substr(0, point);
  const auto fraction = point == std::string_view::npos ? "0" : text.substr(point + 1);
  if (!spec::text::is_all_digits(whole) || !spec::text::is_all_digits(fraction)) {
    return std::nullopt;
  }
  return trimmed({std::string(whole), std::string(fraction)});
}

bool less(const Plain& left, const Plain& right) {
  if (left.whole.size() != right.whole.size()) {
    return left.whole.size() < right.whole.size();
  }
  return left.whole != right.whole ? left.whole < right.whole : left.fraction < right.fraction;
}

Plain sum(const Plain& left, const Plain& right) {
  const auto width = std::max(left.whole.size(), right.whole.size());
  const auto depth = std::max(left.fraction.size(), right.fraction.size());
  const auto pad = [width, depth](const Plain& number) {
    return std::string(width - number.whole.size(), '0') + number.whole + number.fraction +
           std::string(depth - number.fraction.size(), '0');
  };
  auto digits = pad(left);
  const auto other = pad(right);
  int carry = 0;
  for (auto at = digits.size(); at-- > 0;) {
    const int value = digits[at] - '0' + other[at] - '0' + carry;
    digits[at] = static_cast<char>('0' + value % 10);
    carry = value / 10;
  }
  digits.insert(digits.begin(), static_cast<char>('0' + carry));
  return trimmed({digits.substr(0, width + 1), digits.substr(width + 1)});
}

}  // namespace

std::optional<bool> is_difference(std::string_view result, std::string_view minuend,
                                  std::string_view subtrahend) {
  const auto difference = parse(result);
  const auto whole = parse(minuend);
  const auto part = parse(subtrahend);
  if (!difference || !whole || !part) {
    return std::nullopt;
  }
  if (!less(*part, *whole)) {
    return *difference == Plain{};
  }
  return sum(*difference, *part) == *whole;
}

std::optional<std::string> plain_decimal(std::string_view text) {
  const bool negative = text.starts_with('-');
  const auto number = parse(text.substr(negative ? 1 : 0));
  if (!number) {
    return std::nullopt;
  }
  const auto whole = number->whole.empty() ? "0" : number->whole;
  const auto plain = number->fraction.empty() ? whole : whole + '.' + number->fraction;
  return negative && plain != "0" ? '-' + plain : plain;
}

}  // namespace contract_tests::checks
