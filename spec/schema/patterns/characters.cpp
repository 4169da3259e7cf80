#include "spec/schema/patterns/characters.hpp"

#include "spec/text/ascii.hpp"
#include "spec/text/utf8.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>

namespace spec::schema::patterns {

namespace {

struct PropertyName {
  std::string_view alias;
  std::string_view name;
};

// General_Category; PCRE2 knows the aliases alone.
constexpr std::array kCategories = std::to_array<PropertyName>({
    {"C", "Other"},
    {"Cc", "Control"},
    {"Cc", "cntrl"},
    {"Cf", "Format"},
    {"Cn", "Unassigned"},
    {"Co", "Private_Use"},
    {"Cs", "Surrogate"},
    {"L", "Letter"},
    {"LC", "Cased_Letter"},
    {"Ll", "Lowercase_Letter"},
    {"Lm", "Modifier_Letter"},
    {"Lo", "Other_Letter"},
    {"Lt", "Titlecase_Letter"},
    {"Lu", "Uppercase_Letter"},
    {"M", "Combining_Mark"},
    {"M", "Mark"},
    {"Mc", "Spacing_Mark"},
    {"Me", "Enclosing_Mark"},
    {"Mn", "Nonspacing_Mark"},
    {"N", "Number"},
    {"Nd", "Decimal_Number"},
    {"Nd", "digit"},
    {"Nl", "Letter_Number"},
    {"No", "Other_Number"},
    {"P", "Punctuation"},
    {"P", "punct"},
    {"Pc", "Connector_Punctuation"},
    {"Pd", "Dash_Punctuation"},
    {"Pe", "Close_Punctuation"},
    {"Pf", "Final_Punctuation"},
    {"Pi", "Initial_Punctuation"},
    {"Po", "Other_Punctuation"},
    {"Ps", "Open_Punctuation"},
    {"S", "Symbol"},
    {"Sc", "Currency_Symbol"},
    {"Sk", "Modifier_Symbol"},
    {"Sm", "Math_Symbol"},
    {"So", "Other_Symbol"},
    {"Z", "Separator"},
    {"Zl", "Line_Separator"},
    {"Zp", "Paragraph_Separator"},
    {"Zs", "Space_Separator"},
});

// The binary properties of ECMAScript, but for Any, ASCII and Assigned.
constexpr std::array kBinaryProperties = std::to_array<PropertyName>({
    {"AHex", "ASCII_Hex_Digit"},
    {"Alpha", "Alphabetic"},
    {"Bidi_C", "Bidi_Control"},
    {"Bidi_M", "Bidi_Mirrored"},
    {"CI", "Case_Ignorable"},
    {"CWCF", "Changes_When_Casefolded"},
    {"CWCM", "Changes_When_Casemapped"},
    {"CWKCF", "Changes_When_NFKC_Casefolded"},
    {"CWL", "Changes_When_Lowercased"},
    {"CWT", "Changes_When_Titlecased"},
    {"CWU", "Changes_When_Uppercased"},
    {"Cased", "Cased"},
    {"DI", "Default_Ignorable_Code_Point"},
    {"Dash", "Dash"},
    {"Dep", "Deprecated"},
    {"Dia", "Diacritic"},
    {"EBase", "Emoji_Modifier_Base"},
    {"EComp", "Emoji_Component"},
    {"EMod", "Emoji_Modifier"},
    {"EPres", "Emoji_Presentation"},
    {"Emoji", "Emoji"},
    {"Ext", "Extender"},
    {"ExtPict", "Extended_Pictographic"},
    {"Gr_Base", "Grapheme_Base"},
    {"Gr_Ext", "Grapheme_Extend"},
    {"Hex", "Hex_Digit"},
    {"IDC", "ID_Continue"},
    {"IDS", "ID_Start"},
    {"IDSB", "IDS_Binary_Operator"},
    {"IDST", "IDS_Trinary_Operator"},
    {"Ideo", "Ideographic"},
    {"Join_C", "Join_Control"},
    {"LOE", "Logical_Order_Exception"},
    {"Lower", "Lowercase"},
    {"Math", "Math"},
    {"NChar", "Noncharacter_Code_Point"},
    {"Pat_Syn", "Pattern_Syntax"},
    {"Pat_WS", "Pattern_White_Space"},
    {"QMark", "Quotation_Mark"},
    {"RI", "Regional_Indicator"},
    {"Radical", "Radical"},
    {"SD", "Soft_Dotted"},
    {"STerm", "Sentence_Terminal"},
    {"Term", "Terminal_Punctuation"},
    {"UIdeo", "Unified_Ideograph"},
    {"Upper", "Uppercase"},
    {"VS", "Variation_Selector"},
    {"XIDC", "XID_Continue"},
    {"XIDS", "XID_Start"},
    {"space", "White_Space"},
});

const PropertyName* find(std::span<const PropertyName> properties, std::string_view name) {
  const auto found = std::ranges::find_if(properties, [name](const PropertyName& each) {
    return each.alias == name || each.name == name;
  });
  return found == properties.end() ? nullptr : &*found;
}

std::string escape(std::string_view prefix, std::string_view name, bool negated) {
  std::string text = negated ? "\\P{" : "\\p{";
  text.append(prefix).append(name) += '}';
  return text;
}

std::optional<std::string> category_escape(std::string_view name, bool negated) {
  const PropertyName* category = find(kCategories, name);
  return category == nullptr ? std::nullopt : std::optional(escape("", category->alias, negated));
}

// Script names begin with a capital letter; PCRE2, which does not mind case, knows them all.
bool is_script_name(std::string_view name) {
  return name.size() >= 2 && name[0] >= 'A' && name[0] <= 'Z' &&
         std::ranges::all_of(name, [](char byte) { return text::is_letter(byte) || byte == '_'; });
}

std::optional<std::string> valued_escape(std::string_view name, std::string_view value,
                                         bool negated) {
  if (name == "General_Category" || name == "gc") {
    return category_escape(value, negated);
  }
  if ((name == "Script" || name == "sc") && is_script_name(value)) {
    return escape("sc:", value, negated);
  }
  if ((name == "Script_Extensions" || name == "scx") && is_script_name(value)) {
    return escape("scx:", value, negated);
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string> property_escape(std::string_view expression, bool negated) {
  if (const std::size_t equals = expression.find('='); equals != std::string_view::npos) {
    return valued_escape(expression.substr(0, equals), expression.substr(equals + 1), negated);
  }
  if (auto category = category_escape(expression, negated)) {
    return category;
  }
  if (expression == "Any" || expression == "ASCII") {
    return escape("", expression, negated);
  }
  if (expression == "Assigned") {
    return escape("", "Cn", !negated);
  }
  return find(kBinaryProperties, expression) == nullptr
             ? std::nullopt
             : std::optional(escape("", expression, negated));
}

namespace {

constexpr char32_t kLastCodePoint = 0x10FFFF;
constexpr char32_t kFirstLowSurrogate = 0xDC00;

// Reads `count` hexadecimal digits; none, without a step, if they are not there.
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

// Reads the text behind "\u{".
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

// Reads the text behind "\u": four digits, two halves of a pair, or a code point in braces.
char32_t read_unicode(Cursor& cursor, std::size_t start) {
  if (cursor.take("{")) {
    return read_braced(cursor, start);
  }
  const auto first = read_hex(cursor, 4);
  if (!first) {
    cursor.fail(start, "\\u must be followed by four hexadecimal digits");
    return 0;
  }
  if (*first < kFirstSurrogate || *first >= kFirstLowSurrogate || !cursor.take("\\u")) {
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

// Reads the next part of a class: a character, an escape.
SetItem read_class_atom(Cursor& cursor) {
  if (cursor.take("\\")) {
    return read_character_escape(cursor, true);
  }
  return single(cursor.next_code_point());
}

// Reads an atom of the class, and the rest of the range if it begins one.
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
  CharacterSet set{.negated = cursor.take("^"), .items = {}};
  while (!cursor.at_end() && cursor.peek() != ']') {
    read_class_item(cursor, set.items);
  }
  if (!cursor.take("]")) {
    cursor.fail(start, "unclosed \"[\"");
  }
  return set;
}

}  // namespace spec::schema::patterns
