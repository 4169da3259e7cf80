#pragma once

// Filtered lists against the unfiltered one: which items a bound must keep and leave out.
// Overlap with a period and containment in it are both legal readings of a filter; items
// wholly outside are never in the response, items inside that touch the bound always are. Pure
// functions.

#include "contract_tests/checks/finding.hpp"
#include "contract_tests/checks/pages.hpp"
#include "spec/time/instant.hpp"

#include <nlohmann/json.hpp>

#include <optional>
#include <string>

namespace contract_tests::checks {

// Where the times are in an item, by the rules.
struct ItemTimes {
  std::string from;  // JSON pointer inside an item
  std::string to;
};

struct Window {
  std::optional<spec::time::Instant> from;
  std::optional<spec::time::Instant> to;
};

// Items that lie wholly inside `window`, bounds included.
Items inside(const Items& all, const ItemTimes& times, const Window& window);
// Items of `all` that lie inside `window`, bounds included, and are missing in `got`.
RuleViolations check_inclusive(const Items& all, const Items& got, const ItemTimes& times,
                               const Window& window);
// Items of `got` that lie wholly outside `window`.
RuleViolations check_leak(const Items& got, const ItemTimes& times, const Window& window);
// Every item of `narrow` must be in `wide`.
RuleViolations check_monotone(const Items& narrow, const Items& wide);
// Two spellings of the same bound must give the same items.
RuleViolations check_same_items(const Items& left, const Items& right, const std::string& rule,
                                const std::string& what);

// Entries of inner lists whose key is not `value`; items that have the entry and are not in `got`.
struct MemberRule {
  std::string list;  // "/meters"
  std::string key;   // "/id"
  std::string value;
};

RuleViolations check_member_only(const Items& got, const MemberRule& rule);
RuleViolations check_member_complete(const Items& all, const Items& got, const MemberRule& rule);

// How many of `items` have an entry of the rule; how many are in `others`.
std::size_t count_members(const Items& items, const MemberRule& rule);
std::size_t count_common(const Items& items, const Items& others);

}  // namespace contract_tests::checks
