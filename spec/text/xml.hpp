#pragma once

// Text inside XML and HTML. Pure functions.

#include <string>
#include <string_view>

namespace spec::text {

// `text` for the content of an element or for an attribute in double quotes. Line breaks and tabs
// become references, so that an attribute keeps them; what XML has no way to write (other control
// characters, U+FFFE, U+FFFF, bytes that are no UTF-8) becomes "?". Source: XML 1.0 §2.2, §3.3.3.
std::string escape_xml(std::string_view text);

// JSON for the content of a script element, which it cannot end: "<" is in its strings alone and is
// escaped there. Source: HTML, Restrictions for contents of script elements.
std::string json_in_script(std::string_view json);

// Puts `with` into the first `hole` of a page, which must have one.
void fill_hole(std::string& page, std::string_view hole, std::string_view with);

}  // namespace spec::text
