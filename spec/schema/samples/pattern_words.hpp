#pragma once

// Texts that a pattern matches. The pattern is read into a small tree and written by walking it at
// random; anchors, look-around and what else the tree leaves out is met by trying again, so the
// caller checks each text with the real pattern. Used by this folder only.

#include "spec/schema/samples/random.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace spec::schema::samples {

// A part of a pattern.
struct PatternPart {
  enum class Kind : std::uint8_t {
    kSequence,
    kAlternatives,
    kSet,
    kRepeat,
    kGroup,
    kReference,
    kLook
  };

  struct Range {
    char32_t low = 0;
    char32_t high = 0;
  };

  Kind kind = Kind::kSequence;
  std::vector<PatternPart> parts;  // of a sequence, alternatives; one of a repeat, group, look
  std::vector<Range> ranges;       // of a set
  std::size_t least = 0;           // of a repeat
  std::size_t most = 0;
  std::size_t group = 0;  // the number of a group or of what a reference refers to
};

// Characters of classes like "\p{Script=Greek}", which take a while to find.
using PropertyRanges = std::map<std::string, std::vector<PatternPart::Range>>;

// Nothing when the pattern uses what is not known here or is nested deeper than 64.
std::optional<PatternPart> read_pattern(std::string_view pattern, PropertyRanges& properties);

// One text of the pattern; each repeat goes at most `extra` times beyond its least, in UTF-8.
std::string write_match(const PatternPart& pattern, std::size_t extra, Random& random);

}  // namespace spec::schema::samples
