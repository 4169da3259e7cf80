#pragma once

// A baseline: findings that are known, in a YAML file that people review. Reading validates all of
// it and throws spec::LoadError with the place of each problem; writing is a pure function, and
// sorted, so that differences are small.

#include "contract_tests/plan/data_file.hpp"
#include "contract_tests/plan/rules.hpp"

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace contract_tests::baseline {

using Date = std::chrono::sys_days;  // UTC

// full-date of RFC 3339 §5.6: "2026-12-01".
std::optional<Date> date_from(std::string_view text);
std::string to_text(Date date);

// A known finding. `id` is its fingerprint and alone is compared with those of a run; the rest says
// what it is, and when it can be called fixed or stale.
struct Entry {
  std::string id;
  std::string operation;        // "GET /customers/{customer_id}"
  std::string rule;             // "schema/required"
  std::string statement_class;  // "document", "standard", "assumption"
  std::string clause;           // "§4.4"
  std::string pointer;          // of the statement in the contract; "" where it is not one of it
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

  friend bool operator==(const Entry&, const Entry&) = default;
};

// What an entry must satisfy besides the schema.
struct Terms {
  Date today;
  unsigned max_days = 90;  // from today until `expires`
  const plan::RuleBook& book;
};

// The entries of `file`, in its order.
std::vector<Entry> load(plan::DataFiles& files, const std::filesystem::path& file,
                        const Terms& terms);

// The text of a file with these entries, which reads back as they are: sorted by operation, rule,
// place and id.
std::string text_of(std::vector<Entry> entries);

}  // namespace contract_tests::baseline
