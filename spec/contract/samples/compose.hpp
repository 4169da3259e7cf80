#pragma once

// A request put together from written parts. Used by this folder only.

#include "spec/contract/samples/message.hpp"
#include "spec/contract/samples/write_body.hpp"
#include "spec/contract/samples/write_value.hpp"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace spec::contract::samples {

// What one parameter adds to a request; nothing when it is not given.
struct Parts {
  std::map<std::string, std::string, std::less<>> path;  // encoded, by name
  Fields query;
  Fields cookies;
  http::Headers headers;
};

// The values of a request, written.
struct Drawn {
  std::vector<Parts> parameters;  // as Operation::parameters
  std::optional<Body> body;
};

// The values of a request that keeps the contract; as sample_request.
Result<Drawn, Failure> draw_request(const Contract& contract, const Sampler& sampler,
                                    const Operation& operation, const RequestOptions& options);

// Writes a parameter into its part; false when its style cannot carry the value.
bool add_value(Parts& parts, const Parameter& parameter, const nlohmann::json& value,
               Version version);

// Of `options` what it says of credentials.
WrittenRequest compose(const Operation& operation, const Drawn& drawn,
                       const RequestOptions& options);

// A content of a body with the plan that it is read by.
struct PlannedContent {
  const Contract& contract;
  const Content& content;
  const ContentPlan& plan;
  // Of a range, the media type to send; nothing: the one that is usual.
  std::optional<http::MediaType> sent_as = std::nullopt;
  bool takes_example = true;  // false: its example breaks the schema
};

// The `number`-th body: an example, a usual file, then samples.
Result<Body, Failure> sample_body(const PlannedContent& planned, const Sampler& sampler,
                                  const SampleOptions& options, unsigned number);

// Values for the headers of parts: examples and samples.
MakeHeader header_maker(const Sampler& sampler, const SampleOptions& options);

// `value` as a body; nothing when the media type cannot carry it.
std::optional<Body> body_of(const PlannedContent& planned, const nlohmann::json& value,
                            const MakeHeader& make_header);

}  // namespace spec::contract::samples
