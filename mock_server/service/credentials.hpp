#pragma once

// Who may call: the credentials that fixtures or flags take, against what the operation requires.

#include "mock_server/service/call.hpp"

#include <optional>
#include <string>
#include <vector>

namespace mock_server::service {

// Credentials that flags name.
struct TakenTokens {
  const std::vector<std::string>& only;  // taken instead of the fixtures', unless it is empty
  const std::string& besides;            // taken besides the fixtures'; "" for none
};

// 401 with a challenge, 403 for a method that the credential may not use, nothing when the call may
// go on.
std::optional<Outcome> check_credentials(Call& call, const TakenTokens& tokens);

// The operation's schemes as a challenge each; Bearer when it has none that HTTP knows.
// Source: RFC 9110 §11.6.1.
std::string challenges(const spec::contract::Operation& operation);

// True when the credential of the call may see `record`.
bool may_see(const Call& call, const nlohmann::json& record);

}  // namespace mock_server::service
