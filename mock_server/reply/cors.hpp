#pragma once

// CORS (Fetch Standard §3.2): header fields that let a page read a response, with credentials, and
// preflights for private networks. Pure functions.

#include "spec/http/message.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace mock_server::reply {

// 204 for any path; see spec::http::is_preflight.
spec::http::Response response_preflight(const spec::http::Request& request);

// Lets the page at `origin`, or without an origin any page, read the response.
void allow_origin(std::optional<std::string_view> origin, spec::http::Response& response);

// Lets the page at the request's Origin read the headers of these names, too.
void expose_headers(const spec::http::Request& request, spec::http::Response& response,
                    std::string names);

// Lets the page at the request's Origin read the response and all its headers; replaces CORS
// headers of the contract.
void add_cors(const spec::http::Request& request, spec::http::Response& response);

}  // namespace mock_server::reply
