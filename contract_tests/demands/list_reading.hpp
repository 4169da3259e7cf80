#pragma once

// A list with its filters, as the rules name them: read as a whole, and filtered by bounds taken
// from the times of its items. For the demands about filters.

#include "contract_tests/checks/list_items.hpp"
#include "contract_tests/demands/drafting.hpp"

#include <optional>
#include <string>
#include <utility>

namespace contract_tests::demands {

// Reading lists: a page, and a whole list page by page.

// The items of a response in normal form; empty if it has no such list.
std::optional<checks::Items> items_of(const CaseResponse& sent, const std::string& pointer);

// Sends for page number `page`, counted from 0. Only the first must be there: what is past the
// end may be empty or rejected: no published rule says which.
const CaseResponse& send_page(CaseRun& case_run, const RequestPlan& request, std::size_t page);
bool is_past_the_end(const CaseResponse& sent, std::size_t page);

// Reads `base` page by page with `size`, until a page is empty, repeats the one before, or the
// budget of pages is used. Empty if a response could not be used.
struct WalkReading {
  checks::Walk walk;
  const CaseResponse* last = nullptr;
};

std::optional<WalkReading> walk(CaseRun& case_run, const RequestPlan& base,
                                const plan::PageRules& pages, std::size_t size);

// One filter of a list, from the rules: by a bound of its items' times, or by a member.
struct Filter {
  plan::PageRules pages;
  plan::FilterRules rules;
  bool by_member = false;  // else by a bound
  bool lower = true;       // which one
};

// The member that `filter` is about; its value is "" if no subject gives one.
checks::MemberRule member_rule(const CaseRun& case_run, const Filter& filter);

class Range {
 public:
  // Precondition: the rules have a range. Keeps a reference to `filter`.
  Range(CaseRun& case_run, const Filter& filter);

  // False when the list cannot be used; the case run has the reason.
  bool read_all();

  const checks::Items& all() const { return all_; }

  const checks::ItemTimes& times() const { return times_; }

  bool is_lower() const;
  // The name of the parameter that gives the lower bound, or the upper one.
  std::string parameter(bool lower) const;

  // read_all(), and then the bound of the case's own side.
  std::optional<std::string> read_bound(std::size_t third);
  // The bound that the time of an item at a third or two thirds of the list makes. `third` is 1 or
  // 2.
  std::optional<std::string> bound(bool lower, std::size_t third) const;

  // Two bounds between which no item starts or ends, so that both must let the same through: just
  // behind one instant of the list and just before the next, by the last of `digits` fraction
  // digits. Empty if the list has no such gap.
  std::optional<std::pair<std::string, std::string>> gap(std::size_t digits) const;
  // The number of fraction digits in the list's instants; at most 6.
  std::size_t fraction_digits() const;

  struct FilteredWalk {
    checks::Items items;
    const CaseResponse* last = nullptr;
  };

  // Read in the largest pages.
  std::optional<FilteredWalk> filtered(const Pairs& bounds) const;

  checks::Window window(bool lower, const std::string& bound) const;

 private:
  CaseRun& case_run_;
  const Filter& filter_;
  checks::ItemTimes times_;
  checks::Items all_;
};

}  // namespace contract_tests::demands
