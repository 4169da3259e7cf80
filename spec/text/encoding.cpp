#include "spec/text/encoding.hpp"

#include "spec/text/ascii.hpp"
#include "spec/text/quote.hpp"
#include "spec/text/utf8.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace spec::text {

namespace {

constexpr std::string_view kAlphabet =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

}  // namespace

std::string to_hex(std::string_view bytes) {
  std::string digits;
  for (const char byte : bytes) {
    digits += kHexDigits[static_cast<unsigned char>(byte) >> 4U];
    digits += kHexDigits[static_cast<unsigned char>(byte) & 0xFU];
  }
  return digits;
}

std::optional<std::string> percent_decode(std::string_view text, bool plus_is_blank) {
  const std::size_t plus = plus_is_blank ? text.find('+') : std::string_view::npos;
  std::size_t at = std::min({text.find('%'), plus, text.size()});
  std::string decoded(text.substr(0, at));  // most texts end here
  for (; at < text.size(); ++at) {
    if (text[at] != '%') {
      decoded += text[at] == '+' && plus_is_blank ? ' ' : text[at];
      continue;
    }
    const int high = at + 2 < text.size() ? hex_digit_value(text[at + 1]) : -1;
    const int low = high >= 0 ? hex_digit_value(text[at + 2]) : -1;
    if (low < 0) {
      return std::nullopt;
    }
    decoded += static_cast<char>(high * 16 + low);
    at += 2;
  }
  return decoded;
}

std::string percent_encode(std::string_view text, std::string_view keep) {
  std::string encoded;
  encoded.reserve(text.size());
  for (const char letter : text) {
    if (is_unreserved(letter) || keep.find(letter) != std::string_view::npos) {
      encoded += letter;
      continue;
    }
    const auto byte = static_cast<unsigned char>(letter);
    encoded += '%';  // upper case: RFC 3986 §2.1
    encoded += kUpperHexDigits[byte >> 4U];
    encoded += kUpperHexDigits[byte & 0xFU];
  }
  return encoded;
}

std::string to_base64(std::string_view bytes) {
  std::string text;
  for (std::size_t at = 0; at < bytes.size(); at += 3) {
    std::uint32_t group = 0;
    for (std::size_t index = 0; index < 3; ++index) {
      const auto byte = at + index < bytes.size() ? static_cast<unsigned char>(bytes[at + index])
                                                  : static_cast<unsigned char>(0);
      group = (group << 8U) | byte;
    }
    const std::size_t digits = std::min<std::size_t>(bytes.size() - at, 3) + 1;
    for (std::size_t index = 0; index < 4; ++index) {
      text += index < digits ? kAlphabet[(group >> (18U - 6U * index)) & 0x3FU] : '=';
    }
  }
  return text;
}

std::optional<std::string> from_base64(std::string_view text) {
  if (text.size() % 4 != 0) {
    return std::nullopt;
  }
  const std::size_t padding = text.ends_with("==") ? 2 : text.ends_with('=') ? 1 : 0;
  std::string bytes;
  std::uint32_t group = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const bool padded = at + padding >= text.size();
    const auto digit = padded ? 0 : kAlphabet.find(text[at]);
    if (digit == std::string_view::npos) {
      return std::nullopt;
    }
    group = (group << 6U) | static_cast<std::uint32_t>(digit);
    if (at % 4 == 3) {
      bytes += {static_cast<char>(group >> 16U), static_cast<char>(group >> 8U),
                static_cast<char>(group)};
      group = 0;
    }
  }
  bytes.resize(bytes.size() - padding);
  return bytes;
}

namespace {

void add_escaped(std::string& out, char letter) {
  switch (letter) {
    case '&': out += "&amp;"; break;
    case '<': out += "&lt;"; break;
    case '>': out += "&gt;"; break;
    case '"': out += "&quot;"; break;
    case '\n': out += "&#10;"; break;
    case '\t': out += "&#9;"; break;
    default: out += static_cast<unsigned char>(letter) < 0x20U ? '?' : letter;
  }
}

}  // namespace

std::string escape_xml(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::size_t size = utf8_sequence(text, 0);
    const bool is_no_character =
        text.starts_with("\xEF\xBF\xBE") || text.starts_with("\xEF\xBF\xBF");
    if (size > 1 && !is_no_character) {
      out += without_controls(text.substr(0, size));
    } else if (size == 1) {
      add_escaped(out, text.front());
    } else {
      out += '?';
    }
    text.remove_prefix(std::max<std::size_t>(size, 1));
  }
  return out;
}

std::string json_in_script(std::string_view json) {
  std::string out;
  out.reserve(json.size() + json.size() / 8);
  for (const char letter : json) {
    if (letter == '<') {
      out += "\\u003c";
    } else {
      out += letter;
    }
  }
  return out;
}

void fill_hole(std::string& page, std::string_view hole, std::string_view with) {
  page.replace(page.find(hole), hole.size(), with);
}

}  // namespace spec::text
