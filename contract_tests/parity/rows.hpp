#pragma once

// The same cases, run against the mock and against a service, compared by what the contract says:
// who is wrong. A row is one statement of the contract for one operation, with what the two sides
// do. Pure functions of what was seen, but for the requests of a FixSuggester.

#include "contract_tests/checks/finding.hpp"
#include "contract_tests/parity/fixture_changes.hpp"
#include "contract_tests/parity/side.hpp"
#include "contract_tests/run/case.hpp"
#include "contract_tests/run/outcome.hpp"
#include "spec/contract/contract.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace contract_tests::parity {

enum class RowVerdict : std::uint8_t {
  kServiceViolates,
  kMockDiffers,
  kContractIsSilent,
  kCannotTell
};

// "service violates", "mock differs", "contract is silent", "cannot tell".
std::string_view to_text(RowVerdict verdict);

struct Row {
  RowVerdict verdict = RowVerdict::kCannotTell;
  checks::Severity severity = checks::Severity::kError;  // as the suite has it; of a violation
  std::string operation;                                 // "GET /customers/{customer_id}"
  std::string rule;      // id in the rule book; "" if it is about none
  std::string place;     // "body/email", "status"
  std::string contract;  // what it says: "must be a text"
  std::string source;    // class, clause, and place in the contract
  std::string mock;
  std::string service;
  std::string case_id;    // the first case that shows it
  std::size_t cases = 1;  // that show it
  std::string curl;       // repeats what the row is about; "" if nothing was sent
  std::optional<SuggestedFix> fix = std::nullopt;  // makes the mock do as the service
};

using run::Outcomes;

// One side of a comparison.
struct SideResults {
  const Outcomes& outcomes;
  const Side& side;
  bool lacks_token = false;  // the run had none for this side: its 401s say nothing
};

struct ComparisonResult {
  std::vector<Row> rows;  // by verdict, then in the order of the plan
  std::size_t cases = 0;  // that both sides gave a verdict on
  // Cases that were not compared and are no rows, by the reason: how many.
  std::map<std::string, std::size_t> left_out;
  std::string untested = {};  // of why_untested
};

// Values are compared where both sides got the same read, so that the mock's fixtures fix them;
// volatile fields never. Notes are no violations. What an assumption alone excludes is no
// violation either: there the contract's source is silent. A violation of both sides is the
// service's.
ComparisonResult compare_sides(const run::Settings& settings, const run::Plan& plan,
                               const SideResults& mock, const SideResults& service,
                               FixSuggester& suggester);

// Why the outcomes of the service say nothing of the operations that need a key: most
// cases were rejected by their credentials, or their subjects are not set, and none succeeded. ""
// if they do, or where no case is about such an operation. `remedy`: how a valid key is given.
std::string why_untested(const spec::contract::Contract& contract, const run::Plan& plan,
                         const Outcomes& service, std::string_view remedy);

// 1 where a side is wrong, else 3 where a row is kCannotTell, no case was compared or little was
// tested, else 0.
int exit_of(const ComparisonResult& compared);

}  // namespace contract_tests::parity
