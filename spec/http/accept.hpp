#pragma once

// What an Accept field value says by itself; what it chooses is media_type.hpp's negotiate.

#include "spec/http/media_type.hpp"

#include <optional>
#include <string_view>
#include <vector>

namespace spec::http {

// The media types, no ranges, that it names as acceptable, in its order.
// Source: RFC 9110 §12.5.1.
std::vector<MediaType> named_types(std::optional<std::string_view> accept);

}  // namespace spec::http
