#pragma once

// The corners of an operation's requests: requests that break one keyword of one parameter or of
// the body and nothing else, and requests that stand exactly at a bound. For the suite: a server
// must refuse the first and take the second. Each was checked by the judge. Pure functions.

#include "spec/contract/samples/message.hpp"
#include "spec/contract/violation.hpp"

#include <map>
#include <string>
#include <vector>

namespace spec::contract::samples {

struct RequestCorner {
  http::Request request;
  std::map<std::string, std::string, std::less<>> path;  // as in WrittenRequest
  Part part = Part::kBody;
  std::string place;         // JSON pointer inside the part: "/page_size"
  std::string keyword;       // the rule that the judge names: "maximum", "missing"
  document::Node statement;  // the keyword, or what it stands in
  bool valid = false;
  std::string change;  // "query/page_size 101 instead of 10", "body: name: 5 instead of x"
};

// In the order of the parameters, then the body; empty when the operation has no request.
std::vector<RequestCorner> request_corners(const Contract& contract, const Sampler& sampler,
                                           const Operation& operation,
                                           const RequestOptions& options = {});

}  // namespace spec::contract::samples
