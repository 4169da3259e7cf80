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

// Percent-decoding (RFC 3986 §2.1); none if a "%" is not followed by two hexadecimal digits.
// `plus_is_blank` for application/x-www-form-urlencoded.
std::optional<std::string> percent_decode(std::string_view text, bool plus_is_blank = false);

// Encodes every byte but the unreserved characters of RFC 3986 §2.3 and those in `keep`.
std::string percent_encode(std::string_view text, std::string_view keep = {});

// With padding. Source: RFC 4648 §4.
std::string to_base64(std::string_view bytes);

// None for a text that is no Base64 with its padding.
std::optional<std::string> from_base64(std::string_view text);

// `text` for the content of an element or for an attribute in double quotes. Line breaks and tabs
// become references, so that an attribute keeps them; characters that XML cannot have (other
// control characters, U+FFFE, U+FFFF, bytes that are no UTF-8) become "?". Source: XML 1.0 §2.2,
// §3.3.3.
std::string escape_xml(std::string_view text);

// JSON for the content of a script element, which it cannot end: "<" is in its strings alone and is
// escaped there. Source: HTML, Restrictions for contents of script elements.
std::string json_in_script(std::string_view json);

// Puts `with` into the first `hole` of a page, which must have one.
void fill_hole(std::string& page, std::string_view hole, std::string_view with);

}  // namespace spec::text
