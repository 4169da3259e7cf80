#pragma once

// Fields of a query that an operation knows nothing of: OpenAPI leaves them to the server, so
// validation ignores them; the mock warns of them or, if configured so, rejects the request. Pure
// functions, safe from any thread.

#include "spec/contract/contract.hpp"
#include "spec/contract/violation.hpp"
#include "spec/http/message.hpp"

#include <string>
#include <vector>

namespace spec::contract {

// The names, decoded, each once, in order: those that no parameter takes by its style and no API
// key of the operation has. Source: OpenAPI 3.1.0 §4.8.12.
std::vector<std::string> undeclared_query(const Contract& contract, const Operation& operation,
                                          const http::Request& request);

// As a violation of the operation's own statement, rule "undeclared".
Violation undeclared_query_violation(const Operation& operation, const std::string& name);

}  // namespace spec::contract
