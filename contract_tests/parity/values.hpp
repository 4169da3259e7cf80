#pragma once

// Two values compared member by member. Pure functions.

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace contract_tests::parity {

struct Difference {
  std::string pointer;     // JSON pointer of the place
  nlohmann::json mock;     // discarded where the mock's value has no such place
  nlohmann::json service;  // the same of the service's
};

// The places at which the values differ, in order, twenty at most. Lists of different lengths are
// one difference. A text with "redacted-" and twelve hexadecimal digits, which a recording has in
// the place of a private value, differs from nothing.
std::vector<Difference> differences(const nlohmann::json& mock, const nlohmann::json& service);

// "absent", or the value as JSON, cut.
std::string shown_value(const nlohmann::json& value);

}  // namespace contract_tests::parity
