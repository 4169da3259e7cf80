#pragma once

// A case and its exchanges in the run value: the requests and expectation of the plan, to replay
// the case, to compare its request after an edit of the contract, and to write it as a case file;
// and exchanges, lines as sent and received, bodies as text. Pure functions.

#include "contract_tests/client/http_exchange.hpp"
#include "contract_tests/client/secret_texts.hpp"
#include "contract_tests/run/case.hpp"
#include "contract_tests/run/outcome.hpp"

#include <nlohmann/json.hpp>

#include <string>

namespace contract_tests::report {

// The plan of the case in the form of run.schema.json ("planned"), without `secrets`. Long requests
// are left out, the hash is not.
nlohmann::json planned_json(const run::Case& item, const run::Outcome& outcome,
                            const client::Secrets& secrets);

// The difference between `item` and the recorded plan: "query was [[...]], is [[...]]"; "" if there
// is none.
std::string planned_difference(const nlohmann::json& recorded, const run::Case& item,
                               const client::Secrets& secrets);

// `exchange` has its secrets taken out already (client/exchange_text.hpp). Bytes that are no UTF-8
// text, and control characters, are written \xNN, with "text": false.
nlohmann::json exchange_json(const client::Exchange& exchange);

}  // namespace contract_tests::report
