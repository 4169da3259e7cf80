#include "contract_tests/demands/lists/filters.hpp"

#include "contract_tests/checks/filters.hpp"
#include "contract_tests/demands/lists/lists.hpp"
#include "contract_tests/demands/lists/walks.hpp"
#include "contract_tests/plan/derived.hpp"
#include "spec/time/instant.hpp"

#include <algorithm>
#include <string_view>

namespace contract_tests::demands::lists {

namespace {

constexpr const char* kNothingOfIt = "the subject's list has no item with the filtered value";

std::optional<WalkReading> by_member(CaseRun& case_run, const Filter& filter,
                                     const checks::MemberRule& rule) {
  const auto request =
      with_query(case_run.item().request, filter.rules.member->parameter, rule.value);
  return walk(case_run, request, filter.pages, filter.pages.max_size);
}

void run_member_only(CaseRun& case_run, const Filter& filter) {
  const auto rule = member_rule(case_run, filter);
  const auto got = by_member(case_run, filter, rule);
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
  const auto got = by_member(case_run, filter, rule);
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
    violations = checks::check_member_complete(checks::inside(range.all(), range.times(), window),
                                               got->items, rule);
  }
  for (auto& violation : violations) {
    violation.rule = case_run.item().why.rule;
  }
  case_run.suspect(std::move(violations), *got->last);
}

void check_no_member(CaseRun& case_run, const Sent& sent, const checks::MemberRule& rule,
                     const std::string& place) {
  const auto items = items_of(sent, place);
  if (items && !checks::check_member_only(*items, rule).empty()) {
    case_run.report(
        {{case_run.item().why.rule, "body" + place, "must be empty for an unknown member",
          "has " + std::to_string(items->size()) + " items"}},
        sent);
  }
}

// A value other than the subject's, which does not exist.
using Make = std::function<std::string(std::string_view)>;

void run_unknown(CaseRun& case_run, const Filter& filter, const Make& make) {
  auto rule = member_rule(case_run, filter);
  rule.value = make(rule.value);
  const auto request =
      with_query(case_run.item().request, filter.rules.member->parameter, rule.value);
  check_no_member(case_run, case_run.send(request, {.want = Want::kHandled}), rule,
                  filter.rules.items);
}

class Members {
 public:
  Members(const Drafting& drafting, Filter filter)
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
      run_unknown(case_run, filter, make);
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
    Members(drafting, {*rules.pages, *rules.filters, true}).add();
  }
}

}  // namespace contract_tests::demands::lists
