#pragma once

// What a run says of each assumption: of the contract (`x-assumed`), and of the rules of the suite
// that no document states. Pure functions.

#include "contract_tests/parity/rows.hpp"
#include "contract_tests/parity/side.hpp"
#include "contract_tests/run/case.hpp"
#include "spec/contract/contract.hpp"

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
std::vector<Assumption> weigh_assumptions(const spec::contract::Contract& contract,
                                          const run::Plan& plan, const Results& service);

}  // namespace contract_tests::parity
