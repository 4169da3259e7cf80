#include "spec/text/encoding.hpp"

#include "spec/text/ascii.hpp"

#include <algorithm>
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
  std::string decoded(text.substr(0, at));  // most texts are nothing else
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

}  // namespace spec::text
