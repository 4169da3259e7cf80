#include "spec/text/charset.hpp"

#include "spec/text/ascii.hpp"
#include "spec/text/utf8.hpp"

#include <algorithm>
#include <array>

namespace spec::text {
namespace {

using Decoded = Result<std::string, CharsetError>;

// The characters of the bytes from 0x80 on; U+FFFD if there is none. Those below are ASCII.
struct SingleByte {
  std::string_view name;
  std::string_view labels;   // with blanks between
  std::u16string_view high;  // 128
};

constexpr SingleByte kSingleByte[] = {
#include "spec/text/charset_tables.inc"
};

constexpr char16_t kNothing = 0xFFFD;
constexpr std::string_view kUtf8Labels =
    "unicode-1-1-utf-8 unicode11utf8 unicode20utf8 utf-8 utf8 x-unicode20utf8";
constexpr std::string_view kUtf16Labels =
    "csunicode iso-10646-ucs-2 ucs-2 unicode unicodefeff utf-16 utf-16le";
constexpr std::string_view kUtf16BigLabels = "unicodefffe utf-16be";

bool names(std::string_view labels, std::string_view label) {
  while (!labels.empty()) {
    const std::size_t end = std::min(labels.find(' '), labels.size());
    if (equals_ignoring_case(labels.substr(0, end), label)) {
      return true;
    }
    labels.remove_prefix(std::min(end + 1, labels.size()));
  }
  return false;
}

Decoded decode_utf8_text(std::string_view bytes) {
  const std::size_t valid = valid_utf8_prefix(bytes);
  return valid == bytes.size() ? Decoded(std::string(bytes))
                               : Decoded(Unexpected{CharsetError{"UTF-8", valid}});
}

Decoded decode_single_byte(std::string_view bytes, const SingleByte& set) {
  std::string text;
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    const auto byte = static_cast<unsigned char>(bytes[at]);
    const char32_t code = byte < 0x80U ? byte : set.high.at(byte - 0x80U);
    if (code == kNothing) {
      return Unexpected{CharsetError{std::string(set.name), at}};
    }
    append_utf8(text, code);
  }
  return text;
}

Decoded decode_utf16(std::string_view bytes, bool is_big) {
  const auto unit = [&](std::size_t at) {
    const auto first = static_cast<unsigned char>(bytes[at]);
    const auto second = static_cast<unsigned char>(bytes[at + 1]);
    return static_cast<char32_t>(is_big ? first * 256U + second : second * 256U + first);
  };
  std::string text;
  for (std::size_t at = 0; at < bytes.size(); at += 2) {
    const std::size_t left = bytes.size() - at;
    char32_t code = left < 2 ? kNothing : unit(at);
    const bool is_high = code >= 0xD800U && code < 0xDC00U;
    const char32_t low = is_high && left >= 4 ? unit(at + 2) : 0;
    const bool is_pair = low >= 0xDC00U && low < 0xE000U;
    if (left < 2 || (code >= 0xD800U && code < 0xE000U && !is_pair)) {
      return Unexpected{CharsetError{"UTF-16", at}};
    }
    if (is_pair) {
      code = 0x10000U + ((code - 0xD800U) << 10U) + (low - 0xDC00U);
      at += 2;
    }
    append_utf8(text, code);
  }
  return text;
}

}  // namespace

bool is_utf8_label(std::string_view label) {
  return names(kUtf8Labels, label);
}

Decoded decode_charset(std::string_view bytes, std::string_view label) {
  if (is_utf8_label(label) || equals_ignoring_case(label, "us-ascii")) {
    return decode_utf8_text(bytes);
  }
  const bool is_big = names(kUtf16BigLabels, label);
  if (is_big || names(kUtf16Labels, label)) {
    const bool has_mark = bytes.starts_with("\xFE\xFF") || bytes.starts_with("\xFF\xFE");
    return decode_utf16(bytes.substr(has_mark ? 2 : 0),
                        has_mark ? bytes.starts_with('\xFE') : is_big);
  }
  const auto* const set = std::ranges::find_if(
      kSingleByte, [label](const SingleByte& one) { return names(one.labels, label); });
  return set == std::end(kSingleByte) ? Decoded(Unexpected{CharsetError{}})
                                      : decode_single_byte(bytes, *set);
}

}  // namespace spec::text
