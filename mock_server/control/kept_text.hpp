#pragma once

// Bytes of an exchange as texts that JSON can hold. Pure functions.

#include <string>
#include <string_view>

namespace mock_server::control {

// The text, each byte that is no UTF-8 replaced by U+FFFD.
std::string as_utf8(std::string_view bytes);

}  // namespace mock_server::control
