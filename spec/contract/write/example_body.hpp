#pragma once

// Values and bodies for messages: from examples if there are any, else generated from the schemas.
// Pure functions of the contract and the options; safe from any thread.

#include "spec/contract/write/write_body.hpp"
#include "spec/http/media_type.hpp"
#include "spec/result.hpp"
#include "spec/schema/generate/generator.hpp"

#include <optional>
#include <string>

namespace spec::contract::write {

using schema::generate::GenerateFailure;
using schema::generate::GenerateOptions;
using schema::generate::Generator;

// A value for a parameter or a header: its first example, else a generated one; none if there is
// neither.
std::optional<nlohmann::json> generate_value(const Generator& generator, const Parameter& parameter,
                                             const GenerateOptions& options);

// The same for the headers of parts.
MakeHeader header_maker(const Generator& generator, const GenerateOptions& options);

// The sources of a body that are tried before a value is generated.
struct BodySources {
  const nlohmann::json* example = nullptr;
  const std::string* serialized = nullptr;  // of the example
  bool takes_usual = true;                  // usual_body()
};

Result<Body, GenerateFailure> generate_body(const BodyForm& form, const Generator& generator,
                                            const GenerateOptions& options,
                                            const BodySources& sources);

// A small file that programs can open: a PDF of one page, a PNG or GIF of one pixel, an empty ZIP,
// a certificate, a web token, a GraphQL query; none for other kinds.
std::optional<std::string> small_file(const http::MediaType& media_type);

}  // namespace spec::contract::write
