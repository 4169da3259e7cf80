#pragma once

// A list read page by page as its rules say (plan/list_rules.hpp): by number, offset or cursor.
// Bounded: a page has at most a hundred items, and few are read. For the demands about lists.

#include "contract_tests/checks/list_items.hpp"
#include "contract_tests/demands/drafting.hpp"
#include "contract_tests/plan/list_rules.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace contract_tests::demands {

using plan::ListRules;

inline constexpr const char* kTooFew = "the list has too few items to test this";

// A violation at `place`, as sure as the rule of the list that the case is about.
checks::RuleViolation list_violation(const CaseRun& case_run, std::string rule, std::string place,
                                     std::string must, std::string is);

// The way to another page.
enum class PageStep : std::uint8_t { kNumber, kOffset, kCursor };

// The part of the request or response that a violation is about.
std::string place_of(const plan::ListPart& part);

// True if the "total" may be the number of items in the response by its name: "count".
bool may_count_page(const ListRules& list);

// Adds a case about the list, by a part of its rules.
void add_list_case(const Drafting& drafting, std::string sentence, std::string rule,
                   const checks::Source& source, std::function<void(CaseRun&)> run);

std::vector<PageStep> steps_of(const ListRules& list);
const plan::ListPart& part_of(const ListRules& list, PageStep step);

// NOLINTNEXTLINE(bugprone-exception-escape): nlohmann's moves assert, they never throw.
struct ListPage {
  checks::Items items;
  const CaseResponse* sent = nullptr;
  std::optional<std::int64_t> total = std::nullopt;
  std::optional<std::int64_t> pages = std::nullopt;
  std::optional<bool> more = std::nullopt;
};

// NOLINTNEXTLINE(bugprone-exception-escape): nlohmann's moves assert, they never throw.
struct ListWalk {
  std::vector<ListPage> pages;  // none is empty
  bool ended = false;           // nothing follows
  bool repeats = false;         // the last page is the one before again

  checks::Items items() const;
  bool has_larger_than(std::size_t size) const;  // a page with more items, where a size is given
};

class ListedPages {
 public:
  // Both must outlive it.
  ListedPages(CaseRun& case_run, const ListRules& list) : case_run_(case_run), list_(list) {}

  // None, and the case skipped, if there is no such page.
  std::optional<ListPage> read(const RequestPlan& request);
  // The same; a page past the end may be rejected, and is empty then.
  std::optional<ListPage> read_past_end(const RequestPlan& request);

  // The first page in the largest size; the whole list if it is no longer. None, and the case
  // skipped, if it cannot be read or has too few items.
  std::optional<ListPage> whole();
  // What names each item: its key; or all of it if an item of the whole list lacks it, or two have
  // the same.
  std::vector<std::string> names_of(const checks::Items& items) const;
  RequestPlan whole_request() const;
  // True if a response of so many items may have left some out.
  bool may_be_cut(std::size_t items) const;

  // A size by which a list of so many items has three pages or more; none if that cannot be.
  std::optional<std::size_t> small_size(std::size_t items) const;
  RequestPlan sized(std::size_t size) const;
  // The page with so many items before it, if the way to it is no cursor.
  RequestPlan page(PageStep step, std::size_t size, std::size_t index) const;

  // At most `limit` pages from the first one on. None, and the case skipped, if one cannot be read.
  std::optional<ListWalk> walk(PageStep step, std::size_t size, std::size_t limit);
  // The request for the page before `page`; none if nothing leads there.
  std::optional<RequestPlan> before(const ListPage& page, std::size_t size) const;

  // Where the contract does not say whether pages begin at 0 or 1, the service does.
  void find_first();

  // False, and the case skipped, if the first page is not as `whole` was: somebody else changes the
  // list, or it has another order each time.
  bool is_steady(const ListPage& whole);

 private:
  std::optional<ListPage> try_read(const RequestPlan& request, std::string& why_not);
  std::optional<RequestPlan> after(const ListPage& page, const RequestPlan& request) const;
  std::optional<RequestPlan> led_by(const plan::ListPart& part, const nlohmann::json* shown,
                                    const RequestPlan& request) const;
  std::optional<std::int64_t> number_at(const CaseResponse& sent, const plan::ListPart& part) const;

  CaseRun& case_run_;
  const ListRules& list_;
  std::string key_;  // "" if all of an item names it
  int first_ = 1;
};

}  // namespace contract_tests::demands
