#pragma once

// Characters of the classes that patterns call by a property: \p{L}, \p{Script=Greek}, \P{Lu}. Pure
// functions. Used by this folder only.

#include "spec/schema/samples/pattern_words.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace spec::schema::samples {

// Plain letters or digits where they have the property ("{L}"); nothing for others.
std::vector<PatternPart::Range> plain_property(std::string_view name);

// The first characters that `escape` ("\p{Script=Greek}") matches; none if there are none. Takes
// some thousand searches.
std::vector<PatternPart::Range> find_ranges(const std::string& escape);

}  // namespace spec::schema::samples
