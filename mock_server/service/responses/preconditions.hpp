#pragma once

// Conditional requests (RFC 9110 §13): of files, and of records where the contract declares the
// header ETag for the response that reads one.

#include "mock_server/service/request/request_context.hpp"
#include "mock_server/service/responses/session_records.hpp"

#include <optional>
#include <string_view>

namespace mock_server::service::responses {

// The response where the request's If-Match or If-None-Match does not hold for `whole`, which has
// an ETag: 412, or 304 for a read. Nothing where both hold. `what` it is: "file".
std::optional<ChosenResponse> check_preconditions(RequestContext& context,
                                                  const spec::http::Response& whole,
                                                  std::string_view what);

// The same before the request changes `found`.
std::optional<ChosenResponse> reject_other_version(RequestContext& context,
                                                   const FoundRecord& found);

// `chosen`, the response of a read or a change, with the ETag that the contract declares: always
// that of a read now. A read whose precondition does not hold is the response above.
ChosenResponse with_version(RequestContext& context, ChosenResponse chosen);

}  // namespace mock_server::service::responses
