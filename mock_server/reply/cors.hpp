#pragma once

// What browsers ask for before they let a page read a response: CORS (Fetch Standard §3.2), with
// credentials, and preflights for private networks. Pure functions.

#include "spec/http/message.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace mock_server::reply {

// OPTIONS that asks for another request's sake.
bool is_preflight(const spec::http::Request& request);

// 204 for any path.
spec::http::Response response_preflight(const spec::http::Request& request);

// Adds what lets the page at `origin`, or where there is none any page, read the response.
void allow_origin(std::optional<std::string_view> origin, spec::http::Response& response);

// Adds what lets the page at the request's Origin read the headers of these names besides the
// safelisted ones.
void expose_headers(const spec::http::Request& request, spec::http::Response& response,
                    std::string names);

// Adds what lets the page at the request's Origin read the response and all its headers, in place of
// what a contract says of that.
void add_cors(const spec::http::Request& request, spec::http::Response& response);

}  // namespace mock_server::reply
