#pragma once

// The result of a run for each assumption: of the contract (`x-assumed`), and of the rules of the
// suite that no document states. Pure functions.

#include "contract_tests/parity/rows.hpp"
#include "contract_tests/parity/side.hpp"
#include "contract_tests/run/case.hpp"
#include "spec/contract/contract.hpp"

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace contract_tests::parity {

enum class AssumptionState : std::uint8_t { kRefuted, kConfirmed, kNotSeen };

// "refuted", "confirmed", "not seen"
std::string_view to_text(AssumptionState state);

struct Assumption {
  AssumptionState state = AssumptionState::kNotSeen;
  std::string pointer;  // in the contract; "" for a rule of the suite
  std::string place;    // "payments.openapi.yaml:88:11"; the rule's id
  std::string reason;   // why it is assumed; of a rule, its clause
  std::string what;     // of a refuted one: the violation
  std::optional<Witness> evidence = std::nullopt;
};

// In the order of the contract, then the rules by id. A violation refutes, also one that is a note;
// a response that was validated by what is assumed, and a case about it that passed, confirm.
std::vector<Assumption> check_assumptions(const spec::contract::Contract& contract,
                                          const run::Plan& plan, const SideResults& service);

// A comparison as text for a terminal, as Markdown to be kept beside the contract, and as JSON.
// Pure functions.

struct Report {
  std::string contract;  // title and version
  std::string mock;      // its URL, or "started"
  std::string service;   // its URL, or the file of its calls
  std::string date;      // RFC 3339, UTC
  ComparisonResult compared;
  std::vector<Assumption> assumptions;
  std::vector<std::string> notes;  // what was not compared, and problems: one line each
  int exit = 0;
};

// Every row with its columns, each assumption in a line, then the numbers.
std::string report_text(const Report& report);

std::string report_markdown(const Report& report);

nlohmann::json report_json(const Report& report);

}  // namespace contract_tests::parity
