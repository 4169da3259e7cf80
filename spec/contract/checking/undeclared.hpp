#pragma once

// What a request has that its operation knows nothing of: OpenAPI leaves it to the server, so
// validation ignores it; the mock warns of it or, for queries, if configured so, rejects the
// request. Pure functions, safe from any thread.

#include "spec/contract/contract.hpp"
#include "spec/contract/violation.hpp"
#include "spec/http/message.hpp"
#include "spec/schema/misspelt.hpp"

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <vector>

namespace spec::contract {

// The names of fields of the query, decoded, each once, in order: those that no parameter takes by
// its style and no API key of the operation has. Source: OpenAPI 3.1.0 §4.8.12.
std::vector<std::string> undeclared_query(const Contract& contract, const Operation& operation,
                                          const http::Request& request);

// As a violation of the operation's own statement, rule "undeclared".
Violation undeclared_query_violation(const Operation& operation, const std::string& name);

// Members of the body that its schema does not name, but nearly. `body` is the request's as
// validate_request read it, without violations. Empty where no content of the operation has a
// schema for its media type.
std::vector<schema::Misspelling> misspelt_body(const Contract& contract, const Operation& operation,
                                               const http::Request& request,
                                               const nlohmann::json& body);

}  // namespace spec::contract
