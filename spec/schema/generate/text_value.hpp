#pragma once

// Texts that a pattern matches: its tree is walked at random. Anchors and look-arounds are met by
// trying again, so the caller checks each text with the real pattern. Used by this folder only.

#include "spec/schema/patterns/pattern_tree.hpp"
#include "spec/text/random.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace spec::schema::generate {

// The pattern's tree, with each set in it replaced by plain ranges of characters that people write.
// None if the pattern is invalid, or has a set without a known character.
std::optional<patterns::Node> writable_pattern(std::string_view pattern);

// One text of a pattern made by writable_pattern(), in UTF-8; each repeat goes at most `extra`
// times beyond its min.
std::string write_match(const patterns::Node& pattern, std::size_t extra, text::Random& random);

}  // namespace spec::schema::generate
