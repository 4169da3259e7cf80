#include "mock_server/invoice/money.hpp"

#include <algorithm>
#include <array>

namespace mock_server::invoice {
namespace {

constexpr std::array<std::string_view, 17> kNoMinorUnit = {"BIF", "CLP", "DJF", "GNF", "ISK", "JPY",
                                                           "KMF", "KRW", "PYG", "RWF", "UGX", "UYI",
                                                           "VND", "VUV", "XAF", "XOF", "XPF"};
constexpr std::array<std::string_view, 7> kThousandths = {"BHD", "IQD", "JOD", "KWD",
                                                          "LYD", "OMR", "TND"};

// "1,234,567" for "1234567".
std::string grouped(std::string_view digits) {
  std::string text;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (i > 0 && (digits.size() - i) % 3 == 0) {
      text += ',';
    }
    text += digits[i];
  }
  return text;
}

}  // namespace

int minor_digits(std::string_view currency) {
  if (std::ranges::find(kNoMinorUnit, currency) != kNoMinorUnit.end()) {
    return 0;
  }
  return std::ranges::find(kThousandths, currency) != kThousandths.end() ? 3 : 2;
}

std::string format_amount(std::int64_t smallest_units, std::string_view currency) {
  const auto fraction = static_cast<std::size_t>(minor_digits(currency));
  // The magnitude of the smallest int64 has no int64.
  const auto bits = static_cast<std::uint64_t>(smallest_units);
  std::string digits = std::to_string(smallest_units < 0 ? ~bits + 1 : bits);
  if (digits.size() <= fraction) {
    digits.insert(0, fraction + 1 - digits.size(), '0');
  }
  const std::string_view all = digits;
  std::string text =
      (smallest_units < 0 ? "-" : "") + grouped(all.substr(0, all.size() - fraction));
  if (fraction > 0) {
    text += '.';
    text += all.substr(all.size() - fraction);
  }
  return text;
}

std::string format_decimal(std::string_view decimal) {
  const bool negative = decimal.starts_with('-');
  decimal.remove_prefix(negative ? 1 : 0);
  const std::size_t whole = std::min(decimal.find('.'), decimal.size());
  return (negative ? "-" : "") + grouped(decimal.substr(0, whole)) +
         std::string(decimal.substr(whole));
}

}  // namespace mock_server::invoice
