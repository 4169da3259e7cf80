#pragma once

// What a story expects against what came, as violations in words. Pure functions.

#include "spec/http/response_parser.hpp"

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <vector>

namespace mock_server::tests {

// Every way in which `actual` is not as `expected` says; see README.md for special values.
std::vector<std::string> compare(const nlohmann::json& expected, const nlohmann::json* actual,
                                 const std::string& place);

// Every way in which the response is not as a story's `answer` says.
std::vector<std::string> compare_response(const nlohmann::json& expected,
                                          const spec::http::ResponseRecord& answer);

}  // namespace mock_server::tests
