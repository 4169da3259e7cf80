#pragma once

// UTF-8, strictly: no overlong forms, no surrogates, nothing above U+10FFFF (RFC 3629 §3, Unicode
// 15 table 3-7). For everything that reads, writes or quotes text. Pure functions, safe from any
// thread.

#include <cstddef>
#include <string>
#include <string_view>

namespace spec::text {

// The length, 1 to 4, of the UTF-8 sequence that starts at `at`; 0 if none is well formed there.
// Precondition: at < text.size().
std::size_t utf8_sequence(std::string_view text, std::size_t at);

// The number of bytes before the first one that is not well-formed UTF-8; text.size() if all are.
std::size_t valid_utf8_prefix(std::string_view text);

inline bool is_utf8(std::string_view text) {
  return valid_utf8_prefix(text) == text.size();
}

// The longest start of `text` that has at most `max_bytes` and cuts no character. For messages.
// Precondition: is_utf8(text).
std::string_view utf8_start(std::string_view text, std::size_t max_bytes);

// The number of code points. Precondition: is_utf8(text).
std::size_t character_count(std::string_view text);

// The first `max_characters` of `text`. A byte that is no UTF-8 counts as a character.
std::string_view first_characters(std::string_view text, std::size_t max_characters);

// The code point that `sequence` encodes. Precondition: it is one well-formed sequence.
char32_t decode_utf8(std::string_view sequence);

// Appends the encoding of `code_point`. Precondition: a Unicode scalar value.
void append_utf8(std::string& out, char32_t code_point);

inline constexpr std::string_view kReplacementCharacter = "\xEF\xBF\xBD";  // U+FFFD

// `bytes`, each byte that is no UTF-8 replaced by U+FFFD.
std::string as_utf8(std::string_view bytes);

}  // namespace spec::text
