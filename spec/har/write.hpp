#pragma once

// Requests and responses as the members of a HAR 1.2 entry have them; what only one maker knows
// (times, bodies that are cut) it adds. Bytes that are no UTF-8 are replaced. Pure functions.
// Source: http://www.softwareishard.com/blog/har-12-spec/.

#include "spec/http/message.hpp"

#include <nlohmann/json_fwd.hpp>

#include <cstddef>
#include <string>
#include <string_view>

namespace spec::har {

// "request", without its body: "postData" is the caller's.
nlohmann::json write_request(const http::Request& request, std::string_view url,
                             std::size_t body_bytes);

// "response" without redirect and with a body of unknown size on the wire; `content` has its body.
nlohmann::json write_response(const http::Response& response, std::string_view http_version,
                              nlohmann::json content);

// Adds `body` to "postData" or "content", in Base64 where it is no text.
void add_body(nlohmann::json& part, const std::string& body, bool is_text);

}  // namespace spec::har
