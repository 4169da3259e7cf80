#pragma once

// Whole numbers with blanks between them: the texts of cells that count or tell the time; and texts
// of one line each. Known to the rooms that keep such cells.

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace mock_server::state {

// The numbers of `text`, up to the first thing that is none.
inline std::vector<std::int64_t> read_numbers(std::string_view text) {
  std::vector<std::int64_t> numbers;
  while (!text.empty()) {
    std::int64_t value = 0;
    const auto result = std::from_chars(text.data(), text.data() + text.size(), value);
    if (result.ec != std::errc{}) {
      break;
    }
    numbers.push_back(value);
    text.remove_prefix(static_cast<std::size_t>(result.ptr - text.data()));
    text.remove_prefix(text.starts_with(' ') ? 1 : 0);
  }
  return numbers;
}

inline std::string write_numbers(std::initializer_list<std::int64_t> numbers) {
  std::string text;
  for (const std::int64_t number : numbers) {
    text += (text.empty() ? "" : " ") + std::to_string(number);
  }
  return text;
}

inline std::vector<std::string> read_lines(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) {
    lines.push_back(line);
  }
  return lines;
}

inline std::string write_lines(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) {
    text += line + '\n';
  }
  return text;
}

}  // namespace mock_server::state
