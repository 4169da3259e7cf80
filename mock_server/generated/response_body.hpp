#pragma once

// Bodies of responses that a contract promises: examples, else generated from the schemas. Pure
// functions of the contract and the options; safe from any thread.

#include "spec/contract/write/generate.hpp"

#include <optional>
#include <string_view>

namespace mock_server::generated {

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

// Whether an example of the content is a valid instance of its schema, or is a text in a form of
// its media type's own that no schema here speaks of. What cannot be decided is taken for valid.
bool is_valid_example(const spec::contract::Contract& contract, const ResponseContent& response,
                      const nlohmann::json& value);

// The first example if it is valid, else a small file of the media type, else generated of the
// schema.
spec::Result<spec::contract::write::Body, spec::schema::generate::GenerateFailure>
generate_response_body(const spec::contract::Contract& contract,
                       const spec::schema::generate::Generator& generator,
                       const ResponseContent& response,
                       const spec::schema::generate::GenerateOptions& options);

}  // namespace mock_server::generated
