#pragma once

// JSON pointers with "*" for every element, as rules write them. Pure functions.

#include <nlohmann/json.hpp>

#include <functional>
#include <string>
#include <string_view>

namespace contract_tests::checks {

// Checks that walk a value do not go deeper.
inline constexpr int kMaxDepth = 64;

// Calls `visit` with the pointer and the value of each place in `value` that `pattern` names
// ("/items/*/meters"); a place that is not there is passed over.
void each_place(const nlohmann::json& value, std::string_view pattern,
                const std::function<void(const std::string&, const nlohmann::json&)>& visit);

// The text of a string, or the JSON text of any other value, cut at 60 characters.
std::string shown(const nlohmann::json& value);

}  // namespace contract_tests::checks
