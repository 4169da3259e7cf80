#pragma once

// What the run value has of a case and its exchanges: what the case was planned to send and expect,
// to replay it, to say how its request differs after an edit of the contract, and to write it as a
// case file; and an exchange, lines as sent and received, bodies as text. Pure functions.

#include "contract_tests/client/http_exchange.hpp"
#include "contract_tests/client/secret_texts.hpp"
#include "contract_tests/run/case.hpp"
#include "contract_tests/run/outcome.hpp"

#include <nlohmann/json.hpp>

#include <string>

namespace contract_tests::report {

// As run.schema.json says ("planned"), without `secrets`. Long requests are left out, the hash
// stays.
nlohmann::json planned_json(const run::Case& item, const run::Outcome& outcome,
                            const client::Secrets& secrets);

// How `item` differs from what was recorded: "query was [[...]], is [[...]]"; "" where it is the
// same.
std::string planned_difference(const nlohmann::json& recorded, const run::Case& item,
                               const client::Secrets& secrets);

// `exchange` has its secrets taken out already (run/display/redaction.hpp). Bytes that are no UTF-8
// text, and control characters, are written \xNN, with "text": false.
nlohmann::json exchange_json(const client::Exchange& exchange);

}  // namespace contract_tests::report
