#pragma once

// Errors in the service's shape, or in the shape that the operation declares for the status.

#include "mock_server/fixtures/error_table.hpp"
#include "mock_server/service/call.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace mock_server::service {

// `query/page_size: must be at most 100 but is 101`.
std::string in_short(const spec::contract::Violation& violation);

// The error of `kind`; `details` are the places and rules in words.
Outcome reject(Call& call, fixtures::ErrorKind kind, std::string_view details);

// The same with the entry already chosen.
Outcome reject(Call& call, const fixtures::ErrorEntry& entry, std::string_view details);

// The rejection that the violations of `call.reading` ask for: media type 415, then parameters 400 or
// 422, then the body 422. Nothing when there are none. Moves them to `call.violations`.
std::optional<Outcome> reject_violations(Call& call);

}  // namespace mock_server::service
