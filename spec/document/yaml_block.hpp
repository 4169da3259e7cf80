#pragma once

// The characters of YAML block scalars, literal "|" and folded ">" (YAML 1.2.2 §8.1). Our own,
// because libfyaml 0.7.12 cuts some of them short. Pure functions.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace spec::document {

struct BlockScalar {
  // From the header's '|' or '>' to where the scalar ends, line breaks as line feeds.
  std::string_view raw;
  // Blanks before the parent's lines; nothing at the root.
  std::optional<std::size_t> parent_indentation;
};

struct BlockText {
  std::string text;
  std::string problem{};  // "must be ... but is ..."; empty if there is none
  // Where in `raw` the scalar really ends, when what follows is the parent's: libfyaml 0.7.12 takes
  // the lines after an empty block for its text. Nothing when `raw` is the scalar and nothing else.
  std::optional<std::size_t> swallowed_from{};
};

BlockText decode_block_scalar(const BlockScalar& scalar);

}  // namespace spec::document
