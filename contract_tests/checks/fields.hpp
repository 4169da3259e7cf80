#pragma once

// A response's header fields on their own and against its status. Pure function; safe from any
// thread. Source: RFC 9110, RFC 9111, the Fetch standard's CORS protocol.

#include "contract_tests/checks/finding.hpp"
#include "contract_tests/client/exchange.hpp"

namespace contract_tests::checks {

RuleViolations check_fields(const client::Exchange& exchange);

}  // namespace contract_tests::checks
