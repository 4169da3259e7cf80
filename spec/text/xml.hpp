#pragma once

// Text inside XML and HTML. Pure functions.

#include <string>
#include <string_view>

namespace spec::text {

// `text` for the content of an element or for an attribute in double quotes. Line breaks and tabs
// become references, so that an attribute keeps them; what XML has no way to write (other control
// characters, U+FFFE, U+FFFF, bytes that are no UTF-8) becomes "?". Source: XML 1.0 §2.2, §3.3.3.
std::string escape_xml(std::string_view text);

}  // namespace spec::text
