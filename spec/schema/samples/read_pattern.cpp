#include "spec/schema/samples/pattern_words.hpp"
#include "spec/schema/samples/property_ranges.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <map>
#include <utility>

namespace spec::schema::samples {

namespace {

using Kind = PatternPart::Kind;
using Range = PatternPart::Range;

constexpr std::size_t kMaxDepth = 64;
constexpr std::size_t kEndless = std::numeric_limits<std::size_t>::max();

const std::vector<Range> kDigits{{'0', '9'}};
const std::vector<Range> kWordCharacters{{'a', 'z'}, {'A', 'Z'}, {'0', '9'}, {'_', '_'}};
const std::vector<Range> kBlanks{{' ', ' '}};
const std::vector<Range> kPrintable{{' ', '~'}};

// What of printable ASCII the ranges leave out.
std::vector<Range> complement(std::vector<Range> ranges) {
  std::sort(ranges.begin(), ranges.end(), [](Range a, Range b) { return a.low < b.low; });
  std::vector<Range> rest;
  char32_t next = kPrintable.front().low;
  for (const Range& range : ranges) {
    if (range.low > next) {
      rest.push_back({next, std::min<char32_t>(range.low - 1, '~')});
    }
    next = std::max<char32_t>(next, range.high + 1);
  }
  if (next <= '~') {
    rest.push_back({next, '~'});
  }
  if (rest.empty()) {
    rest.push_back({U'\u00E0', U'\u00F0'});
  }
  return rest;
}

// The numbers of the groups that have names: a reference may stand before its group.
std::map<std::string, std::size_t, std::less<>> group_names(std::string_view text) {
  std::map<std::string, std::size_t, std::less<>> names;
  std::size_t groups = 0;
  bool in_class = false;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const std::string_view rest = text.substr(at);
    if (rest.starts_with('\\')) {
      ++at;
    } else if (in_class || rest.starts_with('[')) {
      in_class = !rest.starts_with(']');
    } else if (rest.starts_with("(?<") && !rest.starts_with("(?<=") && !rest.starts_with("(?<!")) {
      names.emplace(rest.substr(3, rest.find('>') - 3), ++groups);
    } else if (rest.starts_with('(') && !rest.starts_with("(?")) {
      ++groups;
    }
  }
  return names;
}

// What the pattern cannot be read for.
struct Unknown {};

class Reader {
 public:
  Reader(std::string_view text, PropertyRanges& properties)
      : text_(text), names_(group_names(text)), properties_(properties) {}

  PatternPart whole() {
    PatternPart part = alternatives(0);
    if (at_ != text_.size()) {
      throw Unknown{};
    }
    return part;
  }

 private:
  bool done() const { return at_ == text_.size(); }

  char peek() const { return done() ? '\0' : text_[at_]; }

  bool take(std::string_view expected) {
    if (!text_.substr(at_).starts_with(expected)) {
      return false;
    }
    at_ += expected.size();
    return true;
  }

  char32_t take_character() {
    if (done()) {
      throw Unknown{};
    }
    const auto lead = static_cast<unsigned char>(text_[at_]);
    const std::size_t bytes = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    char32_t value = bytes == 1 ? lead : lead & (0xFFU >> (bytes + 1));
    for (std::size_t i = 1; i < bytes && at_ + i < text_.size(); ++i) {
      value = (value << 6U) | (static_cast<unsigned char>(text_[at_ + i]) & 0x3FU);
    }
    at_ = std::min(at_ + bytes, text_.size());
    return value;
  }

  PatternPart alternatives(std::size_t depth) {
    if (depth > kMaxDepth) {
      throw Unknown{};
    }
    PatternPart part{.kind = Kind::kAlternatives, .parts = {}, .ranges = {}};
    do {
      part.parts.push_back(sequence(depth));
    } while (take("|"));
    return part;
  }

  PatternPart sequence(std::size_t depth) {
    PatternPart part{.kind = Kind::kSequence, .parts = {}, .ranges = {}};
    while (!done() && peek() != '|' && peek() != ')') {
      if (take("^") || take("$") || take("\\b") || take("\\B")) {
        continue;
      }
      if (auto next = atom(depth)) {
        part.parts.push_back(repeated(std::move(*next)));
      }
    }
    return part;
  }

  // Nothing for a look-around that must not be there, which the caller's check stands for.
  std::optional<PatternPart> atom(std::size_t depth) {
    if (take("(")) {
      return group(depth);
    }
    if (take("[")) {
      return set(bracket());
    }
    if (take(".")) {
      return set(kPrintable);
    }
    if (take("\\")) {
      return escape();
    }
    const char32_t c = take_character();
    return set({{c, c}});
  }

  static PatternPart set(std::vector<Range> ranges) {
    return {.kind = Kind::kSet, .parts = {}, .ranges = std::move(ranges)};
  }

  std::optional<PatternPart> group(std::size_t depth) {
    if (take("?=") || take("?<=")) {
      PatternPart look{.kind = Kind::kLook, .parts = {}, .ranges = {}};
      look.parts.push_back(alternatives(depth + 1));
      close();
      return look;
    }
    if (take("?!") || take("?<!")) {
      alternatives(depth + 1);
      close();
      return std::nullopt;
    }
    PatternPart part{.kind = Kind::kGroup, .parts = {}, .ranges = {}};
    if (!take("?:")) {
      if (take("?<")) {
        at_ = text_.find('>', at_);
        if (at_ == std::string_view::npos) {
          throw Unknown{};
        }
        ++at_;
      }
      part.group = ++groups_;
    }
    part.parts.push_back(alternatives(depth + 1));
    close();
    return part;
  }

  void close() {
    if (!take(")")) {
      throw Unknown{};
    }
  }

  PatternPart repeated(PatternPart part) {
    std::size_t least = 1;
    std::size_t most = 1;
    if (take("*")) {
      least = 0;
      most = kEndless;
    } else if (take("+")) {
      most = kEndless;
    } else if (take("?")) {
      least = 0;
    } else if (peek() != '{' || !bounds(least, most)) {
      return part;
    }
    take("?");
    PatternPart repeat{
        .kind = Kind::kRepeat, .parts = {}, .ranges = {}, .least = least, .most = most};
    repeat.parts.push_back(std::move(part));
    return repeat;
  }

  // "{2}", "{2,}" or "{2,5}"; false, with nothing taken, for a brace that is none of these.
  bool bounds(std::size_t& least, std::size_t& most) {
    const std::size_t start = at_;
    take("{");
    const auto low = number();
    if (low && take("}")) {
      least = most = *low;
      return true;
    }
    if (low && take(",")) {
      const auto high = number();
      if (take("}")) {
        least = *low;
        most = high.value_or(kEndless);
        return true;
      }
    }
    at_ = start;
    return false;
  }

  std::optional<std::size_t> number() {
    constexpr std::size_t kMaxDigits = 6;
    std::size_t value = 0;
    std::size_t digits = 0;
    for (; peek() >= '0' && peek() <= '9'; ++at_, ++digits) {
      value = value * 10 + static_cast<std::size_t>(peek() - '0');
    }
    if (digits > kMaxDigits) {
      throw Unknown{};
    }
    return digits == 0 ? std::nullopt : std::optional{value};
  }

  PatternPart escape() {
    if (peek() >= '1' && peek() <= '9') {
      PatternPart part{.kind = Kind::kReference, .parts = {}, .ranges = {}};
      part.group = *number();
      return part;
    }
    if (take("k<")) {
      const std::size_t end = text_.find('>', at_);
      const auto named = names_.find(text_.substr(at_, end - at_));
      if (end == std::string_view::npos || named == names_.end()) {
        throw Unknown{};
      }
      at_ = end + 1;
      PatternPart part{.kind = Kind::kReference, .parts = {}, .ranges = {}};
      part.group = named->second;
      return part;
    }
    return set(escaped_set());
  }

  // After a backslash: a class of characters or one character.
  std::vector<Range> escaped_set() {
    const char32_t c = take_character();
    switch (c) {
      case 'd': return kDigits;
      case 'D': return complement(kDigits);
      case 'w': return kWordCharacters;
      case 'W': return complement(kWordCharacters);
      case 's': return kBlanks;
      case 'S': return complement(kBlanks);
      case 'p': return property(false);
      case 'P': return property(true);
      case '0': return {{'\0', '\0'}};
      case 'c': return {control()};
      case 'n': return {{'\n', '\n'}};
      case 't': return {{'\t', '\t'}};
      case 'r': return {{'\r', '\r'}};
      case 'f': return {{'\f', '\f'}};
      case 'v': return {{'\v', '\v'}};
      case 'x': return hexadecimal(2);
      case 'u': return take("{") ? braced_hexadecimal() : hexadecimal(4);
      case 'k': throw Unknown{};
      default: return {{c, c}};
    }
  }

  // "\cJ" is a line feed.
  Range control() {
    const char32_t letter = take_character();
    return {letter & 0x1FU, letter & 0x1FU};
  }

  // After "\p" or "\P": plain letters and digits where they do, else the first that have it.
  std::vector<Range> property(bool negated) {
    const std::size_t end = text_.find('}', at_);
    if (peek() != '{' || end == std::string_view::npos) {
      throw Unknown{};
    }
    const std::string name(text_.substr(at_, end + 1 - at_));
    at_ = end + 1;
    if (!negated && !plain_property(name).empty()) {
      return plain_property(name);
    }
    const auto [known, is_new] = properties_.try_emplace((negated ? "\\P" : "\\p") + name);
    if (is_new) {
      known->second = find_ranges(known->first);
    }
    if (known->second.empty()) {
      throw Unknown{};
    }
    return known->second;
  }

  char32_t hexadecimal_digit() {
    const char c = peek();
    ++at_;
    if (c >= '0' && c <= '9') {
      return static_cast<char32_t>(c - '0');
    }
    const char small = static_cast<char>(c | 0x20);
    if (small >= 'a' && small <= 'f') {
      return static_cast<char32_t>(small - 'a' + 10);
    }
    throw Unknown{};
  }

  std::vector<Range> hexadecimal(std::size_t digits) {
    char32_t value = 0;
    for (std::size_t i = 0; i < digits; ++i) {
      value = value * 16 + hexadecimal_digit();
    }
    return {{value, value}};
  }

  std::vector<Range> braced_hexadecimal() {
    char32_t value = 0;
    while (!take("}")) {
      value = value * 16 + hexadecimal_digit();
      if (done() || value > 0x10FFFF) {
        throw Unknown{};
      }
    }
    return {{value, value}};
  }

  // After "[": the ranges of a bracket expression.
  std::vector<Range> bracket() {
    const bool negated = take("^");
    std::vector<Range> ranges;
    while (!take("]")) {
      std::vector<Range> first = bracket_atom();
      const bool spans = first.size() == 1 && first[0].low == first[0].high && peek() == '-' &&
                         at_ + 1 < text_.size() && text_[at_ + 1] != ']';
      if (spans) {
        take("-");
        const std::vector<Range> last = bracket_atom();
        first[0].high = last.front().low;
      }
      ranges.insert(ranges.end(), first.begin(), first.end());
    }
    if (negated) {
      return complement(std::move(ranges));
    }
    if (ranges.empty()) {
      throw Unknown{};
    }
    return ranges;
  }

  std::vector<Range> bracket_atom() {
    if (take("\\b")) {
      return {{'\b', '\b'}};
    }
    if (take("\\")) {
      return escaped_set();
    }
    const char32_t c = take_character();
    return {{c, c}};
  }

  std::string_view text_;
  std::map<std::string, std::size_t, std::less<>> names_;  // of groups
  PropertyRanges& properties_;
  std::size_t at_ = 0;
  std::size_t groups_ = 0;
};

}  // namespace

std::optional<PatternPart> read_pattern(std::string_view pattern, PropertyRanges& properties) {
  try {
    return Reader(pattern, properties).whole();
  } catch (const Unknown&) {
    return std::nullopt;
  }
}

}  // namespace spec::schema::samples
