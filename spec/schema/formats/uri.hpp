#pragma once

// Uniform and international resource identifiers, and templates of them.
// Pure functions, safe from any thread.

#include <string_view>

namespace spec::schema::formats {

// Source: RFC 3986 §3 and §4.1.
bool is_uri(std::string_view text);
bool is_uri_reference(std::string_view text);
// Source: RFC 3987 §2.2.
bool is_iri(std::string_view text);
bool is_iri_reference(std::string_view text);
// Source: RFC 6570 §2.
bool is_uri_template(std::string_view text);

}  // namespace spec::schema::formats
