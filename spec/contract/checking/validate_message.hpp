#pragma once

// The one validator of messages, used by both programs. Pure functions of const data.

#include "spec/contract/contract.hpp"
#include "spec/contract/violation.hpp"
#include "spec/http/media_type.hpp"
#include "spec/http/message.hpp"
#include "spec/schema/spelling.hpp"

#include <nlohmann/json.hpp>
#include <nlohmann/json_fwd.hpp>

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace spec::contract {

// A request as the contract reads it: every declared parameter that was given, decoded to its
// schema's type, and the body. A value that could not be decoded is missing here and named in
// `violations`.
// NOLINTNEXTLINE(bugprone-exception-escape): nlohmann's move assignment asserts, it never throws.
struct RequestReading {
  nlohmann::json path = nlohmann::json::object();
  nlohmann::json query = nlohmann::json::object();
  nlohmann::json header = nlohmann::json::object();
  nlohmann::json cookie = nlohmann::json::object();
  std::optional<nlohmann::json>
      body;  // parsed when its media type is JSON or a form; text as a string
  std::vector<Violation> violations;  // parameters in document order, then media type, then body
};

// The member of a reading that has the parameters of `location`.
nlohmann::json RequestReading::*parameters_in(Location location);

// Validates everything but credentials. An empty value is the empty text, but means "not given"
// where `allowEmptyValue` is true or only null is valid. `path_values` as from Contract::route.
RequestReading validate_request(
    const Contract& contract, const Operation& operation, const http::Request& request,
    const std::vector<std::pair<std::string, std::string>>& path_values);

// True for a parameter's violation that means its value could not be decoded (rules "type",
// "format", "repeated", "encoding", "malformed"): the mock's 400. Every other violation is a 422.
bool cannot_be_decoded(const Violation& violation);

// True if a body of this media type, which matches `content`, is decoded. If not (lines of JSON,
// XML under a schema of members), its schema is not validated.
bool is_decoded(const Contract& contract, const MediaTypeObject& content,
                const http::MediaType& media_type);

struct ResponseOptions {
  bool head = false;                     // the response to HEAD: no body is expected
  const nlohmann::json* body = nullptr;  // a body in JSON, if the caller has read it already
  bool goes_on = false;                  // more items of the body would have come
};

// Validates status, media type, declared headers and body (taken off its codings). An undeclared
// status is one violation with part kStatus and rule "undeclared".
std::vector<Violation> validate_response(const Contract& contract, const Operation& operation,
                                         const http::Response& response,
                                         const ResponseOptions& options = {});

// Validates items of a response with that status and these headers whose body is not all here. The
// first has that index, which is moved behind the last. Empty where the contract describes no
// items. A schema of the array of all items is not validated.
std::vector<Violation> validate_response_items(const Contract& contract, const Operation& operation,
                                               const http::Response& head, std::string_view items,
                                               std::size_t& index);

// Undeclared parts of a request. OpenAPI leaves them to the server, so validation ignores them; the
// mock warns of them or, if configured so, rejects undeclared query parameters. Pure functions,
// safe from any thread.

// The names of the query's fields, decoded, each once, in order, that no parameter takes by its
// style and no API key of the operation has. Source: OpenAPI 3.1.0 §4.8.12.
std::vector<std::string> undeclared_query(const Contract& contract, const Operation& operation,
                                          const http::Request& request);

// A violation of the operation's own statement, rule "undeclared".
Violation undeclared_query_violation(const Operation& operation, const std::string& name);

// Members of the body whose names are nearly, but not exactly, names in its schema. `body` is the
// request's as validate_request read it, without violations. Empty if no content of the operation
// has a schema for its media type.
std::vector<schema::Misspelling> misspelt_body(const Contract& contract, const Operation& operation,
                                               const http::Request& request,
                                               const nlohmann::json& body);

}  // namespace spec::contract
