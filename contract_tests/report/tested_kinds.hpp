#pragma once

// What was tested of each operation, by kind: reads, pages, filters, order, creations, changes,
// deletions, credentials, bad input; or why it was not. A pure function of the outcomes.

#include "contract_tests/run/case.hpp"
#include "contract_tests/run/outcome.hpp"

#include <nlohmann/json_fwd.hpp>

#include <string_view>

namespace contract_tests::report {

// The kind of a case, by its rule and its method; "" for one of another kind.
std::string_view kind_of(const run::Case& item);

// By the name of the operation and the kind: "tested", "not possible: REASON" or "no consent:
// REASON".
nlohmann::json tested_kinds(const run::Plan& plan, const run::Outcomes& outcomes);

}  // namespace contract_tests::report
