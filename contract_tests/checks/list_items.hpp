#pragma once

// Filtered lists against the unfiltered one: which items a bound must keep and leave out.
// Overlap with a period and containment in it are both legal readings of a filter; items
// wholly outside are never in the response, items inside that touch the bound always are. Pure
// functions.

#include "contract_tests/checks/finding.hpp"
#include "spec/time/instant.hpp"

#include <nlohmann/json.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace contract_tests::checks {

// Pages of a list, compared as values: pure functions of the items read.

using Items = std::vector<nlohmann::json>;

// A list read page by page, from the first until an empty one.
struct Walk {
  std::size_t size = 0;  // page size of the requests
  std::vector<Items> pages;
  bool ended = false;  // an empty page was read; else the walk stopped at its limit

  Items all() const;
};

// A page against the requested size. `total` is the number of items in the list, if known.
RuleViolations check_page_size(std::size_t count, std::size_t expected,
                               std::optional<std::size_t> total, const std::string& rule);

// One walk on its own: no page twice, none but the last one short.
RuleViolations check_walk(const Walk& walk);

// Two walks of the same list: the same items, each as often, in the same order.
RuleViolations compare_walks(const Walk& left, const Walk& right);

// Two responses for the same page: the same items in another order is a violation of
// `paging/order`.
RuleViolations compare_order(const Items& left, const Items& right);

// The places of the times in an item, by the rules.
struct ItemTimes {
  std::string from;  // JSON pointer inside an item
  std::string to;
};

struct Window {
  std::optional<spec::time::Instant> from;
  std::optional<spec::time::Instant> to;
};

// Items that lie wholly inside `window`, bounds included.
Items items_inside(const Items& all, const ItemTimes& times, const Window& window);
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

// The number of `items` that have an entry of the rule; the number that are in `others`.
std::size_t count_members(const Items& items, const MemberRule& rule);
std::size_t count_common(const Items& items, const Items& others);

}  // namespace contract_tests::checks
