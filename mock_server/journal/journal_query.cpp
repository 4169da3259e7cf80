#include "mock_server/journal/journal_query.hpp"

#include "mock_server/journal/journal_json.hpp"
#include "mock_server/state/session_clock.hpp"
#include "spec/http/bytes.hpp"
#include "spec/json/pointer.hpp"
#include "spec/json/read.hpp"
#include "spec/json/value.hpp"
#include "spec/schema/patterns/pattern.hpp"
#include "spec/text/ascii.hpp"
#include "spec/text/encoding.hpp"
#include "spec/text/quote.hpp"
#include "spec/time/instant.hpp"

#include <algorithm>
#include <utility>

namespace mock_server::journal {

namespace {

using nlohmann::json;
using spec::schema::patterns::SearchBudget;
using spec::text::in_quotes;

std::optional<std::string> text_of(const json& object, const char* name) {
  const auto found = object.find(name);
  if (found == object.end()) {
    return std::nullopt;
  }
  return found->is_string() ? found->get<std::string>() : found->dump();
}

// Names that both forms share.
JournalQuery read_common(const json& object) {
  JournalQuery query;
  query.operation = text_of(object, "operation");
  query.method = text_of(object, "method");
  query.path = text_of(object, "path");
  query.status = text_of(object, "status");
  query.chosen_by = text_of(object, "chosen_by");
  if (const auto found = object.find("violates_contract"); found != object.end()) {
    query.violates_contract = found->get<bool>();
  }
  return query;
}

JournalQuery::Field field_of(std::string_view text) {
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos) {
    return {std::string(spec::http::trimmed(text)), std::nullopt};
  }
  return {std::string(spec::http::trimmed(text.substr(0, colon))),
          std::string(spec::http::trimmed(text.substr(colon + 1)))};
}

JournalQuery::Member member_of(const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos) {
    return {text, std::nullopt, false};
  }
  const std::string value = text.substr(equals + 1);
  auto parsed = spec::json::read(value);
  return {text.substr(0, equals), parsed ? std::move(*parsed) : json(value), true};
}

// "*" in `pattern` matches any text, also an empty one. Linear, with one backtrack.
bool fits_pattern(std::string_view pattern, std::string_view text) {
  std::size_t at = 0;
  std::size_t in_pattern = 0;
  std::size_t star = std::string_view::npos;
  std::size_t after_star = 0;
  while (at < text.size()) {
    if (in_pattern < pattern.size() && pattern[in_pattern] == '*') {
      star = in_pattern++;
      after_star = at;
    } else if (in_pattern < pattern.size() && pattern[in_pattern] == text[at]) {
      ++in_pattern;
      ++at;
    } else if (star != std::string_view::npos) {
      in_pattern = star + 1;
      at = ++after_star;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', in_pattern) == std::string_view::npos;
}

bool fits_path(const std::string& wanted, std::string_view target) {
  std::string_view path = path_of_entry(target);
  if (wanted.find('?') != std::string::npos) {
    const std::size_t query = target.find('?');
    const std::string whole =
        std::string(path) +
        (query == std::string_view::npos ? "" : std::string(target.substr(query)));
    return fits_pattern(wanted, whole);
  }
  const auto decoded = spec::text::percent_decode(path, false);
  return fits_pattern(wanted, path) || (decoded && fits_pattern(wanted, *decoded));
}

bool fits_status(const std::string& wanted, int status) {
  const std::string text = std::to_string(status);
  return wanted.ends_with("XX") ? text[0] == wanted[0] : text == wanted;
}

void compare_text(std::string_view name, const std::optional<std::string>& wanted,
                  std::string_view is, Comparison& comparison) {
  if (wanted && *wanted != is) {
    comparison.differences.push_back(std::string(name) + ": must be " + in_quotes(*wanted) +
                                     ", but is " + in_quotes(is));
  }
}

// A hidden value is compared by its mark.
bool is_hidden_value(const JournalQuery::Field& wanted, const state::Entry& entry) {
  return std::ranges::any_of(entry.hidden, [&](const state::HiddenField& hidden) {
    return spec::text::equals_ignoring_case(hidden.name, wanted.name) &&
           hidden.mark == state::secret_mark(*wanted.value);
  });
}

// Only the path of a target whose query holds a secret can be compared with "path?query".
void compare_path(const std::string& wanted, const state::Entry& entry, Comparison& comparison) {
  const std::string& target = entry.request.target;
  if (fits_path(wanted, target)) {
    return;
  }
  const bool is_hidden = target.find(state::kHidden) != std::string::npos;
  if (is_hidden && wanted.find('?') != std::string::npos &&
      fits_path(wanted.substr(0, wanted.find('?')), target)) {
    comparison.is_undecided = true;
    return;
  }
  comparison.differences.push_back("path: must be " + in_quotes(wanted) + ", but is " +
                                   in_quotes(path_of_entry(target)));
}

void compare_field(const JournalQuery::Field& wanted, const state::Entry& entry,
                   Comparison& comparison) {
  const auto values = entry.request.headers.all(wanted.name);
  if (values.empty()) {
    comparison.differences.push_back("header " + wanted.name + ": is missing");
  } else if (wanted.value && std::ranges::find(values, *wanted.value) == values.end() &&
             !is_hidden_value(wanted, entry)) {
    comparison.differences.push_back("header " + wanted.name + ": must be " +
                                     in_quotes(*wanted.value) + ", but is " +
                                     in_quotes(values.front()));
  }
}

bool is_equal(const JournalQuery::Member& wanted, const json& value) {
  return spec::json::equal(*wanted.value, value) ||
         (wanted.or_text && value.is_string() && !wanted.value->is_string() &&
          value.get<std::string>() == wanted.value->dump());
}

void compare_members(const JournalQuery& query, const state::Entry& entry, Comparison& comparison) {
  if (query.members.empty()) {
    return;
  }
  if (entry.request.body.size() < entry.request_body_bytes) {
    comparison.is_undecided = true;
    return;
  }
  const auto body = spec::json::read(entry.request.body);
  for (const JournalQuery::Member& wanted : query.members) {
    const json* const value = body ? spec::json::find(*body, wanted.pointer) : nullptr;
    if (value == nullptr) {
      comparison.differences.push_back("body" + wanted.pointer + ": is missing");
    } else if (wanted.value && !is_equal(wanted, *value)) {
      comparison.differences.push_back("body" + wanted.pointer + ": must be " +
                                       spec::text::shortened(spec::json::write(*wanted.value)) +
                                       ", but is " +
                                       spec::text::shortened(spec::json::write(*value)));
    }
  }
}

constexpr std::string_view kOptions = "OPTIONS";

bool is_late_enough(const JournalQuery& query, const state::Entry& entry) {
  return entry.id > query.after && (!query.since || entry.time >= *query.since);
}

}  // namespace

JournalQuery query_of_parameters(const json& parameters) {
  JournalQuery query = read_common(parameters);
  for (const json& text : parameters.value("header", json::array())) {
    query.fields.push_back(field_of(text.get<std::string>()));
  }
  for (const json& text : parameters.value("body", json::array())) {
    query.members.push_back(member_of(text.get<std::string>()));
  }
  query.after = parameters.value("after", std::uint64_t{0});
  if (const auto since = spec::time::parse_date_time(parameters.value("since", ""))) {
    query.since = state::to_time(*since);
  }
  return query;
}

JournalQuery query_of_match(const json& match) {
  JournalQuery query = read_common(match);
  const json fields = match.value("headers", json::object());
  for (const auto& [name, value] : fields.items()) {
    query.fields.push_back(
        {name, value.is_string() ? std::optional(value.get<std::string>()) : std::nullopt});
  }
  const json members = match.value("body", json::object());
  for (const auto& [pointer, value] : members.items()) {
    query.members.push_back({pointer, value, false});
  }
  return query;
}

Comparison compare(const JournalQuery& query, const state::Entry& entry) {
  Comparison comparison;
  compare_text("operation", query.operation, entry.operation, comparison);
  compare_text("method", query.method, entry.request.method, comparison);
  if (query.path) {
    compare_path(*query.path, entry, comparison);
  }
  const int status = delivered_status(entry);
  if (query.status && !fits_status(*query.status, status)) {
    comparison.differences.push_back(
        "status: must be " + *query.status + ", but is " +
        (status != 0 ? std::to_string(status) : "none: fault " + entry.fault));
  }
  if (query.chosen_by && entry.chosen_by.find(*query.chosen_by) == std::string::npos) {
    comparison.differences.push_back("chosen_by: must have " + in_quotes(*query.chosen_by) +
                                     ", but is " + in_quotes(entry.chosen_by));
  }
  if (query.violates_contract && *query.violates_contract == entry.violations.empty()) {
    comparison.differences.emplace_back(*query.violates_contract
                                            ? "must violate the contract, but does not"
                                            : "must satisfy the contract, but does not");
  }
  for (const auto& field : query.fields) {
    compare_field(field, entry, comparison);
  }
  compare_members(query, entry, comparison);
  return comparison;
}

state::NeededParts needed_by(const JournalQuery& query) {
  if (!query.members.empty()) {
    return state::NeededParts::kAll;
  }
  const bool has_text =
      query.path || query.chosen_by || query.violates_contract || !query.fields.empty();
  return has_text ? state::NeededParts::kHeads : state::NeededParts::kCounted;
}

state::NeededParts needed_to_show(const JournalQuery& query) {
  return std::max(state::NeededParts::kHeads, needed_by(query));
}

bool is_in_range(const JournalQuery& query, const state::Entry& entry) {
  const bool counts = query.method == kOptions || entry.chosen_by != state::kPreflight;
  return counts && is_late_enough(query, entry);
}

bool is_ignored_preflight(const JournalQuery& query, const state::Entry& entry) {
  return query.method != kOptions && entry.chosen_by == state::kPreflight &&
         is_late_enough(query, entry) &&
         (!query.path || fits_path(*query.path, entry.request.target));
}

std::string_view prefix_of(std::string_view target) {
  constexpr std::string_view kSession = "/_s/";
  const std::string_view path = target.substr(0, target.find('?'));
  return path.starts_with(kSession) ? path.substr(0, path.find('/', kSession.size()))
                                    : std::string_view{};
}

std::string_view path_of_entry(std::string_view target) {
  const std::string_view path = target.substr(0, target.find('?')).substr(prefix_of(target).size());
  return path.empty() ? "/" : path;
}

namespace {

json describe_near(const state::Entry& entry, const Comparison& comparison) {
  json summary = summarise(entry);
  summary["differences"] = comparison.differences;
  if (comparison.is_undecided) {
    summary["differences"].push_back("body: only a part is in the journal");
  }
  return summary;
}

// Lost entries that may be in range. Of their ids and times only the highest are known, so either
// all or none count.
std::uint64_t lost_in_range(const state::JournalWindow& window, const JournalQuery& query) {
  const bool none =
      window.last_lost_id <= query.after || (query.since && window.last_lost_time < *query.since);
  return none ? 0 : window.lost();
}

}  // namespace

Count::Count(const state::Journal& journal, JournalQuery query, const TallyLimits& limits)
    : journal_(&journal), query_(std::move(query)), limits_(limits) {
  mark_.needed = needed_by(query_);
}

// The newest first among equals.
void Count::offer(const Place& place) {
  if (limits_.near_misses != 0 &&
      (near_.size() < limits_.near_misses || near_.back().distance >= place.distance)) {
    near_.insert(std::ranges::lower_bound(near_, place.distance, {}, &Place::distance), place);
    near_.resize(std::min(near_.size(), limits_.near_misses));
  }
}

void Count::take(const state::Entry& entry, const Place& place) {
  if (!is_in_range(query_, entry)) {
    tally_.preflights += is_ignored_preflight(query_, entry) ? 1 : 0;
    return;
  }
  const Comparison comparison = compare(query_, entry);
  if (!comparison.fits()) {
    tally_.undecided += comparison.differences.empty() ? 1 : 0;
    offer({place.place, place.id, comparison.differences.size()});
    return;
  }
  ++tally_.matched;
  newest_.push_back(place);
  if (newest_.size() > limits_.requests) {
    newest_.pop_front();
  }
}

Tally Count::of(std::uint64_t session) {
  const state::JournalWindow before = journal_->window(session);
  const std::uint64_t cleared = before.added - before.noted;
  // Not what comes after the question: a busy mock would never end.
  const std::uint64_t end = journal_->mark(std::nullopt, std::nullopt).place;
  if (session != session_ || cleared != cleared_ || end < mark_.place) {
    *this = Count(*journal_, std::move(query_), limits_);  // nothing that was counted is there
  }
  constexpr std::uint64_t kManyEntries = 1'000;  // a few milliseconds; more are for a worker
  if (std::min(before.kept, end - mark_.place) > kManyEntries) {
    SearchBudget::throw_if_exhausted();
  }
  session_ = session;
  cleared_ = cleared;
  journal_->follow(session, mark_, [&](const state::Entry& entry) {
    take(entry, {mark_.place - 1, entry.id});
    return mark_.place < end;
  });
  // Read last: entries lost during the walk count as lost, even if they were seen.
  const state::JournalWindow window = journal_->window(session);
  Tally tally = tally_;
  tally.lost = lost_in_range(window, query_);
  tally.is_partial = window.is_partial && query_.after == 0 && !query_.since;
  return tally;
}

void Count::show(const Place& place, const std::function<void(const state::Entry&)>& visit) const {
  state::JournalMark mark;
  mark.place = place.place;
  mark.needed = needed_to_show(query_);
  journal_->follow(session_, mark, [&](const state::Entry& entry) {
    if (entry.id == place.id) {
      visit(entry);
    }
    return false;
  });
}

void Count::add_lists(Tally& tally) const {
  for (const Place& place : newest_) {
    show(place, [&](const auto& entry) { tally.requests.push_back(summarise(entry)); });
  }
  for (const Place& place : near_) {
    show(place, [&](const auto& entry) {
      tally.near_misses.push_back(describe_near(entry, compare(query_, entry)));
    });
  }
}

Tally newest(const state::Journal& journal, std::uint64_t session, std::size_t limit) {
  constexpr std::uint64_t kFirstLook = 64;  // entries back; then four times as many
  const state::JournalWindow window = journal.window(session);
  Tally tally;
  tally.matched = window.kept - window.preflights;
  const std::uint64_t end = journal.mark(std::nullopt, std::nullopt).place;
  std::deque<json> found;
  for (std::uint64_t back = kFirstLook;; back *= 4) {
    state::JournalMark mark;
    mark.place = end - std::min(end, back);
    mark.needed = state::NeededParts::kHeads;
    found.clear();
    journal.follow(session, mark, [&](const state::Entry& entry) {
      if (is_in_range({}, entry)) {
        found.push_back(summarise(entry));
      }
      if (found.size() > limit) {
        found.pop_front();
      }
      return mark.place < end;
    });
    if (found.size() >= std::min<std::uint64_t>(limit, tally.matched) || back >= end) {
      tally.requests.assign(found.begin(), found.end());
      return tally;
    }
  }
}

std::string RequiredCount::words() const {
  constexpr auto kAny = std::numeric_limits<std::uint64_t>::max();
  if (at_least == at_most && (is_exact || at_least != 0)) {
    return "exactly " + std::to_string(at_least);
  }
  std::string words = at_least != 0 ? "at least " + std::to_string(at_least) : "";
  if (at_most != kAny) {
    words += (words.empty() ? "at most " : " and at most ") + std::to_string(at_most);
  }
  return words.empty() ? "any number" : words;
}

std::string_view to_text(Verdict verdict) {
  switch (verdict) {
    case Verdict::kPass: return "pass";
    case Verdict::kFail: return "fail";
    case Verdict::kInconclusive: break;
  }
  return "inconclusive";
}

Verdict validate(const Tally& tally, const RequiredCount& required) {
  if (tally.matched > required.at_most || tally.at_most() < required.at_least) {
    return Verdict::kFail;
  }
  return tally.matched >= required.at_least && tally.at_most() <= required.at_most
             ? Verdict::kPass
             : Verdict::kInconclusive;
}

}  // namespace mock_server::journal
