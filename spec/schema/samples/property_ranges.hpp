#pragma once

// Characters of the classes that patterns call by a property: \p{L}, \p{Script=Greek}, \P{Lu}. Pure
// functions. Used by this folder only.

#include "spec/schema/samples/pattern_words.hpp"

#include <string>
#include <vector>

namespace spec::schema::samples {

// The first characters that `escape` ("\p{Script=Greek}") matches; plain letters or digits where
// they do; none if there are none. Takes some thousand searches.
std::vector<CharacterRange> find_ranges(const std::string& escape);

}  // namespace spec::schema::samples
