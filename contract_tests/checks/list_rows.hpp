#pragma once

// Items of a list against a filter or an order. Where makers differ (letter case, blanks, missing
// values, values at the very bound), nothing is decided. Pure functions.

#include "contract_tests/checks/list_items.hpp"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace contract_tests::checks {

enum class Fit : std::uint8_t { kIn, kOut, kUndecided };

// True of an item by its value at `at`, by the relation `is` (plan/list_rules.hpp) to `value`. In
// fit_loosely() a text that contains the value, in any letter case, has it where `is_free`; in
// fit_exactly() it must be the same.
Fit fit_loosely(const nlohmann::json& item, const std::string& at, std::string_view is,
                const nlohmann::json& value, bool is_free);
Fit fit_exactly(const nlohmann::json& item, const std::string& at, std::string_view is,
                const nlohmann::json& value);

// Values to filter by, the best first: those that some of the items have and others have not, and
// then those of `listed` that none has.
std::vector<nlohmann::json> filter_values(const Items& items, const std::string& at,
                                          std::string_view is,
                                          const std::vector<nlohmann::json>& listed);

// Texts of an item by which a search should find it: its members', at the top or one level below.
std::vector<std::string> texts_of(const nlohmann::json& item);

// True if `before` must come after `behind` in every order that makers may have.
bool are_out_of_order(const nlohmann::json& before, const nlohmann::json& behind,
                      const std::string& at, bool descending);

// The first item that must not come before the next one; none if all may.
std::optional<std::size_t> first_out_of_order(const Items& items, const std::string& at,
                                              bool descending);

// True if two items have values whose order is certain.
bool has_different_values(const Items& items, const std::string& at);

}  // namespace contract_tests::checks
