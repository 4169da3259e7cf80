#pragma once

// What libyaml, a reader of YAML 1.1, takes otherwise than YAML 1.2 does: it ends lines at U+0085,
// U+2028 and U+2029, rejects U+007F to U+009F and JSON's escapes of surrogate pairs, takes the
// '?' of [?a] for an indicator, and rejects a literal whose text starts with a tab. It is
// given a private character for each, one for one, so that places stay what they are, and scalars
// are put back; so are escapes of the private characters themselves. Pure functions.

#include <optional>
#include <string>
#include <string_view>

namespace spec::document {

// What the UTF-8 of U+10F000 to U+10FFFF starts with, of which the private characters are some: a
// text that holds it cannot be read.
inline constexpr std::string_view kStandInBytes = "\xF4\x8F";

// `text` (UTF-8) as libyaml must get it; nothing if it needs no change.
std::optional<std::string> with_stand_ins(std::string_view text);

struct PutBack {
  std::string text;
  std::string problem{};  // "must be ... but is ..."; empty if there is none
};

// What a scalar of such a text really says. `escapes`: it is in double quotes.
PutBack put_back(std::string_view scalar, bool escapes);

}  // namespace spec::document
