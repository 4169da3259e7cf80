#include "contract_tests/demands/filter_cases.hpp"

#include "contract_tests/checks/list_items.hpp"
#include "contract_tests/demands/demands.hpp"
#include "contract_tests/demands/list_reading.hpp"
#include "contract_tests/plan/subjects.hpp"
#include "spec/time/instant.hpp"

#include <algorithm>
#include <string_view>

namespace contract_tests::demands {

using checks::Items;

namespace {

constexpr const char* kNothingOfIt = "the subject's list has no item with the filtered value";

std::optional<WalkReading> read_by_member(CaseRun& case_run, const Filter& filter,
                                          const checks::MemberRule& rule) {
  const auto request =
      with_query(case_run.item().request, filter.rules.member->parameter, rule.value);
  return walk(case_run, request, filter.pages, filter.pages.max_size);
}

void run_member_only(CaseRun& case_run, const Filter& filter) {
  const auto rule = member_rule(case_run, filter);
  const auto got = read_by_member(case_run, filter, rule);
  if (got) {
    case_run.suspect(checks::check_member_only(got->walk.all(), rule), *got->last);
    if (got->walk.all().empty()) {
      case_run.skip(kNothingOfIt);
    }
  }
}

void run_member_complete(CaseRun& case_run, const Filter& filter) {
  const auto rule = member_rule(case_run, filter);
  const auto all = walk(case_run, case_run.item().request, filter.pages, filter.pages.max_size);
  const auto got = read_by_member(case_run, filter, rule);
  if (all && got) {
    case_run.suspect(checks::check_member_complete(all->walk.all(), got->walk.all(), rule),
                     *got->last);
    if (got->walk.all().empty()) {
      case_run.skip(kNothingOfIt);
    }
  }
}

void run_combined(CaseRun& case_run, const Filter& filter, bool both) {
  Range range(case_run, filter);
  if (!range.read_all()) {
    return;
  }
  const auto rule = member_rule(case_run, filter);
  const auto bounds = both ? window_of(range) : std::nullopt;
  const auto bound = bounds ? std::optional(bounds->first) : range.bound(true, 1);
  if (!bound || (both && !bounds)) {
    return;
  }
  Pairs filters{{range.parameter(true), *bound}, {filter.rules.member->parameter, rule.value}};
  auto window = range.window(true, *bound);
  if (bounds) {
    filters.emplace_back(range.parameter(false), bounds->second);
    window.to = spec::time::parse_date_time(bounds->second);
  }
  const auto got = range.filtered(filters);
  if (!got) {
    return;
  }
  auto violations = checks::check_leak(got->items, range.times(), window);
  if (violations.empty()) {
    violations = checks::check_member_only(got->items, rule);
  }
  if (violations.empty()) {
    violations = checks::check_member_complete(
        checks::items_inside(range.all(), range.times(), window), got->items, rule);
  }
  for (auto& violation : violations) {
    violation.rule = case_run.item().basis.rule;
  }
  case_run.suspect(std::move(violations), *got->last);
}

void check_no_member(CaseRun& case_run, const CaseResponse& sent, const checks::MemberRule& rule,
                     const std::string& place) {
  const auto items = items_of(sent, place);
  if (items && !checks::check_member_only(*items, rule).empty()) {
    case_run.report(
        {{case_run.item().basis.rule, "body" + place, "must be empty for an unknown member",
          "has " + std::to_string(items->size()) + " items"}},
        sent);
  }
}

// A value other than the subject's, which does not exist.
using Make = std::function<std::string(std::string_view)>;

void run_unknown_value(CaseRun& case_run, const Filter& filter, const Make& make) {
  auto rule = member_rule(case_run, filter);
  rule.value = make(rule.value);
  const auto request =
      with_query(case_run.item().request, filter.rules.member->parameter, rule.value);
  check_no_member(case_run, case_run.send(request, {.want = Want::kHandled}), rule,
                  filter.rules.items);
}

class MemberCases {
 public:
  MemberCases(const Drafting& drafting, Filter filter)
      : drafting_(drafting), filter_(std::move(filter)), name_(filter_.rules.member->parameter) {}

  void add() const {
    add({name_ + " leaves out all other values", "filter/member", &run_member_only});
    add({name_ + " leaves out no matching item", "filter/member-complete", &run_member_complete});
    add_paged_case(drafting_, filter_, name_);
    add_page_size_case(drafting_, filter_, name_);
    combined();
    unknown("an unknown " + name_ + " gives no items", "unknown.");
    unknown("a " + name_ + " without its last letter gives no items", "cut.");
    for (const std::string value : {"%", "*", "_", "' OR '1'='1"}) {
      nothing({name_ + " " + value + " gives no items", "filter/unknown-member", {}},
              [value = value](std::string_view) { return value; });
    }
    nothing({"a " + name_ + " in the other letter case gives no items",
             "filter/letter-case",
             {},
             StatementClass::kAssumption},
            plan::find_derived("swapped.")->make);
  }

 private:
  void add(FilterCase how) const { add_filter_case(drafting_, std::move(how), filter_, {name_}); }

  void combined() const {
    const auto& range = filter_.rules.range;
    if (!range) {
      return;
    }
    const auto with = [&](const std::string& what, bool both) {
      add_filter_case(drafting_,
                      {name_ + " and " + what + " are both applied", "filter/combined",
                       [both](CaseRun& case_run, const Filter& filter) {
                         run_combined(case_run, filter, both);
                       }},
                      filter_, {range->from, range->to, name_});
    };
    with(range->from, false);
    with("both bounds", true);
  }

  void nothing(FilterCase how, Make make) const {
    how.run = [make = std::move(make)](CaseRun& case_run, const Filter& filter) {
      run_unknown_value(case_run, filter, make);
    };
    add(std::move(how));
  }

  void unknown(std::string sentence, std::string_view derived) const {
    nothing({std::move(sentence), "filter/unknown-member", {}}, plan::find_derived(derived)->make);
  }

  const Drafting& drafting_;
  Filter filter_;
  const std::string& name_;
};

void need_member(Case& item, const plan::MemberRules& member) {
  item.needs.subjects.merge(plan::names_in(nlohmann::json(member.value)));
}

}  // namespace

void add_filter_case(const Drafting& drafting, FilterCase how, const Filter& filter,
                     const std::vector<std::string>& parameters) {
  auto item = drafting.draft(std::move(how.sentence), std::move(how.rule),
                             Drafting::clause(filter.rules.clause, how.statement_class));
  item.run = [run = std::move(how.run), filter = filter](CaseRun& case_run) {
    run(case_run, filter);
  };
  const bool named = std::ranges::all_of(parameters, [&drafting](const std::string& name) {
    return drafting.operation.parameter(spec::contract::Location::kQuery, name) != nullptr;
  });
  if (!named) {
    item.obstacle = {"the contract does not have the filter's parameters",
                     run::Reason::Kind::kNotAllowed};
  }
  if (filter.by_member) {
    need_member(item, *filter.rules.member);
    item.needs.member = true;
  }
  drafting.add(std::move(item));
}

void expect_no_member(Case& item, const plan::PageRules& pages, const plan::FilterRules& filters) {
  need_member(item, *filters.member);
  item.run = [filter = Filter{pages, filters, true}](CaseRun& case_run) {
    auto rule = member_rule(case_run, filter);
    rule.value = case_run.item().request.raw_query;  // does not exist
    check_no_member(case_run, case_run.send(), rule, filter.rules.items);
  };
}

void add_filter_cases(const Drafting& drafting) {
  const auto& rules = drafting.rules;
  if (!rules.filters) {
    return;
  }
  if (rules.filters->range) {
    add_range_cases(drafting);
  }
  if (rules.filters->member) {
    MemberCases(drafting, {*rules.pages, *rules.filters, true}).add();
  }
}

// Pages of filtered lists: the rules on pages apply to them too.

namespace {

constexpr const char* kNothingLeft = "the filter leaves no items of the subject's list";

// A list under one filter.
class FilteredPages {
 public:
  FilteredPages(CaseRun& case_run, const Filter& filter) : case_run_(case_run), filter_(filter) {
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

  // Empty if no filter could be made; the case run has the reason.
  const std::optional<RequestPlan>& request() const { return request_; }

  const plan::PageRules& pages() const { return filter_.pages; }

  std::optional<WalkReading> read(std::size_t size) const {
    return walk(case_run_, *request_, filter_.pages, size);
  }

  // The number of items that a page of `size` would hold if it were cut first and filtered then.
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

void validate(CaseRun& case_run, const FilteredPages& list, const Items& whole,
              const Probe& probe) {
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
  const FilteredPages list(case_run, filter);
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
  const FilteredPages list(case_run, filter);
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
  case_run.suspect(checks::check_same_items(left, right, case_run.item().basis.rule,
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

}  // namespace contract_tests::demands
