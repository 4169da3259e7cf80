#pragma once

// The rule for names with labels that are written from right to left. Pure functions.

#include <string_view>

namespace spec::schema::formats {

// Whether a label holds a right-to-left letter or an Arabic digit: it makes the whole name a
// bidirectional one. `label` is UTF-8. Source: RFC 5893 §1.4.
bool is_right_to_left(std::string_view label);

// Whether a label may stand in a bidirectional name. Source: RFC 5893 §2, conditions 1 to 6.
bool keeps_bidi_rule(std::string_view label);

}  // namespace spec::schema::formats
