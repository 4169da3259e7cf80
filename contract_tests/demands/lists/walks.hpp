#pragma once

// Reading lists: a page, and a whole list page by page.

#include "contract_tests/checks/pages.hpp"
#include "contract_tests/demands/drafting.hpp"

#include <optional>
#include <string>

namespace contract_tests::demands::lists {

// The items of a response in normal form; nothing when it has no such list.
std::optional<checks::Items> items_of(const Sent& sent, const std::string& pointer);

// Sends for page number `page`, counted from 0. Only the first must be there: what is past the
// end may be empty or rejected: no published rule says which.
const Sent& send_page(CaseRun& case_run, const RequestPlan& request, std::size_t page);
bool is_past_the_end(const Sent& sent, std::size_t page);

// Reads `base` page by page with `size`, until a page is empty, repeats the one before, or the
// budget of pages is used. Nothing when a response could not be used.
struct WalkReading {
  checks::Walk walk;
  const Sent* last = nullptr;
};

std::optional<WalkReading> walk(CaseRun& case_run, const RequestPlan& base,
                                const plan::PageRules& pages, std::size_t size);

}  // namespace contract_tests::demands::lists
