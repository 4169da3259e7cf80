#pragma once

// What a run says of the entries of a baseline, and which of its findings are new. Pure functions
// of the outcomes as they are before habits are merged (run/watch/habits.hpp): an entry is about
// one operation.

#include "contract_tests/baseline/file.hpp"
#include "contract_tests/run/case.hpp"
#include "contract_tests/run/outcome.hpp"
#include "contract_tests/run/settings.hpp"
#include "spec/contract/contract.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace contract_tests::baseline {

// The state of each fingerprint on that day.
run::Baselined baselined(const std::vector<Entry>& entries, Date today);

enum class EntryState : std::uint8_t {
  kKnown,    // found, and its last day is not over
  kFixed,    // each of its cases ran and did not find it
  kNotSeen,  // not found, but not all of its cases could show it
  kExpired,  // found, and its last day is over
  kStale     // not found, and its rule, its operation or its statement is gone
};

inline constexpr std::size_t kEntryStates = 5;

std::string_view to_text(EntryState state);  // "known", "fixed", "not_seen", "expired", "stale"

struct Standing {
  Entry entry;
  EntryState state = EntryState::kNotSeen;
  long days_left = 0;      // until its last day; below 0 when that is over
  std::size_t proved = 0;  // how many of its cases ran and did not find it
};

// What the outcomes belong to.
struct Surroundings {
  const spec::contract::Contract& contract;
  const run::Plan& plan;
  const run::Settings& settings;
  Date today;
};

using run::Outcomes;

// In the order of `entries`.
std::vector<Standing> standings(const std::vector<Entry>& entries, const Outcomes& outcomes,
                                const Surroundings& around);

// Errors without an entry, as entries without reason, owner and last day, in the order of their
// ids. Leaks, which cannot be entries, are apart.
struct Unknown {
  std::vector<Entry> entries;
  std::vector<Entry> leaks;
};

Unknown unknown_in(const Outcomes& outcomes, const Surroundings& around);

// Without the cases that failed in another way in this run and did not show the entry: once what
// they found is known too, they prove nothing.
Entry without_masked(Entry entry, const Outcomes& outcomes, const run::Plan& plan);

// The result of a run with a baseline, for reports.
struct Result {
  std::string file;     // as a report shows it
  bool strict = false;  // fixed entries fail the run
  std::vector<Standing> entries;
  std::size_t unknown = 0;  // different errors without an entry
  std::vector<std::string> written = {};
  std::vector<std::string> pruned = {};
  std::vector<std::string> not_written = {};  // leaks

  std::size_t count(EntryState state) const;
  // Whether fixed entries that are still in the file fail the run.
  bool fails() const;
};

}  // namespace contract_tests::baseline
