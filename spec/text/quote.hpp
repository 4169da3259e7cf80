#pragma once

// Text in messages for people: quoted, cut, on one line, in lines; lists of names. Pure functions.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace spec::text {

// Quoted text in messages is cut after this many characters.
inline constexpr std::size_t kMaxQuotedCharacters = 60;

// Appends `text` as a JSON string (RFC 8259 §7). A byte that is no UTF-8 becomes U+FFFD.
void append_json_string(std::string& out, std::string_view text);

// The offset, from `at`, of the first byte that a JSON string cannot hold as it is or that is not
// ASCII: a control, '"', '\\', or 0x80 and above; text.size() if there is none.
std::size_t plain_run_end(std::string_view text, std::size_t at);

// `text` cut after `max_characters`, with "..." where it was cut. A byte that is no UTF-8 counts as
// a character.
std::string shortened(std::string_view text, std::size_t max_characters = kMaxQuotedCharacters);

// `text` in quotes on one line, as a JSON string that is cut: "\"abc...\"".
std::string in_quotes(std::string_view text, std::size_t max_characters = kMaxQuotedCharacters);

// The longest start of `text` of at most `max_bytes`, with blanks for control characters.
// Precondition: is_utf8(text).
std::string one_line(std::string_view text, std::size_t max_bytes);

// True if `code_point` controls a terminal or a page instead of being shown: C0, DEL, C1, a line
// separator, or a character that changes the direction of text. Source: Unicode 15 §23.1, UAX #14
// (BK), UAX #9 §2.
bool is_control(char32_t code_point);

// `text` on one line, with control characters escaped as in a JSON string. Bytes that are no UTF-8
// become U+FFFD.
std::string without_controls(std::string_view text);

// `bytes` cut after `max_bytes`, with "?" for all that is not printable ASCII: for bytes from a
// wire.
std::string printable(std::string_view bytes, std::size_t max_bytes = kMaxQuotedCharacters);

// Describes the byte at `at`: "'x'", "byte 0x01" or "the end of the text".
std::string describe_byte(std::string_view text, std::size_t at);

// The texts with `separator` between them; "" for none.
template <typename Texts>
std::string join(const Texts& texts, std::string_view separator = ", ") {
  std::string joined;
  bool first = true;
  for (const auto& text : texts) {
    joined += first ? std::string_view() : separator;
    joined += text;
    first = false;
  }
  return joined;
}

// "a, b and 3 more"; "none" for no names.
template <typename Names = std::vector<std::string>>
std::string names_listed(const Names& names, std::size_t max_names = 50) {
  const std::span all(names);
  const auto shown = all.first(std::min(all.size(), max_names));
  const std::size_t more = all.size() - shown.size();
  return all.empty() ? "none"
                     : join(shown) + (more == 0 ? "" : " and " + std::to_string(more) + " more");
}

// "1 element", "2 elements"; "1 property", "2 properties".
std::string counted(std::uint64_t count, std::string_view one, std::string_view many);

// Adds `text` to a list that is being written: "a" to "a, b".
inline void append_to_list(std::string& list, std::string_view text,
                           std::string_view separator = ", ") {
  list += list.empty() ? std::string_view() : separator;
  list += text;
}

// "a", "a or b", "a, b or c".
template <typename Texts>
std::string join_alternatives(const Texts& texts) {
  std::string joined;
  std::size_t index = 0;
  for (const auto& text : texts) {
    joined += index == 0 ? "" : index + 1 == texts.size() ? " or " : ", ";
    joined += text;
    ++index;
  }
  return joined;
}

// `text` in lines of at most `columns` bytes, broken at blanks; a longer word has a line of its
// own.
std::string wrapped(std::string_view text, std::size_t columns);

}  // namespace spec::text
