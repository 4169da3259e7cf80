#pragma once

// Base64 as credentials and reports write it. Pure functions. Source: RFC 4648 §4.

#include <optional>
#include <string>
#include <string_view>

namespace spec::http {

std::string to_base64(std::string_view bytes);

// Nothing for a text that is no base64 with its padding.
std::optional<std::string> from_base64(std::string_view text);

}  // namespace spec::http
