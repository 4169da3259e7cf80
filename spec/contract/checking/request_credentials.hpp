#pragma once

// The credentials of a request, which validate_request does not validate. Pure functions, safe from
// any thread.

#include "spec/contract/contract.hpp"
#include "spec/http/message.hpp"

#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace spec::contract {

// A bearer credential is the text after the scheme, case of "bearer" ignored, never empty.
struct GivenCredential {
  const SecurityScheme* scheme = nullptr;  // of the operation
  std::string text;
};

// The credentials that a request has for the operation's security requirements; not validated.
struct Credentials {
  bool satisfied_by_anyone = false;  // an alternative without schemes, or no requirement
  // One entry for each alternative whose every scheme was given, in order.
  std::vector<std::vector<GivenCredential>> given;
};

Credentials read_credentials(const Operation& operation, const http::Request& request);

// The credential, decoded if a query or cookie carries it; none if it is not given, given more than
// once, or of another form than its scheme's. "" for mutual TLS, which no message shows. Source:
// OpenAPI 3.1.0 §4.8.27; RFC 9110 §11.6.2; RFC 7617 §2.
std::optional<std::string> credential_of(const http::Request& request,
                                         const SecurityScheme& scheme);

// The locations and names of the API keys that operations require.
std::set<std::pair<Location, std::string>> api_keys(const Contract& contract);

// True if a bearer token may be spelled so. Source: RFC 6750 §2.1.
bool is_bearer_token(std::string_view text);

// Describes the credential of a scheme: "header/Authorization "Bearer" and a token", "query/key".
std::string describe_credential(const SecurityScheme& scheme);

}  // namespace spec::contract
