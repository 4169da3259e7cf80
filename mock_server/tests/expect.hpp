#pragma once

// Compares a response with a story's expectation, as violations in words. Pure functions.

#include "spec/http/response_parser.hpp"

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <vector>

namespace mock_server::tests {

// Every way in which `actual` is not as `expected` says; see README.md for special values.
std::vector<std::string> compare(const nlohmann::json& expected, const nlohmann::json* actual,
                                 const std::string& place);

// Every way in which the response is not as a story's `response` says.
std::vector<std::string> compare_response(const nlohmann::json& expected,
                                          const spec::http::ResponseRecord& record);

}  // namespace mock_server::tests
