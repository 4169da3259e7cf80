#include "spec/text/quote.hpp"

#include "spec/text/encoding.hpp"
#include "spec/text/utf8.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <utility>

namespace spec::text {
namespace {

constexpr std::uint64_t kOnes = 0x0101010101010101U;
constexpr std::uint64_t kHighs = 0x8080808080808080U;

// The high bit of each byte that is zero; exact up to and including the lowest such byte.
std::uint64_t zero_bytes(std::uint64_t word) {
  return (word - kOnes) & ~word & kHighs;
}

// The high bit of each byte that is special in a JSON string; exact up to the lowest such byte.
std::uint64_t special_bytes(std::uint64_t word) {
  const std::uint64_t controls = (word - kOnes * 0x20U) & ~word & kHighs;
  return controls | zero_bytes(word ^ (kOnes * 0x22U)) | zero_bytes(word ^ (kOnes * 0x5CU)) |
         (word & kHighs);
}

bool is_special(char letter) {
  const auto byte = static_cast<unsigned char>(letter);
  return byte < 0x20U || byte == 0x22U || byte == 0x5CU || byte >= 0x80U;
}

void append_escape(std::string& out, char byte) {
  switch (byte) {
    case '"': out += "\\\""; break;
    case '\\': out += "\\\\"; break;
    case '\b': out += "\\b"; break;
    case '\f': out += "\\f"; break;
    case '\n': out += "\\n"; break;
    case '\r': out += "\\r"; break;
    case '\t': out += "\\t"; break;
    default: out += "\\u00" + to_hex({&byte, 1}); break;
  }
}

}  // namespace

std::size_t plain_run_end(std::string_view text, std::size_t at) {
  if constexpr (std::endian::native == std::endian::little) {
    while (at + 8 <= text.size()) {
      std::uint64_t word = 0;
      std::memcpy(&word, text.data() + at, sizeof word);
      const std::uint64_t special = special_bytes(word);
      if (special != 0) {
        return at + static_cast<std::size_t>(std::countr_zero(special)) / 8;
      }
      at += 8;
    }
  }
  while (at < text.size() && !is_special(text[at])) {
    ++at;
  }
  return at;
}

void append_json_string(std::string& out, std::string_view text) {
  out += '"';
  std::size_t at = 0;
  while (true) {
    const std::size_t end = plain_run_end(text, at);
    out.append(text, at, end - at);
    if (end == text.size()) {
      break;
    }
    at = end + 1;
    if (static_cast<unsigned char>(text[end]) < 0x80U) {
      append_escape(out, text[end]);
    } else if (const std::size_t length = utf8_sequence(text, end); length != 0) {
      out.append(text, end, length);
      at = end + length;
    } else {
      out += kReplacementCharacter;
    }
  }
  out += '"';
}

std::string shortened(std::string_view text, std::size_t max_characters) {
  const std::string_view start = first_characters(text, max_characters);
  return std::string(start) + (start.size() < text.size() ? "..." : "");
}

std::string in_quotes(std::string_view text, std::size_t max_characters) {
  std::string quoted;
  append_json_string(quoted, shortened(text, max_characters));
  return quoted;
}

std::string one_line(std::string_view text, std::size_t max_bytes) {
  std::string line(utf8_start(text, max_bytes));
  std::ranges::replace_if(
      line, [](char byte) { return static_cast<unsigned char>(byte) < 0x20U; }, ' ');
  return line;
}

bool is_control(char32_t code_point) {
  constexpr auto kRanges = std::to_array<std::pair<char32_t, char32_t>>({{0, 0x1F},
                                                                         {0x7F, 0x9F},
                                                                         {0x61C, 0x61C},
                                                                         {0x200E, 0x200F},
                                                                         {0x2028, 0x202E},
                                                                         {0x2066, 0x2069}});
  return std::ranges::any_of(kRanges, [code_point](const auto& range) {
    return range.first <= code_point && code_point <= range.second;
  });
}

std::string without_controls(std::string_view text) {
  std::string shown;
  for (std::size_t at = 0; at < text.size();) {
    if (text[at] >= ' ' && text[at] <= '~') {
      shown += text[at++];
      continue;
    }
    const std::size_t length = utf8_sequence(text, at);
    const auto character = length == 0 ? kReplacementCharacter : text.substr(at, length);
    const char32_t code_point = decode_utf8(character);
    if (!is_control(code_point)) {
      shown += character;
    } else if (code_point < 0x20) {
      append_escape(shown, text[at]);
    } else {
      const std::array<char, 2> bytes{static_cast<char>(code_point >> 8U),
                                      static_cast<char>(code_point)};
      shown += "\\u" + to_hex({bytes.data(), bytes.size()});
    }
    at += std::max<std::size_t>(length, 1);
  }
  return shown;
}

std::string printable(std::string_view bytes, std::size_t max_bytes) {
  std::string line(bytes.substr(0, max_bytes));
  std::ranges::replace_if(
      line, [](char byte) { return byte < ' ' || byte > '~'; }, '?');
  return line;
}

std::string describe_byte(std::string_view text, std::size_t at) {
  if (at >= text.size()) {
    return "the end of the text";
  }
  const auto byte = static_cast<unsigned char>(text[at]);
  if (byte > 0x20U && byte < 0x7FU) {
    return {'\'', text[at], '\''};
  }
  return std::string("byte 0x") + kUpperHexDigits[byte >> 4U] + kUpperHexDigits[byte & 0xFU];
}

std::string counted(std::uint64_t count, std::string_view one, std::string_view many) {
  return std::to_string(count) + ' ' + std::string(count == 1 ? one : many);
}

std::string wrapped(std::string_view text, std::size_t columns) {
  std::string lines;
  std::size_t start = 0;  // of the last line
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    const bool first = lines.size() == start;
    const bool fits = lines.size() - start + 1 + (end - at) <= columns;
    if (!first) {
      lines += fits ? ' ' : '\n';
      start = fits ? start : lines.size();
    }
    lines += text.substr(at, end - at);
    at = end + 1;
  }
  return lines;
}

}  // namespace spec::text
