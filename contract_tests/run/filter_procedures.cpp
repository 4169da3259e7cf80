// Procedures about filters. Bounds are taken from the data that the server itself gives.

#include "contract_tests/checks/filters.hpp"
#include "contract_tests/plan/derived.hpp"
#include "contract_tests/run/procedures.hpp"
#include "contract_tests/run/range.hpp"
#include "spec/time/instant.hpp"

#include <algorithm>
#include <functional>
#include <set>

namespace contract_tests::run {

using checks::Items;
using checks::Window;
using spec::time::Instant;

namespace {

constexpr const char* kNothingOfIt = "the subject's list holds nothing of what is filtered for";
constexpr int kEastMinutes = 120;
constexpr int kWestMinutes = -330;
constexpr int kFarEastMinutes = 14 * 60;
constexpr int kFarWestMinutes = -12 * 60;

using Judge = std::function<checks::Complaints(const Range&, const Items&, const Window&)>;

// Filters by one bound at a third of the list, and judges what comes.
void judge_one_bound(Trial& trial, const Judge& judge) {
  Range range(trial);
  const auto bound = range.read_bound(1);
  if (!bound) {
    return;
  }
  const bool lower = range.is_lower();
  const auto got = range.filtered({{range.parameter(lower), *bound}});
  if (got) {
    trial.suspect(judge(range, got->items, range.window(lower, *bound)), *got->last);
  }
}

// Filters by one bound in its own spelling and in others, which must give the same.
void judge_spellings(Trial& trial,
                     const std::function<std::vector<std::string>(const Instant&)>& respell,
                     const std::string& what) {
  Range range(trial);
  const auto bound = range.read_bound(1);
  if (!bound) {
    return;
  }
  const bool lower = range.is_lower();
  const auto plain = range.filtered({{range.parameter(lower), *bound}});
  for (const auto& spelling : respell(*spec::time::parse_date_time(*bound))) {
    const auto other = range.filtered({{range.parameter(lower), spelling}});
    if (plain && other) {
      trial.suspect(checks::check_same_items(plain->items, other->items, trial.item().why.rule,
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

std::optional<WalkReading> by_member(Trial& trial, const std::string& value) {
  const auto& data = trial.item().data;
  const auto paging = paging_of_rules(data.at("pages"));
  const auto name = data.at("parameter").get<std::string>();
  return walk(trial, with_query(trial.item().request, name, value), paging, paging.maximum);
}

}  // namespace

void run_filter_inclusive(Trial& trial) {
  judge_one_bound(trial, [](const Range& range, const Items& got, const Window& window) {
    return checks::check_inclusive(range.all(), got, range.times(), window);
  });
}

void run_filter_leak(Trial& trial) {
  judge_one_bound(trial, [](const Range& range, const Items& got, const Window& window) {
    return checks::check_leak(got, range.times(), window);
  });
}

void run_filter_offset(Trial& trial) {
  judge_spellings(
      trial,
      [](const Instant& instant) {
        return std::vector<std::string>{
            spec::time::format_date_time(instant, {.offset_minutes = kEastMinutes}),
            spec::time::format_date_time(instant, {.offset_minutes = kWestMinutes}),
            zero_offset(instant)};
      },
      "the same instant in two offsets");
}

void run_filter_spelling(Trial& trial) {
  judge_spellings(
      trial,
      [](const Instant& instant) {
        auto lower = spec::time::format_date_time(instant);
        std::ranges::replace(lower, 'T', 't');
        std::ranges::replace(lower, 'Z', 'z');
        return std::vector<std::string>{
            spec::time::format_date_time(instant, {.offset_minutes = kFarEastMinutes}),
            spec::time::format_date_time(instant, {.offset_minutes = kFarWestMinutes}), lower};
      },
      "the same instant spelt in another way");
}

void run_filter_fraction(Trial& trial) {
  judge_spellings(
      trial,
      [](const Instant& instant) {
        return std::vector<std::string>{
            spec::time::format_date_time(instant, {.fraction_digits = 9})};
      },
      "the same instant with more fraction digits");
}

// A filter that cuts its bound to a day, an hour or a second steps where no item does.
void run_filter_exact(Trial& trial) {
  Range range(trial);
  if (!range.read_all()) {
    return;
  }
  const auto parameter = range.parameter(range.is_lower());
  for (const auto digits : std::set<std::size_t>{0, range.fraction_digits()}) {
    const auto gap = range.gap(digits);
    if (!gap) {
      trial.not_run("the items of the subject's list follow each other too closely");
      return;
    }
    const auto early = range.filtered({{parameter, gap->first}});
    const auto late = range.filtered({{parameter, gap->second}});
    if (!early || !late) {
      return;
    }
    trial.suspect(checks::check_same_items(early->items, late->items, trial.item().why.rule,
                                           gap->first + " and " + gap->second +
                                               ", between which no item starts or ends"),
                  *late->last);
  }
}

void run_filter_monotone(Trial& trial) {
  Range range(trial);
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
    trial.suspect(checks::check_monotone(inner, outer), *wide->last);
  }
}

namespace {

// The bounds of a window that holds the middle third of the list.
std::optional<std::pair<std::string, std::string>> window_of(const Range& range) {
  auto from = range.bound(true, 1);
  auto to = range.bound(false, 2);
  if (from && to && *spec::time::parse_date_time(*to) < *spec::time::parse_date_time(*from)) {
    from = range.bound(true, 2);  // the list runs from new to old
    to = range.bound(false, 1);
  }
  return from && to ? std::optional(std::pair(*from, *to)) : std::nullopt;
}

}  // namespace

void run_filter_window(Trial& trial) {
  Range range(trial);
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
  auto complaints = checks::check_inclusive(range.all(), got->items, range.times(), window);
  if (complaints.empty()) {
    complaints = checks::check_leak(got->items, range.times(), window);
  }
  for (auto& complaint : complaints) {
    complaint.rule = trial.item().why.rule;
  }
  trial.suspect(std::move(complaints), *got->last);
}

void run_filter_combined(Trial& trial) {
  Range range(trial);
  if (!range.read_all()) {
    return;
  }
  const auto rule = member_rule(trial);
  const bool both = trial.item().data.value("window", false);
  const auto bounds = both ? window_of(range) : std::nullopt;
  const auto bound = bounds ? std::optional(bounds->first) : range.bound(true, 1);
  if (!bound || (both && !bounds)) {
    return;
  }
  plan::Pairs filters{{range.parameter(true), *bound},
                      {trial.item().data.at("parameter").get<std::string>(), rule.value}};
  auto window = range.window(true, *bound);
  if (bounds) {
    filters.emplace_back(range.parameter(false), bounds->second);
    window.to = spec::time::parse_date_time(bounds->second);
  }
  const auto got = range.filtered(filters);
  if (!got) {
    return;
  }
  auto complaints = checks::check_leak(got->items, range.times(), window);
  if (complaints.empty()) {
    complaints = checks::check_member_only(got->items, rule);
  }
  if (complaints.empty()) {
    complaints = checks::check_member_complete(checks::inside(range.all(), range.times(), window),
                                               got->items, rule);
  }
  for (auto& complaint : complaints) {
    complaint.rule = trial.item().why.rule;
  }
  trial.suspect(std::move(complaints), *got->last);
}

void run_member_only(Trial& trial) {
  const auto rule = member_rule(trial);
  const auto got = by_member(trial, rule.value);
  if (got) {
    trial.suspect(checks::check_member_only(got->walk.all(), rule), *got->last);
    if (got->walk.all().empty()) {
      trial.not_run(kNothingOfIt);
    }
  }
}

void run_member_complete(Trial& trial) {
  const auto rule = member_rule(trial);
  const auto paging = paging_of_rules(trial.item().data.at("pages"));
  const auto all = walk(trial, trial.item().request, paging, paging.maximum);
  const auto got = by_member(trial, rule.value);
  if (all && got) {
    trial.suspect(checks::check_member_complete(all->walk.all(), got->walk.all(), rule),
                  *got->last);
    if (got->walk.all().empty()) {
      trial.not_run(kNothingOfIt);
    }
  }
}

namespace {

void judge_unknown(Trial& trial, const Sent& sent, const checks::MemberRule& rule) {
  const auto place = trial.item().data.at("items").get<std::string>();
  const auto items = items_of(sent, place);
  if (items && !checks::check_member_only(*items, rule).empty()) {
    trial.complain({{trial.item().why.rule, "body" + place,
                     "must give nothing for a member that nobody has but gives " +
                         std::to_string(items->size()) + " items"}},
                   sent);
  }
}

}  // namespace

void run_member_unknown(Trial& trial) {
  auto rule = member_rule(trial);
  const auto& data = trial.item().data;
  rule.value = data.contains("literal")
                   ? data.at("literal").get<std::string>()
                   : plan::find_derived(data.value("as", "unknown") + ".")->make(rule.value);
  const auto request =
      with_query(trial.item().request, data.at("parameter").get<std::string>(), rule.value);
  judge_unknown(trial, trial.send(request, {.want = plan::Want::kHandled}), rule);
}

void run_member_hostile(Trial& trial) {
  auto rule = member_rule(trial);
  rule.value = trial.item().request.raw_query;  // nobody is called so
  judge_unknown(trial, trial.send(), rule);
}

}  // namespace contract_tests::run
