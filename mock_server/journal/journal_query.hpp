#pragma once

// A query of the journal, and its comparison with an exchange. Read from query parameters
// or from the `match` of a body, both validated by the control API's document before. Pure
// functions.

#include "mock_server/state/journal.hpp"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <deque>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace mock_server::journal {

struct JournalQuery {
  struct Field {
    std::string name;
    std::optional<std::string> value;  // nothing: it must only be there
  };

  struct Member {
    std::string pointer;
    std::optional<nlohmann::json> value;  // nothing: it must only be there
    bool or_text = false;                 // the text of the value will do, too
  };

  std::optional<std::string> operation;  // an id; "" for requests that belong to none
  std::optional<std::string> method;
  std::optional<std::string> path;        // "*" stands for any text; with "?", the whole target
  std::optional<std::string> status;      // "404", "4XX"
  std::optional<std::string> chosen_by;   // a part of it
  std::optional<bool> violates_contract;  // the request has violations, or has none
  std::vector<Field> fields;              // of the request's head
  std::vector<Member> members;            // of the request's body
  std::uint64_t after = 0;                // only higher ids
  std::optional<state::TimePoint> since;
};

// Preconditions: the values keep the control API's document.
JournalQuery query_of_parameters(const nlohmann::json& query);
JournalQuery query_of_match(const nlohmann::json& match);

// The differences of an exchange from a query. It fits when `differences` is empty and nothing is
// undecided. `after` and `since` are not compared: see is_in_range().
struct Comparison {
  std::vector<std::string> differences;  // "status: must be 200 but is 404"
  bool is_undecided = false;             // its body was not kept whole

  bool fits() const { return differences.empty() && !is_undecided; }
};

Comparison compare(const JournalQuery& query, const state::Entry& entry);

// The parts of an entry that the query compares.
state::NeededParts needed_by(const JournalQuery& query);

// The same, and the parts that a summary shows.
state::NeededParts needed_to_show(const JournalQuery& query);

// After `after`, since `since`, and no preflight, unless the query asks for OPTIONS: browsers send
// preflights by themselves, so they count only on demand.
bool is_in_range(const JournalQuery& query, const state::Entry& entry);

// A preflight of the path, after `after` and since `since`, that does not count.
bool is_ignored_preflight(const JournalQuery& query, const state::Entry& entry);

// The path of a target as the service saw it: without a session's prefix and the query, encoded.
std::string_view path_of_entry(std::string_view target);

// The part before that path: "/_s/NAME", or "".
std::string_view prefix_of(std::string_view target);

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

// The number of exchanges that there should be.
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

}  // namespace mock_server::journal
