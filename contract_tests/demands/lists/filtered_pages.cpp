// Pages of filtered lists: the rules on pages apply to them too.

#include "contract_tests/checks/filters.hpp"
#include "contract_tests/demands/lists/filters.hpp"
#include "contract_tests/demands/lists/walks.hpp"

#include <algorithm>

namespace contract_tests::demands::lists {

using checks::Items;

namespace {

constexpr const char* kNothingLeft = "the filter leaves no items of the subject's list";

// A list under one filter.
class Filtered {
 public:
  Filtered(CaseRun& case_run, const Filter& filter) : case_run_(case_run), filter_(filter) {
    if (filter.by_member) {
      member_ = member_rule(case_run, filter);
      request_ =
          with_query(case_run.item().request, filter.rules.member->parameter, member_->value);
      return;
    }
    Range range(case_run, filter);
    const auto bound = range.read_bound(filter.lower ? 1 : 2);
    if (bound) {
      request_ = with_query(case_run.item().request, range.parameter(filter.lower), *bound);
    }
  }

  // Nothing when no filter could be made; the case run has the reason.
  const std::optional<RequestPlan>& request() const { return request_; }

  const plan::PageRules& pages() const { return filter_.pages; }

  std::optional<WalkReading> read(std::size_t size) const {
    return walk(case_run_, *request_, filter_.pages, size);
  }

  // How many items a page of `size` would hold if it were cut first and filtered then.
  std::optional<std::size_t> filtered_late(std::size_t size, const Items& whole) const {
    const auto plain =
        with_query(case_run_.item().request, filter_.pages.size, std::to_string(size));
    const auto page =
        items_of(case_run_.send(plain, {.want = Want::kAccepted}), filter_.pages.items);
    if (!page) {
      return std::nullopt;
    }
    return member_ ? checks::count_members(*page, *member_) : checks::count_common(*page, whole);
  }

 private:
  CaseRun& case_run_;
  const Filter& filter_;
  std::optional<checks::MemberRule> member_;
  std::optional<RequestPlan> request_;
};

// One page of a filtered list: its size, the expected number of items, and the rule.
struct Probe {
  std::string size;  // "" asks without a size
  std::size_t expected = 0;
  std::string rule;
  bool may_be_rejected = false;
};

std::vector<Probe> probes_of(const Filter& filter) {
  const auto maximum = filter.pages.max_size;
  std::vector<Probe> probes{
      {"", filter.pages.default_size, "paging/default-size"},
      {"0", 0, "paging/zero", true},
      {std::to_string(maximum + 1), maximum, "paging/maximum", true},
  };
  for (const auto size : filter.rules.sizes) {
    probes.push_back({std::to_string(size), size, "paging/size"});
  }
  return probes;
}

void validate(CaseRun& case_run, const Filtered& list, const Items& whole, const Probe& probe) {
  const auto request = probe.size.empty()
                           ? *list.request()
                           : with_query(*list.request(), list.pages().size, probe.size);
  const auto want = probe.may_be_rejected ? Want::kHandled : Want::kAccepted;
  const auto& sent = case_run.send(request, {.want = want});
  const auto items = items_of(sent, list.pages().items);
  if (!items) {
    return;
  }
  auto rule = probe.rule;
  std::optional<std::size_t> total;
  const bool is_short = items->size() < std::min(probe.expected, whole.size());
  if (!probe.may_be_rejected && is_short) {
    total = whole.size();
    const bool late = list.filtered_late(probe.expected, whole) == items->size();
    rule = late ? "filter/paged" : rule;
  }
  case_run.suspect(checks::check_page_size(items->size(), probe.expected, total, rule), sent);
}

void run_page_sizes(CaseRun& case_run, const Filter& filter) {
  const Filtered list(case_run, filter);
  const auto reading = list.request() ? list.read(list.pages().max_size) : std::nullopt;
  if (!reading) {
    return;
  }
  const auto whole = reading->walk.all();
  if (whole.empty()) {
    case_run.skip(kNothingLeft);
    return;
  }
  for (const auto& probe : probes_of(filter)) {
    validate(case_run, list, whole, probe);
  }
}

void run_paged(CaseRun& case_run, const Filter& filter) {
  constexpr std::size_t kSmallPage = 7;
  const Filtered list(case_run, filter);
  if (!list.request()) {
    return;
  }
  const auto large = list.read(list.pages().max_size);
  const auto small = list.read(kSmallPage);
  if (!large || !small) {
    return;
  }
  auto left = large->walk.all();
  if (left.empty()) {
    case_run.skip(kNothingLeft);
  }
  const auto right = small->walk.all();
  const auto most = kSmallPage * case_run.settings().walk_pages;
  if (right.size() + kSmallPage > most && left.size() > right.size()) {
    left.resize(right.size());  // the budget of pages ended the reading
  }
  case_run.suspect(checks::check_same_items(left, right, case_run.item().why.rule,
                                            "large and small pages of a filtered list"),
                   *small->last);
}

std::vector<std::string> parameters_of(const Filter& filter) {
  const auto& rules = filter.rules;
  return filter.by_member ? std::vector{rules.member->parameter}
                          : std::vector{rules.range->from, rules.range->to};
}

}  // namespace

void add_paged_case(const Drafting& drafting, const Filter& filter, const std::string& name) {
  add_filter_case(drafting,
                  {name + " is applied before the list is paged", "filter/paged", &run_paged,
                   StatementClass::kAssumption},
                  filter, parameters_of(filter));
}

void add_page_size_case(const Drafting& drafting, const Filter& filter, const std::string& name) {
  if (!filter.rules.sizes.empty()) {
    add_filter_case(drafting,
                    {name + " does not change page sizes", "paging/size", &run_page_sizes}, filter,
                    parameters_of(filter));
  }
}

}  // namespace contract_tests::demands::lists
