#pragma once

// Checks the request's credentials against the security requirements of the operation and the
// credentials that fixtures or flags accept.

#include "mock_server/service/request/request_context.hpp"
#include "spec/contract/contract.hpp"
#include "spec/contract/violation.hpp"

#include <optional>
#include <span>
#include <string>
#include <string_view>
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

// The name of the cell of a token that a login issued.
std::string issued_cell(std::string_view token);

// True when the credential of the call may see `record`.
bool may_see(const RequestContext& context, const nlohmann::json& record);

// Which parts of a request a contract declares to be credentials, so that journal and log never
// show them: the API keys of its security schemes. Built once for a loaded API, const afterwards.

class Secrets {
 public:
  explicit Secrets(const spec::contract::Contract& contract);

  // Names of header fields; "Cookie" when a key comes in one.
  std::span<const std::string> fields() const { return fields_; }

  // True for a violation of a parameter that is a credential, whose message may quote it.
  bool concerns(const spec::contract::Violation& violation) const;

  // The target with the values of secret query parameters replaced; "" when it has none.
  std::string hide(std::string_view target) const;

 private:
  std::vector<std::string> fields_;
  std::vector<std::string> parameters_;
};

}  // namespace mock_server::service::checks
