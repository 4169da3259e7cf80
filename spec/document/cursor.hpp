#pragma once

// Byte offsets of a text to lines and columns, counting from 1, columns in code points. Offsets are
// asked for in rising order, as events come, so a whole text is walked once.

#include <compare>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace spec::document {

// Line and column, counted from 1.
struct Spot {
  std::uint32_t line = 1;
  std::uint32_t column = 1;

  // NOLINTNEXTLINE(modernize-use-nullptr): clang-tidy 14 takes the comparison with 0 for a pointer.
  friend auto operator<=>(const Spot&, const Spot&) = default;
};

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
