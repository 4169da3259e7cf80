#pragma once

// Formats of one rule each: identifiers, pointers, patterns, bytes as text.
// Pure functions, safe from any thread.

#include <string_view>

namespace spec::schema::formats {

// Source: RFC 4122 §3.
bool is_uuid(std::string_view text);
// Source: RFC 6901 §3.
bool is_json_pointer(std::string_view text);
// Source: draft-bhutton-relative-json-pointer-00 §3.
bool is_relative_json_pointer(std::string_view text);
// Source: ECMA-262 §22.2.1 with the "u" flag.
bool is_regex(std::string_view text);
// With padding. Source: RFC 4648 §4 and §5.
bool is_base64(std::string_view text);
bool is_base64url(std::string_view text);
// Exactly one code point. Source: OpenAPI format registry, `char`.
bool is_char(std::string_view text);

}  // namespace spec::schema::formats
