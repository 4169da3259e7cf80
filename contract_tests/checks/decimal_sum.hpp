#pragma once

// Plain decimals ("12.50") of any length: exact sums, and their value as a text. Pure functions.

#include <optional>
#include <string>
#include <string_view>

namespace contract_tests::checks {

// True when result = max(0, minuend - subtrahend), compared as values. Nothing when one of the
// three is no decimal, or is negative, where the rule does not apply.
std::optional<bool> is_difference(std::string_view result, std::string_view minuend,
                                  std::string_view subtrahend);

// `text` without needless zeros, so that equal decimals are equal texts ("-007.50" is "-7.5", "-0"
// is "0"). Nothing when it is no plain decimal.
std::optional<std::string> plain_decimal(std::string_view text);

}  // namespace contract_tests::checks
