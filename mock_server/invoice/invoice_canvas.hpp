#pragma once

// Pages of a PDF document, drawn through libharu with DejaVu Sans embedded. Lengths are points
// (1/72 inch) from the page's upper left corner. One thread at a time; several canvases may be
// drawn on at once. The same calls give the same bytes.

#include "spec/non_copyable.hpp"

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mock_server::invoice {

// The code points of UTF-8 `text`: what is malformed becomes U+FFFD, control characters and line
// breaks become blanks, and what lies beyond the Basic Multilingual Plane, which the PDF library
// cannot draw, becomes U+25A1, a box.
std::u32string code_points(std::string_view text);

// The width of a character in the unit of `wrap`'s `width`.
using CharacterWidth = std::function<float(char32_t)>;

// `text` in lines no wider than `width`, broken at blanks, and inside a word only when it alone is
// too wide. At least one line; a line has at least one character unless `text` is empty.
std::vector<std::u32string> wrap(std::u32string_view text, float width,
                                 const CharacterWidth& width_of);

// A line in the order in which it is drawn from left to right, Arabic letters in the forms that
// join. Source: Unicode Standard Annex #9.
std::u32string visual(const std::u32string& line);

// "3 August 2025" for "2025-08-03T09:14:07.318204Z"; what does not start like a date stays as it
// is.
std::string date_words(std::string_view timestamp);

// True when Windows-1252 has every character.
bool is_latin(std::u32string_view text);

// `text` in Windows-1252; "?" for what it lacks.
std::string to_windows_1252(std::u32string_view text);

std::string to_utf8(std::u32string_view text);

inline constexpr float kPageWidth = 595;  // A4
inline constexpr float kPageHeight = 842;

struct Colour {
  float red = 0;
  float green = 0;
  float blue = 0;
};

struct Style {
  float size = 9;
  bool bold = false;
  Colour colour{.red = 0.13F, .green = 0.13F, .blue = 0.15F};
};

// Which characters a document needs. Windows-1252 makes it small and quick; with the rest of
// Unicode it is about twice as large. What DejaVu Sans lacks is drawn as an empty box, and can
// still be copied out of the document.
enum class Characters { kLatin, kAll };

class Canvas : spec::NonCopyable {
 public:
  // Throws std::runtime_error when the font is not installed or cannot be read.
  explicit Canvas(Characters characters);
  ~Canvas();

  // Adds an empty page and draws on it from now on.
  void add_page();
  std::size_t page_count() const;
  // Precondition: index < page_count().
  void select_page(std::size_t index);

  float width(std::u32string_view text, const Style& style) const;
  // `line` (as it is read, not as it is drawn) with its base line's left end at x, y.
  void draw(float x, float y, const std::u32string& line, const Style& style);
  // The same with the right end at x.
  void draw_right(float x, float y, const std::u32string& line, const Style& style);
  // A straight line from the left to the right.
  void rule(float left, float right, float y, float thickness, const Colour& colour);

  // Title and author as viewers show them.
  void describe(std::u32string_view title, std::u32string_view author);
  // The document's bytes; nothing may be drawn afterwards. Throws std::runtime_error when any call
  // above failed within libharu.
  std::string finish();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// Why no canvas can be made: the font is not installed; nothing if it is. Names the package.
std::optional<std::string> font_problem();

}  // namespace mock_server::invoice
