#pragma once

// Where ECMAScript and PCRE2 disagree about back references. ECMAScript empties the groups of a
// repeated part before each round; PCRE2 keeps what an earlier round captured. Used by parse.cpp
// alone.

#include "spec/schema/patterns/tree.hpp"

#include <optional>

namespace spec::schema::patterns {

// The first back reference that names no group, or that may see what an earlier round captured.
std::optional<SyntaxError> wrong_back_reference(const Node& tree);

}  // namespace spec::schema::patterns
