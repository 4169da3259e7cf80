#pragma once

// Text as an invoice prints it: code points, broken into lines by width, put into the order in
// which they are drawn. Knows no font; widths come in as a function.
// Pure functions, safe from any thread.

#include <functional>
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

}  // namespace mock_server::invoice
