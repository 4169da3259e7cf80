#pragma once

// The boundary cases of an operation's requests: requests that violate one keyword of one parameter
// or of the body and nothing else, which a server must reject, and valid requests that are
// exactly at a bound, which it must accept. Each was validated. Pure functions.

#include "contract_tests/plan/generated_request.hpp"
#include "spec/contract/violation.hpp"

#include <functional>
#include <map>
#include <string>

namespace contract_tests::plan {

// What is changed in a request.
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

// Who asks for boundary requests.
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
