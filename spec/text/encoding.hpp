#pragma once

// Bytes as text and back: hexadecimal digits, percent-encoding, Base64. Pure functions.

#include <optional>
#include <string>
#include <string_view>

namespace spec::text {

inline constexpr std::string_view kHexDigits = "0123456789abcdef";
inline constexpr std::string_view kUpperHexDigits = "0123456789ABCDEF";

// Two lower-case digits a byte.
std::string to_hex(std::string_view bytes);

// Percent-decoding (RFC 3986 §2.1); nothing if a "%" is not followed by two hexadecimal digits.
// `plus_is_blank` for application/x-www-form-urlencoded.
std::optional<std::string> percent_decode(std::string_view text, bool plus_is_blank = false);

// Encodes every byte but the unreserved characters of RFC 3986 §2.3 and those in `keep`.
std::string percent_encode(std::string_view text, std::string_view keep = {});

// With padding. Source: RFC 4648 §4.
std::string to_base64(std::string_view bytes);

// Nothing for a text that is no Base64 with its padding.
std::optional<std::string> from_base64(std::string_view text);

}  // namespace spec::text
