#include "spec/schema/patterns/characters.hpp"

#include "spec/json/utf8.hpp"
#include "spec/schema/patterns/properties.hpp"

#include <array>
#include <charconv>
#include <cstdint>
#include <optional>

namespace spec::schema::patterns {
namespace {

constexpr char32_t kLastCodePoint = 0x10FFFF;
constexpr char32_t kFirstSurrogate = 0xD800;
constexpr char32_t kFirstLowSurrogate = 0xDC00;
constexpr char32_t kLastSurrogate = 0xDFFF;

// ECMAScript's white space and line ends, which PCRE2's \s is not, and all the rest.
// Source: ECMA-262 §22.2.2.9, CharacterClassEscape :: s.
constexpr std::string_view kSpaces =
    "\\x{9}-\\x{d}\\x{20}\\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}"
    "\\x{3000}\\x{feff}";
constexpr std::string_view kNoSpaces =
    "\\x{0}-\\x{8}\\x{e}-\\x{1f}\\x{21}-\\x{9f}\\x{a1}-\\x{167f}\\x{1681}-\\x{1fff}"
    "\\x{200b}-\\x{2027}\\x{202a}-\\x{202e}\\x{2030}-\\x{205e}\\x{2060}-\\x{2fff}"
    "\\x{3001}-\\x{d7ff}\\x{e000}-\\x{fefe}\\x{ff00}-\\x{10ffff}";

bool is_digit(char byte) {
  return byte >= '0' && byte <= '9';
}

bool is_letter(char byte) {
  return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z');
}

bool is_surrogate(char32_t character) {
  return character >= kFirstSurrogate && character <= kLastSurrogate;
}

void append_code(std::string& out, char32_t character) {
  std::array<char, 8> digits{};
  const auto result = std::to_chars(digits.data(), digits.data() + digits.size(),
                                    static_cast<std::uint32_t>(character), 16);
  out += "\\x{";
  out.append(digits.data(), result.ptr);
  out += '}';
}

// UTF-8 holds no surrogates: a range is written without them, perhaps as nothing.
void append_range(std::string& out, char32_t first, char32_t last) {
  if (first < kFirstSurrogate && last > kLastSurrogate) {
    append_range(out, first, kFirstSurrogate - 1);
    append_range(out, kLastSurrogate + 1, last);
    return;
  }
  if (is_surrogate(first)) {
    first = kLastSurrogate + 1;
  }
  if (is_surrogate(last)) {
    last = kFirstSurrogate - 1;
  }
  if (first <= last) {
    append_code(out, first);
    out += '-';
    append_code(out, last);
  }
}

// `count` hexadecimal digits, or nothing and no step.
std::optional<char32_t> read_hex(Cursor& cursor, std::size_t count) {
  const std::string_view digits = cursor.text.substr(cursor.at, count);
  std::uint32_t value = 0;
  const auto result = std::from_chars(digits.data(), digits.data() + digits.size(), value, 16);
  if (digits.size() != count || result.ptr != digits.data() + count) {
    return std::nullopt;
  }
  cursor.at += count;
  return static_cast<char32_t>(value);
}

// What follows "\u{".
char32_t read_braced(Cursor& cursor, std::size_t start) {
  const std::size_t close = cursor.text.find('}', cursor.at);
  const std::string_view digits =
      close == std::string_view::npos ? "" : cursor.text.substr(cursor.at, close - cursor.at);
  std::uint32_t value = 0;
  const auto result = std::from_chars(digits.data(), digits.data() + digits.size(), value, 16);
  if (digits.empty() || result.ec != std::errc{} || result.ptr != digits.data() + digits.size() ||
      value > kLastCodePoint) {
    cursor.fail(start, "\\u{...} must hold a code point in hexadecimal digits");
    return 0;
  }
  cursor.at = close + 1;
  return static_cast<char32_t>(value);
}

// What follows "\u": four digits, two halves of a pair, or a code point in braces.
char32_t read_unicode(Cursor& cursor, std::size_t start) {
  if (cursor.eat("{")) {
    return read_braced(cursor, start);
  }
  const auto first = read_hex(cursor, 4);
  if (!first) {
    cursor.fail(start, "\\u must be followed by four hexadecimal digits");
    return 0;
  }
  if (*first < kFirstSurrogate || *first >= kFirstLowSurrogate || !cursor.eat("\\u")) {
    return *first;
  }
  const std::size_t second_start = cursor.at;
  const auto second = read_hex(cursor, 4);
  if (second && *second >= kFirstLowSurrogate && *second <= kLastSurrogate) {
    return 0x10000 + ((*first - kFirstSurrogate) << 10U) + (*second - kFirstLowSurrogate);
  }
  if (!cursor.error) {
    cursor.at = second_start - 2;
  }
  return *first;
}

CharacterSet single(char32_t character) {
  return {.single = true, .character = character, .items = {}};
}

CharacterSet set(std::string_view items) {
  return {.single = false, .character = 0, .items = std::string(items)};
}

CharacterSet read_property(Cursor& cursor, bool negated, std::size_t start) {
  const std::size_t close = cursor.text.find('}', cursor.at);
  if (cursor.peek() != '{' || close == std::string_view::npos) {
    cursor.fail(start, "\\p must be followed by a property in braces");
    return {};
  }
  const std::string_view name = cursor.text.substr(cursor.at + 1, close - cursor.at - 1);
  auto escape = property_escape(name, negated);
  if (!escape) {
    cursor.fail(start, "must name a Unicode property but has \"" + std::string(name) + "\"");
    return {};
  }
  cursor.at = close + 1;
  return set(*escape);
}

CharacterSet read_control(Cursor& cursor, std::size_t start) {
  if (!is_letter(cursor.peek())) {
    cursor.fail(start, "\\c must be followed by a letter");
    return {};
  }
  return single(static_cast<unsigned char>(cursor.text[cursor.at++]) % 32U);
}

bool may_escape_itself(char byte, bool in_class, bool tolerant) {
  if (std::string_view("^$\\.*+?()[]{}|/").find(byte) != std::string_view::npos) {
    return true;
  }
  return (in_class && byte == '-') || (tolerant && !is_letter(byte) && !is_digit(byte) &&
                                       static_cast<unsigned char>(byte) < 0x80);
}

CharacterSet read_identity(Cursor& cursor, bool in_class, std::size_t start) {
  if (cursor.at_end() || !may_escape_itself(cursor.peek(), in_class, cursor.tolerant())) {
    std::string found = cursor.at_end() ? "" : std::string(1, cursor.peek());
    if (!cursor.at_end() && static_cast<unsigned char>(cursor.peek()) >= 0x80U) {
      found.clear();
      json::append_utf8(found, cursor.next_code_point());
    }
    cursor.fail(start, "must not hold the escape \\" + found);
    return {};
  }
  return single(cursor.next_code_point());
}

// The next part of a class: a character, an escape. `bare_set` if it is more than one character.
CharacterSet read_class_atom(Cursor& cursor) {
  if (cursor.eat("\\")) {
    return read_character_escape(cursor, true);
  }
  return single(cursor.next_code_point());
}

void append_item(std::string& items, const CharacterSet& item) {
  if (item.single) {
    append_range(items, item.character, item.character);
  } else {
    items += item.items;
  }
}

// An atom of the class, and the rest of the range if it begins one.
void read_class_item(Cursor& cursor, std::string& items) {
  const std::size_t start = cursor.at;
  const CharacterSet first = read_class_atom(cursor);
  if (cursor.peek() != '-' || cursor.peek(1) == ']' || cursor.at + 1 >= cursor.text.size()) {
    append_item(items, first);
    return;
  }
  ++cursor.at;
  const CharacterSet last = read_class_atom(cursor);
  if (first.single && last.single) {
    if (first.character > last.character) {
      cursor.fail(start, "must not hold a range that is out of order");
      return;
    }
    append_range(items, first.character, last.character);
  } else if (cursor.tolerant()) {
    append_item(items, first);
    append_item(items, single('-'));
    append_item(items, last);
  } else {
    cursor.fail(start, "must not hold a range whose end is a class");
  }
}

}  // namespace

char32_t Cursor::next_code_point() {
  const std::size_t length = json::utf8_sequence(text, at);
  if (length == 0) {
    return static_cast<unsigned char>(text[at++]);
  }
  at += length;
  return json::decode_utf8(text.substr(at - length, length));
}

CharacterSet read_character_escape(Cursor& cursor, bool in_class) {
  const std::size_t start = cursor.at - 1;
  const char kind = cursor.peek();
  if (std::string_view("dDwWsSpPtnvfrcxub0").find(kind) == std::string_view::npos ||
      cursor.at_end() || (kind == 'b' && !in_class)) {
    return read_identity(cursor, in_class, start);
  }
  ++cursor.at;
  switch (kind) {
    // PCRE2's own are ASCII without PCRE2_UCP, as ECMAScript's are always.
    case 'd':
    case 'D':
    case 'w':
    case 'W': return set(std::string{'\\', kind});
    case 's': return set(kSpaces);
    case 'S': return set(kNoSpaces);
    case 'p':
    case 'P': return read_property(cursor, kind == 'P', start);
    case 't': return single('\t');
    case 'n': return single('\n');
    case 'v': return single('\v');
    case 'f': return single('\f');
    case 'r': return single('\r');
    case 'b': return single('\b');
    case 'c': return read_control(cursor, start);
    case 'u': return single(read_unicode(cursor, start));
    case 'x': break;
    default:
      if (is_digit(cursor.peek())) {
        cursor.fail(start, "must not hold an octal escape");
      }
      return single(0);
  }
  const auto code = read_hex(cursor, 2);
  if (!code) {
    cursor.fail(start, "\\x must be followed by two hexadecimal digits");
  }
  return single(code.value_or(0));
}

void read_class(Cursor& cursor, std::string& out) {
  const std::size_t start = cursor.at - 1;
  const bool negated = cursor.eat("^");
  std::string items;
  while (!cursor.at_end() && cursor.peek() != ']') {
    read_class_item(cursor, items);
  }
  if (!cursor.eat("]")) {
    cursor.fail(start, "must close the class that is opened by [");
    return;
  }
  if (items.empty()) {
    out += negated ? "[\\x{0}-\\x{10ffff}]" : "(?!)";
    return;
  }
  out += negated ? "[^" : "[";
  out += items + ']';
}

void append_literal(std::string& out, char32_t character) {
  if (is_surrogate(character)) {
    out += "(?!)";
  } else if (character < 0x20 || character == 0x7F) {
    append_code(out, character);
  } else if (character < 0x80) {
    const char byte = static_cast<char>(character);
    if (!is_letter(byte) && !is_digit(byte)) {
      out += '\\';
    }
    out += byte;
  } else {
    json::append_utf8(out, character);
  }
}

void append_set(std::string& out, const CharacterSet& characters) {
  if (characters.single) {
    append_literal(out, characters.character);
  } else {
    out += '[' + characters.items + ']';
  }
}

}  // namespace spec::schema::patterns
