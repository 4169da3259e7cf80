#pragma once

// Exact sums of plain decimals ("12.50"), of any length. Pure functions.

#include <optional>
#include <string_view>

namespace contract_tests::checks {

// True when result = max(0, minuend - subtrahend), compared as values. Nothing when one of the
// three is no decimal, or is negative, so that the rule says nothing about it.
std::optional<bool> is_difference(std::string_view result, std::string_view minuend,
                                  std::string_view subtrahend);

}  // namespace contract_tests::checks
