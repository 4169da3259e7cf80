#pragma once

// The credential of a request for one security scheme. For messages about missing credentials;
// read_credentials (validate.hpp) decides whether a request may call an operation. Pure functions,
// safe from any thread.

#include "spec/contract/contract.hpp"
#include "spec/http/message.hpp"

#include <optional>
#include <set>
#include <string>
#include <utility>

namespace spec::contract {

// The credential, decoded where a query or cookie carries it; nothing when it is not given, given
// more than once, or of another form than its scheme's. "" for mutual TLS, which no message shows.
// Source: OpenAPI 3.1.0 §4.8.27; RFC 9110 §11.6.2; RFC 7617 §2.
std::optional<std::string> credential_of(const http::Request& request,
                                         const SecurityScheme& scheme);

// Where the API keys are that operations ask for, and their names.
std::set<std::pair<Location, std::string>> api_keys(const Contract& contract);

// RFC 6750 §2.1: what a bearer token is made of.
bool is_bearer_token(std::string_view text);

// What the scheme asks for, in words: "header/Authorization "Bearer" and a token", "query/key".
std::string in_words(const SecurityScheme& scheme);

}  // namespace spec::contract
