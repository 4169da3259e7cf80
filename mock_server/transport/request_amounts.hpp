#pragma once

// The number of things in a request, counted before something is made of each: pairs of a
// query or a form, parts of a multipart body, levels and values of JSON. Pure, safe from any
// thread.

#include "spec/http/message.hpp"
#include "spec/http/request_parser.hpp"

#include <optional>

namespace mock_server::transport {

struct Limits;

// A reason to reject the request, whose content coding is off; or nothing.
std::optional<spec::http::Rejection> check_amounts(const spec::http::Request& request,
                                                   const Limits& limits);

}  // namespace mock_server::transport
