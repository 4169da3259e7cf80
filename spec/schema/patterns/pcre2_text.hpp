#pragma once

// A pattern's tree as a PCRE2 pattern of the same meaning. Used when a schema is compiled. Pure
// function.

#include "spec/schema/patterns/tree.hpp"

#include <string>

namespace spec::schema::patterns {

// The PCRE2 pattern (for PCRE2_UTF, PCRE2_DOLLAR_ENDONLY, PCRE2_MATCH_UNSET_BACKREF; not PCRE2_UCP)
// that finds what the ECMAScript pattern finds. A lookbehind of variable length is written all the
// same: PCRE2 rejects it.
std::string pcre2_text(const Node& tree);

}  // namespace spec::schema::patterns
