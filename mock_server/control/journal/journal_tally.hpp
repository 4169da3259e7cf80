#pragma once

// How many of a session's exchanges are what somebody looks for, as far as the journal can tell,
// and whether that is as many as there should be. Never a wrong count: what went out of the journal
// or was not kept whole makes the count a range, and a verdict that hangs on it inconclusive.

#include "mock_server/control/journal/journal_query.hpp"
#include "mock_server/state/journal.hpp"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <deque>
#include <functional>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace mock_server::control::journal {

struct Tally {
  std::uint64_t matched = 0;
  std::uint64_t undecided = 0;              // kept, but not whole
  std::uint64_t lost = 0;                   // in range, as far as is known, and gone
  bool is_partial = false;                  // more may be gone than `lost` says
  std::uint64_t preflights = 0;             // that do not count
  std::vector<nlohmann::json> requests;     // the newest that matched, summarised, oldest first
  std::vector<nlohmann::json> near_misses;  // those that differ least, with their differences

  std::uint64_t at_most() const {
    return is_partial ? std::numeric_limits<std::uint64_t>::max() : matched + undecided + lost;
  }
};

struct TallyLimits {
  std::size_t requests = 100;
  std::size_t near_misses = 5;
};

// Counts, and goes on with what came since when it is asked again. `journal` must outlive it.
class Count {
 public:
  Count(const state::Journal& journal, JournalQuery query, const TallyLimits& limits);

  // Without the lists. From the start if the journal was cleared, or it is another session than
  // the last time.
  Tally of(std::uint64_t session);
  // Reads the lists of that tally, as far as the journal still has them.
  void add_lists(Tally& tally) const;

 private:
  struct Place {
    std::uint64_t place = 0;
    std::uint64_t id = 0;
    std::size_t distance = 0;  // differences from what is looked for
  };

  void take(const state::Entry& entry, const Place& place);
  void offer(const Place& place);
  void show(const Place& place, const std::function<void(const state::Entry&)>& visit) const;

  const state::Journal* journal_;
  JournalQuery query_;
  TallyLimits limits_;
  std::uint64_t session_ = 0;
  std::uint64_t cleared_ = 0;  // entries of the session that were cleared
  state::JournalMark mark_;    // what was counted ends here
  Tally tally_;                // without what is lost
  std::deque<Place> newest_;
  std::vector<Place> near_;  // the nearest first
};

// All but preflights match, as the journal counts them; only the newest are read.
Tally newest(const state::Journal& journal, std::uint64_t session, std::size_t limit);

// How many there should be.
struct RequiredCount {
  std::uint64_t at_least = 0;
  std::uint64_t at_most = std::numeric_limits<std::uint64_t>::max();
  bool is_exact = false;  // asked for as one number

  // "at least 2", "exactly 1", "at least 1 and at most 3".
  std::string words() const;
};

enum class Verdict : std::uint8_t { kPass, kFail, kInconclusive };

// "pass", "fail", "inconclusive".
std::string_view to_text(Verdict verdict);

Verdict validate(const Tally& tally, const RequiredCount& required);

}  // namespace mock_server::control::journal
