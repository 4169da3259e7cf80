#include "mock_server/control/journal/journal_tally.hpp"

#include "mock_server/control/journal/describe.hpp"

#include <algorithm>
#include <utility>

namespace mock_server::control::journal {
namespace {

using nlohmann::json;

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
    : journal_(&journal), query_(std::move(query)), limits_(limits) {}

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
  // Not what comes after the question: a busy mock would never answer it.
  const std::uint64_t end = journal_->mark(std::nullopt, std::nullopt).place;
  if (session != session_ || cleared != cleared_ || end < mark_.place) {
    *this = Count(*journal_, std::move(query_), limits_);  // nothing that was counted is there
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

}  // namespace mock_server::control::journal
