#pragma once

// A pattern's tree as a PCRE2 pattern of the same meaning. Used when a schema is compiled. Pure
// function.

#include "spec/schema/patterns/tree.hpp"

#include <cstddef>
#include <string>

namespace spec::schema::patterns {

struct Pcre2Text {
  std::string text;
  std::size_t max_characters = Node::kEndless;  // of a text for which it means what the tree means
};

// The PCRE2 pattern (for PCRE2_UTF, PCRE2_DOLLAR_ENDONLY, PCRE2_MATCH_UNSET_BACKREF; not PCRE2_UCP)
// that finds what the ECMAScript pattern finds. A lookbehind of variable length is written all the
// same: PCRE2 rejects it. PCRE2 counts to 65535 and copies a group for each round: counts above
// that, and those of groups above `max_copies`, are left out, which only long texts can tell.
Pcre2Text pcre2_text(const Node& tree, std::size_t max_copies);

}  // namespace spec::schema::patterns
