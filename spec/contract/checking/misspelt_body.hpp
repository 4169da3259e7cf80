#pragma once

// Members of a request's body that its schema does not name, but nearly: OpenAPI leaves unknown
// members to the server, so validation ignores them; the mock warns of them. Pure functions, safe
// from any thread.

#include "spec/contract/contract.hpp"
#include "spec/http/message.hpp"
#include "spec/schema/misspelt.hpp"

#include <nlohmann/json_fwd.hpp>

#include <vector>

namespace spec::contract {

// `body` is the request's as validate_request read it, without violations. Empty where no content
// of the operation has a schema for its media type.
std::vector<schema::Misspelling> misspelt_body(const Contract& contract, const Operation& operation,
                                               const http::Request& request,
                                               const nlohmann::json& body);

}  // namespace spec::contract
