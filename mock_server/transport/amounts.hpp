#pragma once

// How many things a request is made of, counted before anybody makes something of each: pairs of a
// query or a form, parts of a multipart body, levels and values of JSON. Pure, safe from any
// thread.

#include "spec/http/message.hpp"
#include "spec/http/request_parser.hpp"

#include <cstddef>
#include <optional>
#include <string_view>

namespace mock_server::transport {

struct Limits;

// A reason to reject the request, whose content coding is off; or nothing.
std::optional<spec::http::Rejection> check_amounts(const spec::http::Request& request,
                                                   const Limits& limits);

// About how many bytes the values of this JSON text will hold while it is read, each with what its
// container keeps for it: no less than they do hold. Of other content: as if it were JSON.
std::size_t bytes_of_values(std::string_view text);

}  // namespace mock_server::transport
