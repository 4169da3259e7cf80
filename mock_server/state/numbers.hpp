#pragma once

// Whole numbers with blanks between them: the texts of cells that count or tell the time. Known to
// the rooms that keep such cells.

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
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

}  // namespace mock_server::state
