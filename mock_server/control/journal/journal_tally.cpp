#include "mock_server/control/journal/journal_tally.hpp"

#include "mock_server/control/journal/describe.hpp"

#include <algorithm>
#include <deque>

namespace mock_server::control::journal {
namespace {

using nlohmann::json;

struct Near {
  std::size_t distance = 0;
  json summary;
};

json describe_near(const state::Entry& entry, const Comparison& comparison) {
  json summary = summarise(entry);
  summary["differences"] = comparison.differences;
  if (comparison.is_undecided) {
    summary["differences"].push_back("body: only a part is in the journal");
  }
  return summary;
}

// The nearest requests, the newest first among equals.
class NearMisses {
 public:
  explicit NearMisses(std::size_t limit) : limit_(limit) {}

  void offer(const state::Entry& entry, const Comparison& comparison) {
    const std::size_t distance = comparison.differences.size();
    if (limit_ == 0 || (kept_.size() == limit_ && kept_.back().distance < distance)) {
      return;
    }
    const auto place = std::ranges::lower_bound(kept_, distance, {}, &Near::distance);
    kept_.insert(place, {distance, describe_near(entry, comparison)});
    if (kept_.size() > limit_) {
      kept_.pop_back();
    }
  }

  std::vector<json> take() {
    std::vector<json> all;
    for (Near& near : kept_) {
      all.push_back(std::move(near.summary));
    }
    return all;
  }

 private:
  std::size_t limit_;
  std::vector<Near> kept_;
};

// Lost entries that may be in range. Of their ids and times only the highest are known, so either
// all or none count.
std::uint64_t lost_in_range(const state::JournalWindow& window, const JournalQuery& query) {
  const bool none =
      window.last_lost_id <= query.after || (query.since && window.last_lost_time < *query.since);
  return none ? 0 : window.lost();
}

}  // namespace

Tally count(const state::Journal& journal, std::uint64_t session, const JournalQuery& query,
            const TallyLimits& limits) {
  Tally tally;
  std::deque<json> newest;
  NearMisses near(limits.near_misses);
  journal.each(session, [&](const state::Entry& entry) {
    if (!is_in_range(query, entry)) {
      tally.preflights += is_ignored_preflight(query, entry) ? 1 : 0;
      return;
    }
    const Comparison comparison = compare(query, entry);
    if (!comparison.fits()) {
      tally.undecided += comparison.differences.empty() ? 1 : 0;
      near.offer(entry, comparison);
      return;
    }
    ++tally.matched;
    newest.push_back(limits.requests == 0 ? json() : summarise(entry));
    if (newest.size() > limits.requests) {
      newest.pop_front();
    }
  });
  // Read last: entries lost during the walk count as lost, even if they were seen.
  const state::JournalWindow window = journal.window(session);
  tally.lost = lost_in_range(window, query);
  tally.is_partial = window.is_partial && query.after == 0 && !query.since;
  tally.requests.assign(newest.begin(), newest.end());
  tally.near_misses = near.take();
  return tally;
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
