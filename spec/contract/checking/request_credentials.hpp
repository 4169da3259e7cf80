#pragma once

// The credentials of a request, which validate.hpp leaves out. Pure functions, safe from any
// thread.

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

// What a request brings for the operation's security requirements; values are not validated.
struct Credentials {
  bool satisfied_by_anyone = false;  // an alternative without schemes, or no requirement
  // For each alternative whose every scheme was given, in order.
  std::vector<std::vector<GivenCredential>> given;
};

Credentials read_credentials(const Operation& operation, const http::Request& request);

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
