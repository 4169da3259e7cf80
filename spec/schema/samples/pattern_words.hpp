#pragma once

// Texts that a pattern matches: its tree is walked at random. Anchors and look-around that must not
// be there are met by trying again, so the caller checks each text with the real pattern. Used by
// this folder only.

#include "spec/schema/patterns/tree.hpp"
#include "spec/schema/samples/random.hpp"

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace spec::schema::samples {

struct CharacterRange {
  char32_t low = 0;
  char32_t high = 0;  // included
};

// Characters of properties, by their escape ("\p{sc:Greek}"), which take a while to find.
using PropertyRanges = std::map<std::string, std::vector<CharacterRange>>;

// The pattern's tree, each set in it replaced by plain ranges of characters that people write.
// Nothing when the pattern is none, or holds a set without a known character.
std::optional<patterns::Node> writable_pattern(std::string_view pattern,
                                               PropertyRanges& properties);

// One text of a pattern made by writable_pattern(), in UTF-8; each repeat goes at most `extra`
// times beyond its min.
std::string write_match(const patterns::Node& pattern, std::size_t extra, Random& random);

}  // namespace spec::schema::samples
