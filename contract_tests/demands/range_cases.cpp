// Filters by the bounds of a range. The bounds are taken from the data of the server.

#include "contract_tests/checks/list_items.hpp"
#include "contract_tests/demands/filter_cases.hpp"
#include "spec/time/instant.hpp"

#include <algorithm>
#include <set>

namespace contract_tests::demands {

using checks::Items;
using checks::Window;
using spec::time::Instant;

namespace {

constexpr int kEastMinutes = 120;
constexpr int kWestMinutes = -330;
constexpr int kFarEastMinutes = 14 * 60;
constexpr int kFarWestMinutes = -12 * 60;

using Validator = std::function<checks::RuleViolations(const Range&, const Items&, const Window&)>;

// Filters by one bound at a third of the list, and validates the items.
void validate_one_bound(CaseRun& case_run, const Filter& filter, const Validator& validate) {
  Range range(case_run, filter);
  const auto bound = range.read_bound(1);
  if (!bound) {
    return;
  }
  const bool lower = range.is_lower();
  const auto got = range.filtered({{range.parameter(lower), *bound}});
  if (got) {
    case_run.suspect(validate(range, got->items, range.window(lower, *bound)), *got->last);
  }
}

// Filters by one bound in its own spelling and in others, which must give the same.
void check_spellings(CaseRun& case_run, const Filter& filter,
                     const std::function<std::vector<std::string>(const Instant&)>& respell,
                     const std::string& what) {
  Range range(case_run, filter);
  const auto bound = range.read_bound(1);
  if (!bound) {
    return;
  }
  const bool lower = range.is_lower();
  const auto plain = range.filtered({{range.parameter(lower), *bound}});
  for (const auto& spelling : respell(*spec::time::parse_date_time(*bound))) {
    const auto other = range.filtered({{range.parameter(lower), spelling}});
    if (plain && other) {
      case_run.suspect(
          checks::check_same_items(plain->items, other->items, case_run.item().basis.rule,
                                   *bound + " and " + spelling + ", " + what),
          *other->last);
    }
  }
}

// "+00:00" instead of the Z that means the same.
std::string zero_offset(const Instant& instant) {
  auto text = spec::time::format_date_time(instant);
  text.pop_back();
  return text + "+00:00";
}

void run_inclusive(CaseRun& case_run, const Filter& filter) {
  validate_one_bound(case_run, filter,
                     [](const Range& range, const Items& got, const Window& window) {
                       return checks::check_inclusive(range.all(), got, range.times(), window);
                     });
}

void run_leak(CaseRun& case_run, const Filter& filter) {
  validate_one_bound(case_run, filter,
                     [](const Range& range, const Items& got, const Window& window) {
                       return checks::check_leak(got, range.times(), window);
                     });
}

void run_offset(CaseRun& case_run, const Filter& filter) {
  check_spellings(
      case_run, filter,
      [](const Instant& instant) {
        return std::vector<std::string>{
            spec::time::format_date_time(instant, {.offset_minutes = kEastMinutes}),
            spec::time::format_date_time(instant, {.offset_minutes = kWestMinutes}),
            zero_offset(instant)};
      },
      "the same instant in two offsets");
}

void run_spelling(CaseRun& case_run, const Filter& filter) {
  check_spellings(
      case_run, filter,
      [](const Instant& instant) {
        auto lower = spec::time::format_date_time(instant);
        std::ranges::replace(lower, 'T', 't');
        std::ranges::replace(lower, 'Z', 'z');
        return std::vector<std::string>{
            spec::time::format_date_time(instant, {.offset_minutes = kFarEastMinutes}),
            spec::time::format_date_time(instant, {.offset_minutes = kFarWestMinutes}), lower};
      },
      "the same instant in another spelling");
}

void run_fraction(CaseRun& case_run, const Filter& filter) {
  check_spellings(
      case_run, filter,
      [](const Instant& instant) {
        return std::vector<std::string>{
            spec::time::format_date_time(instant, {.fraction_digits = 9})};
      },
      "the same instant with more fraction digits");
}

// A filter that rounds its bound to a day, an hour or a second differs between such bounds.
void run_exact(CaseRun& case_run, const Filter& filter) {
  Range range(case_run, filter);
  if (!range.read_all()) {
    return;
  }
  const auto parameter = range.parameter(range.is_lower());
  for (const auto digits : std::set<std::size_t>{0, range.fraction_digits()}) {
    const auto gap = range.gap(digits);
    if (!gap) {
      case_run.skip("the times in the subject's list are too close to each other");
      return;
    }
    const auto early = range.filtered({{parameter, gap->first}});
    const auto late = range.filtered({{parameter, gap->second}});
    if (!early || !late) {
      return;
    }
    case_run.suspect(checks::check_same_items(early->items, late->items, case_run.item().basis.rule,
                                              gap->first + " and " + gap->second +
                                                  ", between which no item starts or ends"),
                     *late->last);
  }
}

void run_monotone(CaseRun& case_run, const Filter& filter) {
  Range range(case_run, filter);
  if (!range.read_all()) {
    return;
  }
  const bool lower = range.is_lower();
  const auto wide_bound = range.bound(lower, lower ? 1 : 2);
  const auto narrow_bound = range.bound(lower, lower ? 2 : 1);
  if (!wide_bound || !narrow_bound) {
    return;
  }
  const auto narrow = range.filtered({{range.parameter(lower), *narrow_bound}});
  const auto wide = range.filtered({{range.parameter(lower), *wide_bound}});
  const auto descending = spec::time::parse_date_time(*range.bound(lower, 2)) <
                          spec::time::parse_date_time(*range.bound(lower, 1));
  if (narrow && wide) {
    const auto& inner = descending ? wide->items : narrow->items;
    const auto& outer = descending ? narrow->items : wide->items;
    case_run.suspect(checks::check_monotone(inner, outer), *wide->last);
  }
}

void run_window(CaseRun& case_run, const Filter& filter) {
  Range range(case_run, filter);
  const auto bounds = range.read_all() ? window_of(range) : std::nullopt;
  if (!bounds) {
    return;
  }
  const auto& [from, to] = *bounds;
  const auto got = range.filtered({{range.parameter(true), from}, {range.parameter(false), to}});
  if (!got) {
    return;
  }
  const Window window{spec::time::parse_date_time(from), spec::time::parse_date_time(to)};
  auto violations = checks::check_inclusive(range.all(), got->items, range.times(), window);
  if (violations.empty()) {
    violations = checks::check_leak(got->items, range.times(), window);
  }
  for (auto& violation : violations) {
    violation.rule = case_run.item().basis.rule;
  }
  case_run.suspect(std::move(violations), *got->last);
}

class RangeCases {
 public:
  explicit RangeCases(const Drafting& drafting)
      : drafting_(drafting), filter_{*drafting.rules.pages, *drafting.rules.filters} {}

  void add() const {
    constexpr auto kStandard = StatementClass::kStandard;
    both({"includes items at its bound", "filter/inclusive", &run_inclusive});
    both({"excludes every item beyond it", "filter/ignored", &run_leak});
    both({"in another UTC offset gives the same items", "filter/offset", &run_offset});
    both({"in an unusual spelling gives the same items", "filter/spelling", &run_spelling,
          kStandard});
    both({"with more fraction digits gives the same items", "filter/fraction", &run_fraction});
    both({"is compared to its last digit", "filter/exact", &run_exact});
    both({"that is wider keeps every item", "filter/monotone", &run_monotone});
    add({"both bounds give the items between them", "filter/window", &run_window}, filter_);
    each_bound([this](const Filter& filter, const std::string& name) {
      add_paged_case(drafting_, filter, name);
    });
    each_bound([this](const Filter& filter, const std::string& name) {
      add_page_size_case(drafting_, filter, name);
    });
  }

 private:
  template <typename Visit>
  void each_bound(const Visit& visit) const {
    for (const bool lower : {true, false}) {
      auto filter = filter_;
      filter.lower = lower;
      visit(filter, lower ? filter.rules.range->from : filter.rules.range->to);
    }
  }

  void both(const FilterCase& how) const {
    each_bound([&](const Filter& filter, const std::string& name) {
      auto named = how;
      named.sentence = name + " " + how.sentence;
      add(std::move(named), filter);
    });
  }

  void add(FilterCase how, const Filter& filter) const {
    const auto& range = *filter.rules.range;
    add_filter_case(drafting_, std::move(how), filter, {range.from, range.to});
  }

  const Drafting& drafting_;
  Filter filter_;
};

}  // namespace

std::optional<std::pair<std::string, std::string>> window_of(const Range& range) {
  auto from = range.bound(true, 1);
  auto to = range.bound(false, 2);
  if (from && to && *spec::time::parse_date_time(*to) < *spec::time::parse_date_time(*from)) {
    from = range.bound(true, 2);  // the list runs from new to old
    to = range.bound(false, 1);
  }
  return from && to ? std::optional(std::pair(*from, *to)) : std::nullopt;
}

void add_range_cases(const Drafting& drafting) {
  RangeCases(drafting).add();
}

}  // namespace contract_tests::demands
