#include "spec/schema/generate/text_value.hpp"

#include "spec/schema/applicable.hpp"
#include "spec/schema/generate/attempt.hpp"
#include "spec/schema/generate/identifiers.hpp"
#include "spec/schema/patterns/pattern.hpp"
#include "spec/text/ascii.hpp"
#include "spec/text/utf8.hpp"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

namespace spec::schema::generate {

using text::Random;

namespace {

using patterns::Node;
using patterns::SetItem;
using Ranges = std::vector<SetItem>;  // of kind kRange

constexpr std::size_t kMaxTextBytes = 65'536;

SetItem range(char32_t low, char32_t high) {
  return {.low = low, .high = high, .property = {}};
}

// The printable ASCII characters outside the ranges; others if there are none.
Ranges complement(Ranges ranges) {
  std::ranges::sort(ranges, {}, &SetItem::low);
  Ranges rest;
  char32_t next = U' ';
  for (const SetItem& each : ranges) {
    if (each.low > next && next <= U'~') {
      rest.push_back(range(next, std::min<char32_t>(each.low - 1, U'~')));
    }
    next = std::max<char32_t>(next, each.high + 1);
  }
  if (next <= U'~') {
    rest.push_back(range(next, U'~'));
  }
  return rest.empty() ? Ranges{range(U'\u00E0', U'\u00F0')} : rest;
}

// The first characters from the blank on that `escape` ("\p{Script=Greek}") matches.
Ranges ranges_of_property(const std::string& escape) {
  constexpr std::size_t kMaxFound = 52;        // A to Z and a to z, if these have the property
  constexpr char32_t kLastSearched = 0x1FFFF;  // beyond are rare ideographs
  const auto pattern = patterns::Pattern::compile('^' + escape + '$');
  Ranges found;
  for (char32_t c = U' '; pattern && c <= kLastSearched && found.size() < kMaxFound; ++c) {
    std::string text;
    const bool is_surrogate = c >= 0xD800 && c <= 0xDFFF;
    if (!is_surrogate) {
      text::append_utf8(text, c);
    }
    if (!is_surrogate && pattern->search(text) == patterns::Search::kFound) {
      found.push_back(range(c, c));
    }
  }
  return found;
}

Ranges ranges_of(const SetItem& item) {
  const auto these = [&](Ranges ranges) {
    return item.negated ? complement(std::move(ranges)) : ranges;
  };
  switch (item.kind) {
    case SetItem::Kind::kRange: break;
    case SetItem::Kind::kDigits: return these({range('0', '9')});
    case SetItem::Kind::kWordCharacters:
      return these({range('a', 'z'), range('A', 'Z'), range('0', '9'), range('_', '_')});
    case SetItem::Kind::kSpaces: return these({range(' ', ' ')});
    case SetItem::Kind::kProperty:
      return ranges_of_property((item.negated ? "\\P{" : "\\p{") + item.property + '}');
  }
  return {range(item.low, item.high)};
}

// Replaces the sets' items by plain ranges; false if one has no known character.
bool make_plain(Node& node) {
  if (node.kind != Node::Kind::kSet) {
    return std::ranges::all_of(node.children, &make_plain);
  }
  Ranges all;
  for (const SetItem& item : node.set.items) {
    const Ranges ranges = ranges_of(item);
    all.insert(all.end(), ranges.begin(), ranges.end());
  }
  node.set = {.negated = false, .items = node.set.negated ? complement(std::move(all)) : all};
  return !node.set.items.empty();
}

class Writer {
 public:
  Writer(std::size_t extra, Random& random) : extra_(extra), random_(random) {}

  void write(const Node& node) {
    if (text_.size() > kMaxTextBytes) {
      return;
    }
    switch (node.kind) {
      case Node::Kind::kSequence: return write_all(node);
      case Node::Kind::kAlternatives: return write(random_.pick(node.children));
      case Node::Kind::kSet: return write_one_of(node.set.items);
      case Node::Kind::kRepeat: return repeat(node);
      case Node::Kind::kGroup: {
        const std::size_t start = text_.size();
        write_all(node);
        groups_[node.group] = text_.substr(start);
        return;
      }
      case Node::Kind::kReference: text_ += groups_[node.group]; return;
      case Node::Kind::kLook:
        if (!node.negated && writes_look()) {
          write_all(node);
        }
        return;
      case Node::Kind::kAnchor: return;
    }
  }

  std::string take() { return std::move(text_); }

 private:
  void write_all(const Node& node) {
    for (const Node& child : node.children) {
      write(child);
    }
  }

  // The text of a look-around may be written besides, or be part of the text already: mostly the
  // latter.
  bool writes_look() {
    constexpr std::uint64_t kAll = 0;
    constexpr std::uint64_t kSome = 1;
    if (!looks_) {
      looks_ = random_.next_below(4);
    }
    return *looks_ == kAll || (*looks_ == kSome && random_.one_in(2));
  }

  void repeat(const Node& node) {
    const std::size_t room = std::min(extra_, node.max - node.min);
    const std::size_t times = node.min + random_.next_below(room + 1);
    const std::size_t max_rounds = std::min(times, kMaxTextBytes + 1);
    for (std::size_t i = 0; i < max_rounds && text_.size() <= kMaxTextBytes; ++i) {
      write_all(node);
    }
  }

  void write_one_of(const Ranges& ranges) {
    const SetItem& chosen = random_.pick(ranges);
    const std::uint64_t count = chosen.high - chosen.low + 1;
    text::append_utf8(text_, chosen.low + static_cast<char32_t>(random_.next_below(count)));
  }

  std::size_t extra_;
  Random& random_;
  std::string text_;
  std::map<std::size_t, std::string> groups_;
  std::optional<std::uint64_t> looks_;  // how this text treats them
};

}  // namespace

std::optional<Node> writable_pattern(std::string_view pattern) {
  auto tree = patterns::parse(pattern);
  return tree && make_plain(*tree) ? std::optional(std::move(*tree)) : std::nullopt;
}

std::string write_match(const Node& pattern, std::size_t extra, Random& random) {
  Writer writer(extra, random);
  writer.write(pattern);
  return writer.take();
}

// Strings: by format, by name, by pattern, then fitted to their length.

namespace {

using Json = nlohmann::json;

constexpr std::uint64_t kMaxTextLength = 1'000'000;

// The text cut or filled to the constraints' length, counted in code points.
std::string fit(std::string text, const Constraints& constraints) {
  constexpr std::string_view kFilling = "aB1";  // satisfies password rules
  const std::size_t size = text::first_characters(text, constraints.max_length).size();
  const std::size_t blank = size < text.size() ? text.rfind(' ', size) : text.npos;
  const bool ends_at_word = blank != text.npos && blank >= constraints.min_length && blank > 2;
  text.resize(ends_at_word ? blank : size);
  for (auto length = text::character_count(text); length < constraints.min_length; ++length) {
    text += kFilling[length % kFilling.size()];
  }
  return text;
}

bool is_of_numbers(const formats::Format* format) {
  return format->test_string == nullptr;
}

bool is_valid(const Attempt& attempt, const Constraints& constraints, const std::string& text) {
  const auto length = text::character_count(text);
  const auto& patterns = attempt.context.program.patterns;
  return length >= constraints.min_length && length <= constraints.max_length &&
         std::ranges::all_of(constraints.patterns,
                             [&](std::uint32_t pattern) {
                               return patterns[pattern].search(text) == patterns::Search::kFound;
                             }) &&
         std::ranges::all_of(constraints.formats, [&](const auto* format) {
           return is_of_numbers(format) || format->test_string(text);
         });
}

// How an identifier begins here: as its description says, or as that of the record for which it
// stands. "" if neither says it.
std::string id_start_here(const Attempt& attempt, const Constraints& constraints,
                          const Location& location) {
  const Program& program = attempt.context.program;
  const SchemaId record = record_of_key(program, constraints.merged);
  std::string start = record != kNoId || usage_of(location.name).is_id
                          ? id_start_in(constraints.description)
                          : std::string{};
  return record == kNoId || !start.empty()
             ? start
             : id_start_of_thing(attempt.context.component(follow_references(program, record)));
}

// What the text is, by a hint, a format, or the member's name; null for an unknown one.
const Kind* kind_of(const Constraints& constraints, const TextContext& context) {
  if (const Kind* const kind = kind_of_hint(constraints.hint)) {
    return kind;
  }
  if (constraints.is_base64) {
    return find_kind("byte");
  }
  for (const std::string_view format : constraints.annotated_formats) {
    if (const Kind* const kind = kind_of_format(format)) {
      return kind;
    }
  }
  return context.id_start.empty() ? usage_of(context.name).text : find_kind("id");
}

// "north-wind", "north_wind", "northwind" and so on for "North Wind".
std::vector<std::string> spellings(const std::string& text) {
  std::vector<std::string> found{text};
  for (const std::string_view separator : {"-", "_", ""}) {
    std::string joined;
    for (const char c : text) {
      joined +=
          text::is_letter_or_digit(c) || c == '.' ? std::string(1, c) : std::string(separator);
    }
    found.push_back(text::to_lower(joined));
    found.push_back(text::to_upper(joined));
    found.push_back(std::move(joined));
  }
  return found;
}

std::optional<std::string> usual_text(const Attempt& attempt, const Constraints& constraints,
                                      const TextContext& context, Random& random) {
  const Kind* const kind = kind_of(constraints, context);
  const std::string text =
      kind != nullptr ? text_of(*kind, context, random) : text_for(context, random);
  for (const std::string& each :
       constraints.patterns.empty() ? std::vector{text} : spellings(text)) {
    std::string fitted = fit(each, constraints);
    if (is_valid(attempt, constraints, fitted)) {
      return fitted;
    }
  }
  return std::nullopt;
}

// Formats that are asserted: other texts of them may have the length.
std::optional<std::string> from_format(const Attempt& attempt, const Constraints& constraints,
                                       TextContext context, Random& random) {
  constexpr int kDraws = 6;
  for (const formats::Format* format : constraints.formats) {
    const Kind* const kind = kind_of_format(format->name);
    for (int i = 0; kind != nullptr && i < kDraws; ++i) {
      context.is_spread |= i > 0;
      auto text = text_of(*kind, context, random);
      if (is_valid(attempt, constraints, text)) {
        return text;
      }
    }
  }
  return std::nullopt;
}

std::optional<std::string> from_pattern(const Attempt& attempt, const Constraints& constraints,
                                        Random& random) {
  constexpr int kDraws = 60;
  constexpr std::size_t kBytesOfValue = 256;  // a long text takes as long as many values
  const auto wanted = static_cast<std::size_t>(constraints.min_length);
  for (const std::uint32_t index : constraints.patterns) {
    const auto& pattern = attempt.context.patterns[index];
    for (int i = 0; pattern && i < kDraws && attempt.budget > 0; ++i) {
      const auto extra = static_cast<std::size_t>(i % 10) + (i % 3 == 2 ? wanted * 2 : wanted / 2);
      std::string text = write_match(*pattern, extra, random);
      if (is_valid(attempt, constraints, text)) {
        return text;
      }
      text = fit(std::move(text), constraints);
      attempt.budget -=
          std::min(attempt.budget, static_cast<unsigned>(text.size() / kBytesOfValue));
      if (is_valid(attempt, constraints, text)) {
        return text;
      }
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<Json> make_text(const Attempt& attempt, const Constraints& constraints,
                              const Location& location) {
  attempt.failure.is_too_large |= constraints.min_length > kMaxTextLength;
  if (constraints.min_length > std::min(constraints.max_length, kMaxTextLength)) {
    return std::nullopt;
  }
  Random random(location.seed);
  const Scene own = location.scene == nullptr ? whole_scene(attempt, location) : Scene{};
  const std::string id_start = id_start_here(attempt, constraints, location);
  const TextContext context{
      location.name,          location.scene == nullptr ? own : *location.scene,
      location.index,         attempt.number > 0,
      constraints.max_length, id_start};
  auto text = from_format(attempt, constraints, context, random);
  if (!text && std::ranges::all_of(constraints.formats, is_of_numbers)) {
    text = usual_text(attempt, constraints, context, random);
  }
  if (!text) {
    text = from_pattern(attempt, constraints, random);
  }
  return text ? std::optional(Json(std::move(*text))) : std::nullopt;
}

}  // namespace spec::schema::generate
