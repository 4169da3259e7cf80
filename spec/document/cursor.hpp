#pragma once

// Byte offsets of a text to lines and columns, counting from 1, columns in code points. Offsets are
// asked for in rising order, as events come, so a whole text is walked once.

#include "spec/document/tree.hpp"

#include <cstddef>
#include <string_view>

namespace spec::document {

class Cursor {
 public:
  explicit Cursor(std::string_view text) : text_(text) {}

  // The place of the byte at `offset`; beyond the end, the end. A smaller offset than the last one
  // starts over. "\n", "\r\n" and a lone "\r" end a line (YAML 1.2.2 §5.4).
  Spot locate(std::size_t offset);

 private:
  std::string_view text_;
  std::size_t at_ = 0;
  Spot spot_;
};

}  // namespace spec::document
