#pragma once

// Two list fields with a grammar of their own: challenges and cache directives. Pure functions.

#include "contract_tests/checks/finding.hpp"
#include "contract_tests/client/http_exchange.hpp"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace contract_tests::checks {

// The schemes of a WWW-Authenticate field's challenges, in lower case and in their order; empty
// if it is no list of challenges. Source: RFC 9110 §11.6.1, §11.2, §5.6.1.
std::optional<std::vector<std::string>> challenge_schemes(std::string_view field);

// The directives of a Cache-Control field in lower case, with their arguments, "" for none; of a
// repeated one the first counts. Invalid directives are skipped. Source: RFC 9111 §5.2.
std::map<std::string, std::string> cache_directives(std::string_view field);

// A response's header fields on their own and against its status. Pure function; safe from any
// thread. Source: RFC 9110, RFC 9111, the Fetch standard's CORS protocol.

RuleViolations check_fields(const client::Exchange& exchange);

}  // namespace contract_tests::checks
