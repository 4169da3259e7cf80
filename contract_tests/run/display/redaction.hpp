#pragma once

// Redacts requests and whole exchanges before they are shown. Pure functions.

#include "contract_tests/client/exchange.hpp"
#include "contract_tests/run/display/secrets.hpp"

namespace contract_tests::run::display {

// Request and URL only, for a curl line.
client::Exchange redacted_request(const Secrets& secrets, const client::Exchange& exchange);

// Everything that was sent and received, bodies and long lines cut to what a report can show.
client::Exchange redacted_exchange(const Secrets& secrets, const client::Exchange& exchange);

}  // namespace contract_tests::run::display
