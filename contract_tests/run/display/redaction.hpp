#pragma once

// Redacts everything that is shown: texts, requests, whole exchanges. Pure functions.

#include "contract_tests/client/exchange.hpp"
#include "contract_tests/run/display/secrets.hpp"

#include <string>
#include <string_view>

namespace contract_tests::run::display {

// `text` with $TOKEN for every secret of the run.
std::string redacted(const Secrets& secrets, std::string_view text);

// Request and URL only, for a curl line.
client::Exchange redacted_request(const Secrets& secrets, const client::Exchange& exchange);

// Everything that was sent and received, bodies and long lines cut to what a report can show.
client::Exchange redacted_exchange(const Secrets& secrets, const client::Exchange& exchange);

}  // namespace contract_tests::run::display
