#pragma once

// Reading lists: a page, and a whole list page by page.

#include "contract_tests/checks/pages.hpp"
#include "contract_tests/run/trial.hpp"

#include <nlohmann/json_fwd.hpp>

#include <optional>
#include <string>

namespace contract_tests::run {

// How a list is paged, out of rules.
struct Paging {
  std::string items;   // JSON pointer
  std::string size;    // parameter
  std::string number;  // parameter
  int first = 0;
  std::size_t maximum = 0;
};

// From a case's data: {items, size, number, first, maximum}.
Paging paging_of_case(const nlohmann::json& data);
// From the `pages` block of the rules.
Paging paging_of_rules(const nlohmann::json& pages);

// The items of an answer in normal form; nothing when it has no such list.
std::optional<checks::Items> items_of(const Sent& sent, const std::string& pointer);

// Sends for page number `page`, counted from 0. Only the first must be there: what lies past the
// end may be empty or refused. Nobody has published which.
const Sent& send_page(Trial& trial, const plan::RequestPlan& request, std::size_t page);
bool is_past_the_end(const Sent& sent, std::size_t page);

// Reads `base` page by page with `size`, until a page is empty, repeats the one before, or the
// budget of pages is used. Nothing when an answer could not be used.
struct WalkReading {
  checks::Walk walk;
  const Sent* last = nullptr;
};

std::optional<WalkReading> walk(Trial& trial, const plan::RequestPlan& base, const Paging& paging,
                                std::size_t size);

// `base` with one query parameter more, instead of one of the same name.
plan::RequestPlan with_query(plan::RequestPlan base, const std::string& name,
                             const std::string& value);

}  // namespace contract_tests::run
