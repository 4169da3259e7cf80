#include "spec/document/yaml_characters.hpp"

#include "spec/text/utf8.hpp"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>

namespace spec::document {
namespace {

constexpr char32_t kFirstStandIn = 0x10FE00;
constexpr char32_t kLastStandIn = 0x10FEFF;

// The character from `low` to `high` whose escape, without its backslash, `text` starts with: a
// letter and so many hexadecimal digits; else 0.
char32_t escaped(std::string_view text, char letter, std::size_t digits, char32_t low,
                 char32_t high) {
  std::uint32_t code = 0;
  if (text.size() <= digits || text[0] != letter) {
    return 0;
  }
  const char* const end = text.data() + 1 + digits;
  const bool is_hexadecimal = std::from_chars(text.data() + 1, end, code, 16).ptr == end;
  return is_hexadecimal && code >= low && code <= high ? code : 0;
}

// Half of a surrogate pair: "ud83d".
char32_t surrogate(std::string_view text) {
  return escaped(text, 'u', 4, 0xD800, 0xDFFF);
}

constexpr std::size_t kLongEscape = 8;  // digits

// A character that is a stand-in elsewhere: "U0010FE41".
char32_t escaped_stand_in(std::string_view text) {
  return escaped(text, 'U', kLongEscape, kFirstStandIn, kLastStandIn);
}

// Whether the '?' at `at` starts a plain scalar that may be in a flow collection.
bool starts_flow_scalar(std::string_view text, std::size_t at) {
  constexpr std::string_view kBlanks = " \t\r\n";
  const std::size_t before = text.substr(0, at).find_last_not_of(kBlanks);
  const bool in_flow =
      before != text.npos && std::string_view("[{,:").find(text[before]) != text.npos;
  return in_flow && at + 1 < text.size() &&
         std::string_view(" \t\r\n,[]{}").find(text[at + 1]) == text.npos;
}

// Whether the tab at `at` is behind the blanks of a literal's first line: text, since blanks alone
// indent. Source: YAML 1.2.2 §8.1.1.1, example 8.2.
bool starts_block_text(std::string_view text, std::size_t at) {
  const std::size_t start = text.substr(0, at).find_last_not_of(' ') + 1;
  if (start == 0 || start == at || text[start - 1] != '\n') {
    return false;
  }
  std::string_view header = text.substr(0, text.substr(0, start).find_last_not_of(" \r\n") + 1);
  header.remove_prefix(header.find_last_of('\n') + 1);
  header = header.substr(0, std::min(header.find(" #"), header.find("\t#")));
  header = header.substr(0, header.find_last_not_of(" \t+-") + 1);
  if (!header.ends_with('|')) {
    return false;
  }
  header.remove_suffix(1);
  const std::size_t end = header.find_last_not_of(' ') + 1;
  const std::string_view word = header.substr(header.substr(0, end).find_last_of(' ') + 1);
  return end == 0 ||
         (end < header.size() && (std::string_view(":-?").find(header[end - 1]) != header.npos ||
                                  word.starts_with('!') || word.starts_with('&')));
}

// Whether the character at `at` needs a stand-in.
bool is_misread(std::string_view text, std::size_t at) {
  const std::string_view rest = text.substr(at);
  switch (rest[0]) {
    case '\x7F': return true;
    case '\xC2': return static_cast<unsigned char>(rest[1]) < 0xA0U;  // U+0080 to U+009F
    case '\xE2': return rest.starts_with("\u2028") || rest.starts_with("\u2029");
    case '\xEF': return rest.starts_with("\uFFFE") || rest.starts_with("\uFFFF");
    case '\\': return surrogate(rest.substr(1)) != 0 || escaped_stand_in(rest.substr(1)) != 0;
    case '?': return starts_flow_scalar(text, at);
    case '\t': return starts_block_text(text, at);
    default: return false;
  }
}

char32_t stand_in(char32_t code) {
  return kFirstStandIn | (code & 0xFFU);
}

char32_t original(char32_t stand_in) {
  const char32_t low = stand_in & 0xFFU;
  return low == 0x28U || low == 0x29U ? 0x2000U | low : (low >= 0xFEU ? 0xFF00U | low : low);
}

// The character whose escape, with stand-ins for its backslashes, `rest` starts with, and passes
// over it; nothing if that is half of a pair.
std::optional<char32_t> take_escape(std::string_view& rest) {
  constexpr std::size_t kBackslash = 4;  // bytes of its stand-in
  constexpr std::size_t kHalf = kBackslash + 5;
  if (const char32_t own = escaped_stand_in(rest.substr(kBackslash)); own != 0) {
    rest.remove_prefix(kBackslash + 1 + kLongEscape);
    return own;
  }
  const char32_t high = surrogate(rest.substr(kBackslash));
  const std::string_view second = rest.substr(std::min(kHalf, rest.size()));
  const bool follows = second.starts_with(rest.substr(0, kBackslash));
  const char32_t low = follows ? surrogate(second.substr(kBackslash)) : 0;
  if (high >= 0xDC00U || low < 0xDC00U) {
    return std::nullopt;
  }
  rest.remove_prefix(2 * kHalf);
  return 0x10000U + ((high - 0xD800U) << 10U) + (low - 0xDC00U);
}

}  // namespace

std::optional<std::string> with_stand_ins(std::string_view text) {
  std::optional<std::string> changed;
  std::size_t copied = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (!is_misread(text, at)) {
      at += text[at] == '\\' && text.substr(at + 1).starts_with('\\') ? 1U : 0U;
      continue;
    }
    const std::string_view character = text.substr(at, text::utf8_sequence(text, at));
    std::string& out = changed ? *changed : changed.emplace();
    out += text.substr(copied, at - copied);
    text::append_utf8(out, stand_in(text::decode_utf8(character)));
    copied = at + character.size();
  }
  if (changed) {
    *changed += text.substr(copied);
  }
  return changed;
}

PutBack put_back(std::string_view scalar, bool escapes) {
  PutBack back;
  while (!scalar.empty()) {
    const std::string_view character = scalar.substr(0, text::utf8_sequence(scalar, 0));
    const char32_t code = text::decode_utf8(character);
    if (code < kFirstStandIn || code > kLastStandIn) {
      back.text += character;
      scalar.remove_prefix(character.size());
    } else if (original(code) != U'\\' || !escapes) {
      text::append_utf8(back.text, original(code));
      scalar.remove_prefix(character.size());
    } else if (const auto meant = take_escape(scalar)) {
      text::append_utf8(back.text, *meant);
    } else {
      return {.text = {}, .problem = "half of a surrogate pair is not a character"};
    }
  }
  return back;
}

}  // namespace spec::document
