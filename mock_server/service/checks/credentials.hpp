#pragma once

// Checks the request's credentials against the security requirements of the operation and the
// credentials that fixtures or flags accept.

#include "mock_server/service/request/request_context.hpp"

#include <optional>
#include <string>
#include <vector>

namespace mock_server::service::checks {

using request::ChosenResponse;
using request::RequestContext;

// Credentials from flags and environment.
struct TakenTokens {
  const std::vector<std::string>& only;  // accepted instead of the fixtures', unless empty
  const std::string& besides;            // accepted in addition to the fixtures'; "" for none
};

// 401 with a challenge, 403 for a method that the credential may not use, nothing if the call may
// continue.
std::optional<ChosenResponse> check_credentials(RequestContext& context, const TakenTokens& tokens);

// A challenge for each scheme of the operation; Bearer if HTTP knows none of them.
// Source: RFC 9110 §11.6.1.
std::string challenges(const spec::contract::Operation& operation);

// True when the credential of the call may see `record`.
bool may_see(const RequestContext& context, const nlohmann::json& record);

}  // namespace mock_server::service::checks
