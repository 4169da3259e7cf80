#include "spec/schema/patterns/pcre2_text.hpp"

#include "spec/schema/patterns/characters.hpp"
#include "spec/text/utf8.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <set>
#include <string_view>

namespace spec::schema::patterns {
namespace {

// ECMAScript's white space and line ends, which PCRE2's \s is not, and all the rest.
// Source: ECMA-262 §22.2.2.9, CharacterClassEscape :: s.
constexpr std::string_view kSpaces =
    "\\x{9}-\\x{d}\\x{20}\\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}"
    "\\x{3000}\\x{feff}";
constexpr std::string_view kNoSpaces =
    "\\x{0}-\\x{8}\\x{e}-\\x{1f}\\x{21}-\\x{9f}\\x{a1}-\\x{167f}\\x{1681}-\\x{1fff}"
    "\\x{200b}-\\x{2027}\\x{202a}-\\x{202e}\\x{2030}-\\x{205e}\\x{2060}-\\x{2fff}"
    "\\x{3001}-\\x{d7ff}\\x{e000}-\\x{fefe}\\x{ff00}-\\x{10ffff}";

// Matches nothing. In a group, since PCRE2 does not repeat a bare look-around.
constexpr std::string_view kNothing = "(?:(?!))";

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
  const bool holds_surrogates = first <= kLastSurrogate && last >= kFirstSurrogate;
  if (holds_surrogates) {
    if (first < kFirstSurrogate) {
      append_range(out, first, kFirstSurrogate - 1);
    }
    if (last > kLastSurrogate) {
      append_range(out, kLastSurrogate + 1, last);
    }
    return;
  }
  append_code(out, first);
  if (first != last) {
    out += '-';
    append_code(out, last);
  }
}

// As it may be between PCRE2's brackets. \d and \w are ASCII without PCRE2_UCP, as ECMAScript's
// are always.
void append_item(std::string& out, const SetItem& item) {
  switch (item.kind) {
    case SetItem::Kind::kRange: return append_range(out, item.low, item.high);
    case SetItem::Kind::kDigits: out += item.negated ? "\\D" : "\\d"; return;
    case SetItem::Kind::kWordCharacters: out += item.negated ? "\\W" : "\\w"; return;
    case SetItem::Kind::kSpaces: out += item.negated ? kNoSpaces : kSpaces; return;
    case SetItem::Kind::kProperty:
      out += property_escape(item.property, item.negated).value_or("");
      return;
  }
}

bool is_word_character(char32_t character) {
  return (character >= '0' && character <= '9') || (character >= 'a' && character <= 'z') ||
         (character >= 'A' && character <= 'Z');
}

constexpr std::size_t kMaxRounds = 65535;  // of PCRE2's quantifiers

class Writer {
 public:
  explicit Writer(std::size_t max_copies) : max_copies_(std::min(max_copies, kMaxRounds)) {}

  void write(const Node& node) {
    switch (node.kind) {
      case Node::Kind::kSequence: return write_children(node, "");
      case Node::Kind::kAlternatives: return write_children(node, "|");
      case Node::Kind::kSet: return write_set(node.set);
      case Node::Kind::kRepeat: return write_repeat(node);
      case Node::Kind::kGroup: return write_group(node);
      case Node::Kind::kLook:
        out_ += node.behind ? "(?<" : "(?";
        out_ += node.negated ? '!' : '=';
        write_children(node, "");
        out_ += ')';
        return;
      case Node::Kind::kAnchor:
        out_ += node.anchor == 'b' || node.anchor == 'B' ? "\\" : "";
        out_ += node.anchor;
        return;
      case Node::Kind::kReference: return write_reference(node);
    }
  }

  Pcre2Text take() { return {std::move(out_), max_characters_}; }

 private:
  void write_children(const Node& node, std::string_view between) {
    std::string_view before;
    for (const Node& child : node.children) {
      out_ += before;
      write(child);
      before = between;
    }
  }

  void write_group(const Node& node) {
    out_ += node.group == 0 ? "(?:" : "(";
    write_children(node, "");
    out_ += ')';
    closed_.insert(node.group);
  }

  // A reference to a group that is not closed before it matches the empty text.
  void write_reference(const Node& node) {
    out_ += closed_.contains(node.group) ? "\\g{" + std::to_string(node.group) + '}' : "(?:)";
  }

  // Each round takes a character or changes nothing: a text of no more characters than a bound
  // cannot exceed it, and one of fewer than another cannot reach that.
  void write_repeat(const Node& node) {
    write_children(node, "");
    const bool is_set = node.children.front().kind == Node::Kind::kSet;
    const std::size_t highest = is_set ? kMaxRounds : max_copies_;
    const std::size_t min = std::min(node.min, highest);
    const std::size_t max = node.max > highest ? Node::kEndless : node.max;
    if (max != node.max) {
      max_characters_ = std::min(max_characters_, node.max);
    }
    if (min != node.min) {
      max_characters_ = std::min(max_characters_, min - 1);
    }
    if (min == 0 && max == Node::kEndless) {
      out_ += '*';
    } else if (min == 1 && max == Node::kEndless) {
      out_ += '+';
    } else if (min == 0 && max == 1) {
      out_ += '?';
    } else {
      out_ += '{' + std::to_string(min) + ',';
      out_ += max == Node::kEndless ? "}" : std::to_string(max) + '}';
    }
    out_ += node.lazy ? "?" : "";
  }

  void write_set(const CharacterSet& set) {
    const bool is_one = !set.negated && set.items.size() == 1 &&
                        set.items.front().kind == SetItem::Kind::kRange &&
                        set.items.front().low == set.items.front().high;
    if (is_one) {
      return write_literal(set.items.front().low);
    }
    std::string items;
    for (const SetItem& item : set.items) {
      append_item(items, item);
    }
    if (items.empty()) {
      out_ += set.negated ? std::string_view("[\\x{0}-\\x{10ffff}]") : kNothing;
      return;
    }
    out_ += set.negated ? "[^" : "[";
    out_ += items + ']';
  }

  void write_literal(char32_t character) {
    if (character >= kFirstSurrogate && character <= kLastSurrogate) {
      out_ += kNothing;
    } else if (character < 0x20 || character == 0x7F) {
      append_code(out_, character);
    } else {
      out_ += character < 0x80 && !is_word_character(character) ? "\\" : "";
      text::append_utf8(out_, character);
    }
  }

  std::size_t max_copies_;
  std::size_t max_characters_ = Node::kEndless;
  std::string out_;
  std::set<std::size_t> closed_;  // groups whose ")" is written
};

}  // namespace

Pcre2Text pcre2_text(const Node& tree, std::size_t max_copies) {
  Writer writer(max_copies);
  writer.write(tree);
  return writer.take();
}

}  // namespace spec::schema::patterns
