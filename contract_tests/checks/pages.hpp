#pragma once

// Pages of a list, compared as values: pure functions of the items read.

#include "contract_tests/checks/finding.hpp"

#include <nlohmann/json.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace contract_tests::checks {

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

}  // namespace contract_tests::checks
