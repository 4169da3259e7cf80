#include "contract_tests/demands/list_reading.hpp"

#include "contract_tests/checks/json_places.hpp"
#include "spec/json/pointer.hpp"
#include "spec/time/instant.hpp"

#include <algorithm>
#include <cstdint>
#include <set>

namespace contract_tests::demands {

using checks::Items;
using spec::time::Instant;

namespace {

constexpr std::size_t kMaxDigits = 6;
// Bounds are made in years that have neighbours to all sides.
constexpr std::int64_t kEarliest = -60'000'000'000;
constexpr std::int64_t kLatest = 250'000'000'000;

// `instant` moved by one unit of its last of `digits` fraction digits.
Instant moved(const Instant& instant, int units, std::size_t digits) {
  auto text = instant.fraction.substr(0, digits);
  text.resize(digits, '0');
  std::int64_t scale = 1;
  for (std::size_t digit = 0; digit < digits; ++digit) {
    scale *= 10;
  }
  const auto fraction = (text.empty() ? 0 : std::stoll(text)) + units;
  const auto carried = fraction < 0 ? -1 : fraction / scale;
  auto rest = std::to_string(fraction - carried * scale);
  rest.insert(0, digits - std::min(digits, rest.size()), '0');
  Instant result;
  result.seconds = instant.seconds + carried;
  result.fraction = digits == 0 ? "" : rest;
  while (result.fraction.ends_with('0')) {
    result.fraction.pop_back();
  }
  return result;
}

}  // namespace

checks::MemberRule member_rule(const CaseRun& case_run, const Filter& filter) {
  const auto& member = *filter.rules.member;
  const auto value = plan::fill(std::string_view(member.value), case_run.settings().names);
  return {member.list, member.key, value ? value.value() : ""};
}

Range::Range(CaseRun& case_run, const Filter& filter)
    : case_run_(case_run),
      filter_(filter),
      times_{filter.rules.range->item_from, filter.rules.range->item_to} {}

bool Range::read_all() {
  const auto whole =
      walk(case_run_, case_run_.item().request, filter_.pages, filter_.pages.max_size);
  if (!whole) {
    return false;
  }
  all_ = whole->walk.all();
  constexpr std::size_t kEnough = 3;
  if (all_.size() < kEnough) {
    case_run_.skip("the subject's list is too short to test filters");
    return false;
  }
  return true;
}

std::optional<std::string> Range::read_bound(std::size_t third) {
  return read_all() ? bound(is_lower(), third) : std::nullopt;
}

bool Range::is_lower() const {
  return filter_.lower;
}

std::string Range::parameter(bool lower) const {
  return lower ? filter_.rules.range->from : filter_.rules.range->to;
}

std::optional<std::string> Range::bound(bool lower, std::size_t third) const {
  const auto& item = all_[all_.size() * third / 3 - (third == 2 ? 1 : 0)];
  const auto& place = lower ? times_.from : times_.to;
  return checks::instant_at(item, place)
             ? std::optional(spec::json::find(item, place)->get<std::string>())
             : std::nullopt;  // the schema's business
}

std::optional<std::pair<std::string, std::string>> Range::gap(std::size_t digits) const {
  std::set<Instant> instants;
  for (const auto& item : all_) {
    for (const auto& place : {times_.from, times_.to}) {
      const auto instant = checks::instant_at(item, place);
      if (instant && !instant->leap && instant->seconds > kEarliest && instant->seconds < kLatest) {
        instants.insert(*instant);
      }
    }
  }
  constexpr std::int64_t kWide = 10;  // seconds
  const auto third = std::next(instants.begin(), static_cast<std::ptrdiff_t>(instants.size() / 3));
  const auto gap = std::adjacent_find(
      third, instants.end(),
      [](const Instant& one, const Instant& two) { return two.seconds - one.seconds > kWide; });
  if (gap == instants.end()) {
    return std::nullopt;
  }
  return std::pair(spec::time::format_date_time(moved(*gap, 1, digits)),
                   spec::time::format_date_time(moved(*std::next(gap), -1, digits)));
}

std::size_t Range::fraction_digits() const {
  std::size_t most = 0;
  for (const auto& item : all_) {
    const auto from = checks::instant_at(item, times_.from);
    most = std::max(most, from ? from->fraction.size() : 0);
  }
  return std::min(most, kMaxDigits);
}

std::optional<Range::FilteredWalk> Range::filtered(const Pairs& bounds) const {
  auto request = case_run_.item().request;
  for (const auto& [name, value] : bounds) {
    request = with_query(std::move(request), name, value);
  }
  const auto read = walk(case_run_, request, filter_.pages, filter_.pages.max_size);
  if (!read) {
    return std::nullopt;
  }
  return FilteredWalk{read->walk.all(), read->last};
}

checks::Window Range::window(bool lower, const std::string& bound) const {
  const auto instant = spec::time::parse_date_time(bound);
  return lower ? checks::Window{instant, {}} : checks::Window{{}, instant};
}

std::optional<Items> items_of(const CaseResponse& sent, const std::string& pointer) {
  if (!sent.accepted || !sent.normal) {
    return std::nullopt;
  }
  const auto* found = spec::json::find(*sent.normal, pointer);
  if (found == nullptr || !found->is_array()) {
    return std::nullopt;
  }
  return Items(found->begin(), found->end());
}

const CaseResponse& send_page(CaseRun& case_run, const RequestPlan& request, std::size_t page) {
  return case_run.send(request, {.want = page == 0 ? Want::kAccepted : Want::kHandled});
}

bool is_past_the_end(const CaseResponse& sent, std::size_t page) {
  return page > 0 && sent.conclusive && sent.exchange.status() / 100 == 4;
}

std::optional<WalkReading> walk(CaseRun& case_run, const RequestPlan& base,
                                const plan::PageRules& pages, std::size_t size) {
  WalkReading reading;
  reading.walk.size = size;
  for (std::size_t page = 0; page < case_run.settings().walk_pages; ++page) {
    const auto& sent = send_page(case_run, pages.page(base, size, page), page);
    auto items = items_of(sent, pages.items);
    if (is_past_the_end(sent, page)) {
      reading.walk.ended = true;
      break;
    }
    if (!items) {
      return std::nullopt;
    }
    reading.last = &sent;
    reading.walk.ended = items->empty();
    const bool repeats = !reading.walk.pages.empty() && *items == reading.walk.pages.back();
    reading.walk.pages.push_back(std::move(*items));
    if (reading.walk.ended || repeats) {
      break;
    }
  }
  return reading;
}

}  // namespace contract_tests::demands
