#pragma once

// JSON pointers with "*" for every element, as rules write them, and what is at a pointer. Pure
// functions.

#include "contract_tests/checks/finding.hpp"
#include "spec/time/instant.hpp"

#include <nlohmann/json.hpp>
#include <nlohmann/json_fwd.hpp>

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace contract_tests::checks {

// Checks that walk a value do not go deeper.
inline constexpr int kMaxDepth = 64;

// The position of a visited value. Valid during the visit.
struct Place {
  const Place* array = nullptr;  // the array that it is an element of, or inside of one; null: none
  std::size_t index = 0;         // of that element
  std::string_view below;        // its pointer from that element, or from the root

  // Its pointer: a long array has many places, and few of them are named.
  std::string text() const;
};

using VisitPlace = std::function<void(const Place&, const nlohmann::json&)>;

// Calls `visit` with each place in `value` that `pattern` names ("/items/*/meters"), and what is
// there; missing places are skipped.
void each_place(const nlohmann::json& value, std::string_view pattern, const VisitPlace& visit);

// The places at which the two differ, with "*" for every element. A list of another length is one
// place, and so are a map with other keys and a member that one of them lacks.
std::set<std::string> differing_places(const nlohmann::json& left, const nlohmann::json& right);

// Takes what is at the places out of `value`: members are removed, all else is null.
void drop_places(nlohmann::json& value, const std::set<std::string>& places);

// The date-time at `pointer`; nothing if there is none.
std::optional<spec::time::Instant> instant_at(const nlohmann::json& value,
                                              const std::string& pointer);

// The text of a string, or the JSON text of any other value, cut at 60 characters.
std::string shown(const nlohmann::json& value);

// A record before and after a change, compared member by member. Pure functions.

// Members of the record that differ, but for those at `expected` and `volatile_fields` (JSON
// pointers): each a violation of `rule`.
RuleViolations check_unchanged(const nlohmann::json& before, const nlohmann::json& after,
                               const std::set<std::string>& excepted, const std::string& rule);

// The value at `pointer` must be `wanted`. Text that the service trimmed or normalised (blanks,
// letter case) is a note, nothing more.
RuleViolations check_value(const nlohmann::json& record, const std::string& pointer,
                           const nlohmann::json& wanted, const std::string& rule);

// The same for a text with characters that some services drop: dropped characters are a note, any
// other change is a violation.
RuleViolations check_text(const nlohmann::json& record, const std::string& pointer,
                          const nlohmann::json& wanted, const std::string& rule);

}  // namespace contract_tests::checks
