#pragma once

// Error responses of the control API: the service's error shape, with every problem. Statuses and
// codes are the defaults, whatever fixtures declare.

#include "mock_server/fixtures/error_table.hpp"
#include "spec/contract/contract.hpp"
#include "spec/contract/violation.hpp"
#include "spec/http/message.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace mock_server::control::request {

// {"code": ..., "message": the problem}; of several: {"code": ..., "message": how many, "problems":
// [each]}. No problem is in the body twice.
spec::http::Response reject(fixtures::ErrorKind kind, std::vector<std::string> problems);
spec::http::Response reject(fixtures::ErrorKind kind, std::string_view problem);

// The rejection of a request that violates the contract of the control API: 415, 400 or 422, as the
// service chooses them. `others` are problems that the contract cannot express.
spec::http::Response reject(const std::vector<spec::contract::Violation>& violations,
                            std::vector<std::string> others);

}  // namespace mock_server::control::request
