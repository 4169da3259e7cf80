#pragma once

// Requests that an operation accepts, made from the contract: from examples where there are any,
// else generated from the schemas. Without credentials, which request plans add. Pure functions of
// the contract and the options; each request was validated. Safe from any thread.

#include "spec/contract/contract.hpp"
#include "spec/contract/violation.hpp"
#include "spec/contract/write/example_body.hpp"
#include "spec/contract/write/write_parameter.hpp"
#include "spec/http/message.hpp"
#include "spec/result.hpp"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace contract_tests::plan {

// The optional parameters and bodies that a request gets.
enum class OptionalParts : std::uint8_t {
  kAll,
  kSome,  // by the seed
  kBody
};

struct RequestOptions {
  // `direction` is set here; `use_examples` holds for the contract's too.
  spec::schema::generate::GenerateOptions values;
  OptionalParts optional = OptionalParts::kAll;
};

// The parts of a request that one parameter fills; empty if it is not given.
struct ParameterParts {
  std::map<std::string, std::string, std::less<>> path;  // encoded, by name
  spec::contract::write::Fields query;
  spec::contract::write::Fields cookies;
  spec::http::Headers headers;
};

// The values of a request, written.
struct RequestParts {
  std::vector<ParameterParts> parameters;  // as Operation::parameters
  std::optional<spec::contract::write::Body> body;
};

// A request, and the texts that are in its target for the path parameters: encoded, by name.
struct WrittenRequest {
  spec::http::Request request;
  std::map<std::string, std::string, std::less<>> path;
};

// A request of the operation that is valid. An optional parameter for which no value can be written
// in its style is left out. The failure names the place in the contract and the reason.
spec::Result<RequestParts, spec::schema::generate::GenerateFailure> generate_parts(
    const spec::contract::Contract& contract, const spec::schema::generate::Generator& generator,
    const spec::contract::Operation& operation, const RequestOptions& options = {});
spec::Result<WrittenRequest, spec::schema::generate::GenerateFailure> generate_request(
    const spec::contract::Contract& contract, const spec::schema::generate::Generator& generator,
    const spec::contract::Operation& operation, const RequestOptions& options = {});

// Writes a parameter into its part; false when its style cannot carry the value.
bool add_value(ParameterParts& parts, const spec::contract::Contract& contract,
               const spec::contract::Parameter& parameter, const nlohmann::json& value);

// The parts put together.
WrittenRequest put_together(const spec::contract::Operation& operation, const RequestParts& parts);

// The boundary cases of an operation's requests: requests that violate one keyword of one parameter
// or of the body and nothing else, which a server must reject, and valid requests that are
// exactly at a bound, which it must accept. Each was validated. Pure functions.

// The change of a request.
struct Boundary {
  spec::contract::Part part = spec::contract::Part::kBody;
  std::string place;    // JSON pointer inside the part: "/page_size"
  std::string keyword;  // the keyword of the violation: "maximum", "missing"
  bool valid = false;
  std::string change;  // what is done to it: "101 instead of 10", "name: 5 instead of x"
};

struct BoundaryRequest : Boundary {
  spec::http::Request request;
  std::map<std::string, std::string, std::less<>> path;  // as in WrittenRequest
};

// The receiver of boundary requests.
struct BoundaryVisitor {
  std::function<bool(const Boundary&)> wants;  // asked first: only then is the request made
  std::function<void(const BoundaryRequest&)> take;
};

// Gives the visitor each of them that it wants, in the order of the parameters, then the body; none
// when the operation has no request.
void each_boundary_request(const spec::contract::Contract& contract,
                           const spec::schema::generate::Generator& generator,
                           const spec::contract::Operation& operation,
                           const RequestOptions& options, const BoundaryVisitor& visitor);

}  // namespace contract_tests::plan
