#pragma once

// What the mock is called by who asked it. Pure functions.

#include "spec/http/message.hpp"

#include <string>
#include <string_view>

namespace mock_server::reply {

// "http://127.0.0.1:4010", as the request's Host says; "" when it says nothing that could be one.
// `scheme` is what requests come by. Source: RFC 9110 §7.2.
std::string own_address(const spec::http::Request& request, std::string_view scheme);

}  // namespace mock_server::reply
