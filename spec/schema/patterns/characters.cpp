#include "spec/schema/patterns/characters.hpp"

#include "spec/schema/patterns/properties.hpp"
#include "spec/text/ascii.hpp"
#include "spec/text/utf8.hpp"

#include <charconv>
#include <cstdint>
#include <optional>
#include <utility>

namespace spec::schema::patterns {
namespace {

constexpr char32_t kLastCodePoint = 0x10FFFF;
constexpr char32_t kFirstLowSurrogate = 0xDC00;

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
    cursor.fail(start, "\\u{...} needs a code point in hexadecimal digits");
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

SetItem named(SetItem::Kind kind, bool negated) {
  return {.kind = kind, .negated = negated, .property = {}};
}

SetItem read_property(Cursor& cursor, bool negated, std::size_t start) {
  const std::size_t close = cursor.text.find('}', cursor.at);
  if (cursor.peek() != '{' || close == std::string_view::npos) {
    cursor.fail(start, "\\p must be followed by a property in braces");
    return {};
  }
  const std::string_view name = cursor.text.substr(cursor.at + 1, close - cursor.at - 1);
  if (!property_escape(name, negated)) {
    cursor.fail(start, "unknown Unicode property \"" + std::string(name) + "\"");
    return {};
  }
  cursor.at = close + 1;
  return {.kind = SetItem::Kind::kProperty, .negated = negated, .property = std::string(name)};
}

SetItem read_control(Cursor& cursor, std::size_t start) {
  if (!text::is_letter(cursor.peek())) {
    cursor.fail(start, "\\c must be followed by a letter");
    return {};
  }
  return single(static_cast<unsigned char>(cursor.text[cursor.at++]) % 32U);
}

bool may_escape_itself(char byte, bool in_class, bool tolerant) {
  if (std::string_view("^$\\.*+?()[]{}|/").find(byte) != std::string_view::npos) {
    return true;
  }
  return (in_class && byte == '-') ||
         (tolerant && !text::is_letter_or_digit(byte) && static_cast<unsigned char>(byte) < 0x80);
}

SetItem read_identity(Cursor& cursor, bool in_class, std::size_t start) {
  if (cursor.at_end() || !may_escape_itself(cursor.peek(), in_class, cursor.tolerant())) {
    std::string found = cursor.at_end() ? "" : std::string(1, cursor.peek());
    if (!cursor.at_end() && static_cast<unsigned char>(cursor.peek()) >= 0x80U) {
      found.clear();
      text::append_utf8(found, cursor.next_code_point());
    }
    cursor.fail(start, "unknown escape \\" + found);
    return {};
  }
  return single(cursor.next_code_point());
}

// The next part of a class: a character, an escape.
SetItem read_class_atom(Cursor& cursor) {
  if (cursor.eat("\\")) {
    return read_character_escape(cursor, true);
  }
  return single(cursor.next_code_point());
}

// An atom of the class, and the rest of the range if it begins one.
void read_class_item(Cursor& cursor, std::vector<SetItem>& items) {
  const std::size_t start = cursor.at;
  SetItem first = read_class_atom(cursor);
  if (cursor.peek() != '-' || cursor.peek(1) == ']' || cursor.at + 1 >= cursor.text.size()) {
    items.push_back(std::move(first));
    return;
  }
  ++cursor.at;
  SetItem last = read_class_atom(cursor);
  if (first.kind == SetItem::Kind::kRange && last.kind == SetItem::Kind::kRange) {
    if (first.low > last.low) {
      cursor.fail(start, "range out of order");
      return;
    }
    first.high = last.low;
    items.push_back(std::move(first));
  } else if (cursor.tolerant()) {
    items.insert(items.end(), {std::move(first), single('-'), std::move(last)});
  } else {
    cursor.fail(start, "a range cannot end in a class such as \\d");
  }
}

}  // namespace

char32_t Cursor::next_code_point() {
  const std::size_t length = text::utf8_sequence(text, at);
  if (length == 0) {
    return static_cast<unsigned char>(text[at++]);
  }
  at += length;
  return text::decode_utf8(text.substr(at - length, length));
}

SetItem single(char32_t character) {
  return {.low = character, .high = character, .property = {}};
}

SetItem read_character_escape(Cursor& cursor, bool in_class) {
  const std::size_t start = cursor.at - 1;
  const char kind = cursor.peek();
  if (std::string_view("dDwWsSpPtnvfrcxub0").find(kind) == std::string_view::npos ||
      cursor.at_end() || (kind == 'b' && !in_class)) {
    return read_identity(cursor, in_class, start);
  }
  ++cursor.at;
  switch (kind) {
    case 'd':
    case 'D': return named(SetItem::Kind::kDigits, kind == 'D');
    case 'w':
    case 'W': return named(SetItem::Kind::kWordCharacters, kind == 'W');
    case 's':
    case 'S': return named(SetItem::Kind::kSpaces, kind == 'S');
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
      if (text::is_digit(cursor.peek())) {
        cursor.fail(start, "octal escapes are not supported");
      }
      return single(0);
  }
  const auto code = read_hex(cursor, 2);
  if (!code) {
    cursor.fail(start, "\\x must be followed by two hexadecimal digits");
  }
  return single(code.value_or(0));
}

CharacterSet read_class(Cursor& cursor) {
  const std::size_t start = cursor.at - 1;
  CharacterSet set{.negated = cursor.eat("^"), .items = {}};
  while (!cursor.at_end() && cursor.peek() != ']') {
    read_class_item(cursor, set.items);
  }
  if (!cursor.eat("]")) {
    cursor.fail(start, "unclosed \"[\"");
  }
  return set;
}

}  // namespace spec::schema::patterns
