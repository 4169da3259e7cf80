#pragma once

// Fields whose value is a list and that may be written on several lines: the lines are one list.

#include "spec/http/message.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace spec::http {

// The values of every line of `name`, joined by ", "; nothing when there is no line. Only for
// fields that are lists: Accept, If-None-Match, Prefer. Source: RFC 9110 §5.3.
std::optional<std::string> list_field(const Headers& headers, std::string_view name);

}  // namespace spec::http
