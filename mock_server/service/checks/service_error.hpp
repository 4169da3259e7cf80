#pragma once

// Errors in the service's shape, or in the shape that the operation declares for the status.

#include "mock_server/api/error_table.hpp"
#include "mock_server/service/request/request_context.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace mock_server::service::checks {

using request::ChosenResponse;
using request::RequestContext;

// `query/page_size: must be at most 100, but is 101`.
std::string in_short(const spec::contract::Violation& violation);

// The error of `kind`; `details` says what is wrong and where.
ChosenResponse reject(RequestContext& context, api::ErrorKind kind, std::string_view details);

// The same with the entry already chosen.
ChosenResponse reject(RequestContext& context, const api::ErrorEntry& entry,
                      std::string_view details);

// An error with a status that the operation does not declare, in the shape of the errors that it
// declares (of the same class, if there are any), else in the service's. Counts as validated.
ChosenResponse reject_undeclared(RequestContext& context, const api::ErrorEntry& entry,
                                 std::string_view details);

// The first response with the one media type and schema that all declared errors of the contract
// have; null if they differ, or none is declared.
const spec::contract::Response* only_error(const spec::contract::Contract& contract);

// The rejection for the violations of `context.reading`: media type 415, then parameters 400 or
// 422, then the body 422. Nothing if there are none. Moves them to `context.violations`.
std::optional<ChosenResponse> reject_violations(RequestContext& context);

}  // namespace mock_server::service::checks
