#pragma once

// The entries of a baseline, their states after a run, and the findings that are new. Pure
// functions of the outcomes before repeated findings are merged (repeated_findings.hpp): an entry
// is about one operation.

#include "contract_tests/plan/rule_book.hpp"
#include "contract_tests/run/case.hpp"
#include "contract_tests/run/outcome.hpp"
#include "contract_tests/run/run_settings.hpp"
#include "spec/contract/contract.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace contract_tests::findings {

// A baseline: findings that are known, in a YAML file that people review. Reading validates all of
// it and throws spec::LoadError with the place of each problem; writing is a pure function, and
// sorted, so that differences are small.

using Date = std::chrono::sys_days;  // UTC

// full-date of RFC 3339 §5.6: "2026-12-01".
std::optional<Date> date_from(std::string_view text);
std::string to_text(Date date);

// A known finding. `id` is its fingerprint and alone is compared with those of a run; the rest says
// what it is, and when it can be called fixed or stale.
struct BaselineEntry {
  std::string id;
  std::string operation;        // "GET /customers/{customer_id}"
  std::string rule;             // "schema/required"
  std::string statement_class;  // "document", "standard", "assumption"
  std::string clause;           // "§4.4"
  std::string pointer;          // of the statement in the contract; "" if it is not one of it
  std::string stated_at;        // "payments.openapi.yaml:806:17", when it was written
  std::string place;            // without the indices of elements
  std::string says;
  std::string reason;
  std::string owner;
  std::string ticket;  // "" for none
  Date added;
  Date expires;                       // the last day on which it is known
  std::optional<std::uint64_t> seed;  // where one of the cases has a generated request
  std::vector<std::string> cases;     // ids of the first that found it

  friend bool operator==(const BaselineEntry&, const BaselineEntry&) = default;
};

// The conditions for an entry besides the schema.
struct EntryConditions {
  Date today;
  unsigned max_days = 90;  // from today until `expires`
  const plan::RuleBook& book;
};

// The entries of `file`, in its order.
std::vector<BaselineEntry> load(plan::DataFiles& files, const std::filesystem::path& file,
                                const EntryConditions& terms);

// The text of a file with these entries, which reads back as they are: sorted by operation, rule,
// place and id.
std::string text_of(std::vector<BaselineEntry> entries);

// The state of each fingerprint on that day.
run::BaselineStates baseline_states(const std::vector<BaselineEntry>& entries, Date today);

enum class EntryState : std::uint8_t {
  kKnown,    // found, and its last day is not over
  kFixed,    // each of its cases ran and did not find it
  kNotSeen,  // not found, but not all of its cases could show it
  kExpired,  // found, and its last day is over
  kStale     // not found, and its rule, its operation or its statement is gone
};

inline constexpr std::size_t kEntryStates = 5;

std::string_view to_text(EntryState state);  // "known", "fixed", "not_seen", "expired", "stale"

struct EntryResult {
  BaselineEntry entry;
  EntryState state = EntryState::kNotSeen;
  long days_left = 0;      // until its last day; below 0 when that is over
  std::size_t proved = 0;  // how many of its cases ran and did not find it
};

// The run that the outcomes belong to.
struct RunInput {
  const spec::contract::Contract& contract;
  const run::Plan& plan;
  const run::Settings& settings;
  Date today;
};

using run::Outcomes;

// In the order of `entries`.
std::vector<EntryResult> entry_results(const std::vector<BaselineEntry>& entries,
                                       const Outcomes& outcomes, const RunInput& around);

// Errors without an entry, as entries without reason, owner and last day, in the order of their
// ids. Leaks, which cannot be entries, are apart.
struct UnknownFindings {
  std::vector<BaselineEntry> entries;
  std::vector<BaselineEntry> leaks;
};

UnknownFindings unknown_findings_in(const Outcomes& outcomes, const RunInput& around);

// Without the cases that failed in another way in this run and did not show the entry: once what
// they found is known too, they prove nothing.
BaselineEntry without_masked(BaselineEntry entry, const Outcomes& outcomes, const run::Plan& plan);

// The result of a run with a baseline, for reports.
struct BaselineResult {
  std::string file;     // as a report shows it
  bool strict = false;  // fixed entries fail the run
  std::vector<EntryResult> entries;
  std::size_t unknown = 0;  // different errors without an entry
  std::vector<std::string> written = {};
  std::vector<std::string> pruned = {};
  std::vector<std::string> not_written = {};  // leaks

  std::size_t count(EntryState state) const;
  // True if fixed entries that are still in the file fail the run.
  bool fails() const;
};

}  // namespace contract_tests::findings
