#include "spec/text/utf8.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace spec::text {
namespace {

constexpr std::uint64_t kHighBits = 0x8080808080808080U;

unsigned byte_at(std::string_view text, std::size_t at) {
  return static_cast<unsigned char>(text[at]);
}

bool is_continuation(std::string_view text, std::size_t at) {
  return at < text.size() && (byte_at(text, at) & 0xC0U) == 0x80U;
}

std::uint64_t load_word(const char* from) {
  std::uint64_t word = 0;
  std::memcpy(&word, from, sizeof word);
  return word;
}

}  // namespace

std::size_t utf8_sequence(std::string_view text, std::size_t at) {
  const unsigned first = byte_at(text, at);
  if (first < 0x80U) {
    return 1;
  }
  if (first < 0xC2U || first > 0xF4U || !is_continuation(text, at + 1)) {
    return 0;
  }
  if (first < 0xE0U) {
    return 2;
  }
  // The second byte decides overlong forms (E0, F0), surrogates (ED) and the upper end (F4).
  const unsigned second = byte_at(text, at + 1);
  if ((first == 0xE0U && second < 0xA0U) || (first == 0xEDU && second > 0x9FU) ||
      (first == 0xF0U && second < 0x90U) || (first == 0xF4U && second > 0x8FU) ||
      !is_continuation(text, at + 2)) {
    return 0;
  }
  if (first < 0xF0U) {
    return 3;
  }
  return is_continuation(text, at + 3) ? 4 : 0;
}

std::size_t valid_utf8_prefix(std::string_view text) {
  std::size_t at = 0;
  while (at < text.size()) {
    while (at + 8 <= text.size() && (load_word(text.data() + at) & kHighBits) == 0) {
      at += 8;
    }
    if (at == text.size()) {
      break;
    }
    const std::size_t length = utf8_sequence(text, at);
    if (length == 0) {
      return at;
    }
    at += length;
  }
  return at;
}

std::string_view utf8_start(std::string_view text, std::size_t max_bytes) {
  if (text.size() <= max_bytes) {
    return text;
  }
  while (max_bytes > 0 && is_continuation(text, max_bytes)) {
    --max_bytes;
  }
  return text.substr(0, max_bytes);
}

std::size_t character_count(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(
      text, [](char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) != 0x80U; }));
}

std::string_view first_characters(std::string_view text, std::size_t max_characters) {
  std::size_t size = 0;
  for (std::size_t count = 0; size < text.size() && count < max_characters; ++count) {
    size += std::max<std::size_t>(utf8_sequence(text, size), 1);
  }
  return text.substr(0, size);
}

char32_t decode_utf8(std::string_view sequence) {
  const auto lead = static_cast<unsigned char>(sequence[0]);
  if (sequence.size() == 1) {
    return lead;
  }
  char32_t code_point = lead & (0xFFU >> (sequence.size() + 1));
  for (const char byte : sequence.substr(1)) {
    code_point = (code_point << 6U) | (static_cast<unsigned char>(byte) & 0x3FU);
  }
  return code_point;
}

std::string as_utf8(std::string_view bytes) {
  std::string text;
  while (!bytes.empty()) {
    const std::size_t good = valid_utf8_prefix(bytes);
    text.append(bytes.substr(0, good));
    bytes.remove_prefix(good);
    if (!bytes.empty()) {
      text += kReplacementCharacter;
      bytes.remove_prefix(1);
    }
  }
  return text;
}

void append_utf8(std::string& out, char32_t code_point) {
  const auto put = [&out](std::uint32_t byte) { out += static_cast<char>(byte); };
  const std::uint32_t code = code_point;
  if (code < 0x80U) {
    put(code);
  } else if (code < 0x800U) {
    put(0xC0U | (code >> 6U));
    put(0x80U | (code & 0x3FU));
  } else if (code < 0x10000U) {
    put(0xE0U | (code >> 12U));
    put(0x80U | ((code >> 6U) & 0x3FU));
    put(0x80U | (code & 0x3FU));
  } else {
    put(0xF0U | (code >> 18U));
    put(0x80U | ((code >> 12U) & 0x3FU));
    put(0x80U | ((code >> 6U) & 0x3FU));
    put(0x80U | (code & 0x3FU));
  }
}

}  // namespace spec::text
