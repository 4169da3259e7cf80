#pragma once

// The same cases, run against the mock and against a service, compared by what the contract says:
// who is wrong. Pure functions of the outcomes.

#include "contract_tests/run/case.hpp"
#include "contract_tests/run/outcome.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace contract_tests::parity {

enum class Verdict : std::uint8_t {
  kServiceViolates,
  kMockDiffers,
  kContractIsSilent,
  kCannotTell
};

// "service violates", "mock differs", "contract is silent", "cannot tell".
std::string_view to_text(Verdict verdict);

// One statement of the contract in one case, and what each side does.
struct Row {
  Verdict verdict = Verdict::kCannotTell;
  std::string case_id;
  std::string contract;  // class, clause and place of the statement
  std::string mock;
  std::string service;
  std::string curl;  // repeats what the row is about; "" where nothing was sent

  friend bool operator==(const Row&, const Row&) = default;
};

using Outcomes = std::map<std::size_t, run::Outcome>;  // by index into the plan

// Rows in the order of the plan; none for a case in which both sides do the same, or that the run
// may not send. Notes are no violations. A violation of both sides is the service's.
std::vector<Row> compare_sides(const run::Plan& plan, const Outcomes& mock,
                               const Outcomes& service);

// The rows, then the number of each verdict.
std::string rows_text(const std::vector<Row>& rows);

// 1 where a side is wrong, else 3 where a row is kCannotTell, else 0.
int exit_of(const std::vector<Row>& rows);

}  // namespace contract_tests::parity
