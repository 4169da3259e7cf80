#pragma once

// What a case was planned to send and expect, as the run value keeps it: to replay the case, to say
// how its request differs after an edit of the contract, and to write it as a case file. Pure
// functions.

#include "contract_tests/run/case.hpp"
#include "contract_tests/run/display/secrets.hpp"
#include "contract_tests/run/outcome.hpp"

#include <nlohmann/json.hpp>

#include <string>

namespace contract_tests::report {

// As run.schema.json says ("planned"), without `secrets`. Long requests are left out, the hash
// stays.
nlohmann::json planned_json(const run::Case& item, const run::Outcome& outcome,
                            const run::display::Secrets& secrets);

// How `item` differs from what was recorded: "query was [[...]], is [[...]]"; "" where it is the
// same.
std::string planned_difference(const nlohmann::json& recorded, const run::Case& item,
                               const run::display::Secrets& secrets);

}  // namespace contract_tests::report
