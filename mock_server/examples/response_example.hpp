#pragma once

// Bodies of responses that a contract promises: examples, else generated from the schemas. Pure
// functions of the contract and the options; safe from any thread.

#include "spec/contract/contract.hpp"
#include "spec/contract/write/example_body.hpp"
#include "spec/http/message.hpp"
#include "spec/load_error.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mock_server::examples {

// A media type that a response declares, and for a range the one to send; nothing: the one that is
// usual (JSON where the range takes it).
struct ResponseContent {
  const spec::contract::MediaTypeObject& content;
  std::optional<spec::http::MediaType> sent_as = std::nullopt;
};

// `value` as a body, without what its schema keeps to requests (writeOnly); nothing when the media
// type cannot carry it.
std::optional<spec::contract::write::Body> write_response_body(
    const spec::contract::Contract& contract, const ResponseContent& response,
    const nlohmann::json& value);

// An example's text as the body.
std::optional<spec::contract::write::Body> serialized_response_body(
    const spec::contract::Contract& contract, const ResponseContent& response,
    const std::string& text);

// True if an example of the content is a valid instance of its schema, or is a text in a form of
// its media type's own that no schema here speaks of. What cannot be decided is taken for valid.
bool is_valid_example(const spec::contract::Contract& contract, const ResponseContent& response,
                      const nlohmann::json& value);

// True if `value`, or each item of it, satisfies the content's schema as far as that is understood.
bool fits_response(const spec::contract::Contract& contract, const ResponseContent& response,
                   const nlohmann::json& value);

// The first example if it is valid, else a small file of the media type, else generated of the
// schema.
spec::Result<spec::contract::write::Body, spec::schema::generate::GenerateFailure>
generate_response_body(const spec::contract::Contract& contract,
                       const spec::schema::generate::Generator& generator,
                       const ResponseContent& response,
                       const spec::schema::generate::GenerateOptions& options);

// The headers that a response of `contract` declares, and of the request the path, still encoded,
// which Location goes on from, and the methods that the path has, for Allow.
struct DeclaredHeaders {
  const spec::contract::Contract& contract;
  const spec::contract::Response& response;
  std::string_view path = {};
  bool examples_as_written = false;  // also those that are not valid
  std::string_view allow = {};
};

// Adds each header that is declared and not in the response yet. Those that HTTP or its
// frameworks give a meaning of their own (Content-*, CORS and so on) only where the contract has an
// example or requires them; Location also where something was created or moved. Cookies have no
// attribute that browsers reject, and a redirect does not lead back. The status and the body are
// set. Gives the names of those whose example is not valid, so that a generated value was added.
std::vector<std::string> add_declared_headers(
    const spec::schema::generate::Generator& generator, const DeclaredHeaders& declared,
    const spec::schema::generate::GenerateOptions& options, spec::http::Response& response);

enum class NotAsDeclared : std::uint8_t { kAll, kMissed };

// The declared headers of responses that are not sent as their examples say, or of these the ones
// that are required and left out, each once, at its place and with the reason.
std::vector<spec::Problem> headers_not_as_declared(const spec::contract::Contract& contract,
                                                   NotAsDeclared which);

}  // namespace mock_server::examples
