#pragma once

// An exchange as the run value shows it: lines as sent and received, bodies as text. Pure function.

#include "contract_tests/client/exchange.hpp"

#include <nlohmann/json_fwd.hpp>

namespace contract_tests::report {

// `exchange` has its secrets taken out already (run/display/redaction.hpp). Bytes that are no UTF-8
// text, and control characters, are written \xNN, with "text": false.
nlohmann::json exchange_json(const client::Exchange& exchange);

}  // namespace contract_tests::report
