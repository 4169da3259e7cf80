#pragma once

// Rules for a successful JSON response beyond its schema: the identifier in the path, order of
// times, unique items, arithmetic, exact decimals. Pure functions of data.

#include "contract_tests/checks/finding.hpp"

#include <nlohmann/json_fwd.hpp>

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace contract_tests::checks {

// One rule for every success of an operation. Pointers and names are "" if the rule needs none.
struct ResponseRule {
  std::string rule;    // its id in the rule book, which selects what is compared
  std::string at;      // the places that it applies to, "*" for any element
  std::string clause;  // of the source document
  std::string path;    // path parameter
  // JSON pointers below `at`:
  std::string from;
  std::string to;
  std::string key;
  std::string result;  // = max(0, minuend - subtrahend)
  std::string minuend;
  std::string subtrahend;
};

// The members of a ResponseRule that the rule of this id needs; none for an unknown id.
std::vector<std::string_view> needed_by(std::string_view rule);

// `path` holds the path parameters of the request, decoded.
RuleViolations check_response_rules(const std::vector<ResponseRule>& rules,
                                    const nlohmann::json& body,
                                    const std::map<std::string, std::string>& path);

// True for the text of a decimal with the rounding error of a double: more than 16 of them, where
// the shortest decimal that reads back as the same double has at most 15.
bool is_inexact_decimal(std::string_view decimal);

// Plain decimals ("12.50") of any length: exact sums, and their value as a text. Pure functions.

// True when result = max(0, minuend - subtrahend), compared as values. Empty if one of the
// three is no decimal, or is negative, where the rule does not apply.
std::optional<bool> is_difference(std::string_view result, std::string_view minuend,
                                  std::string_view subtrahend);

// `text` without needless zeros, so that equal decimals are equal texts ("-007.50" is "-7.5", "-0"
// is "0"). Empty if it is no plain decimal.
std::optional<std::string> plain_decimal(std::string_view text);

}  // namespace contract_tests::checks
