#include "spec/schema/samples/pattern_words.hpp"

#include "spec/json/utf8.hpp"
#include "spec/schema/samples/property_ranges.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace spec::schema::samples {

namespace {

using patterns::Node;
using patterns::SetItem;
using Ranges = std::vector<CharacterRange>;

constexpr std::size_t kMaxTextBytes = 65'536;
constexpr CharacterRange kPrintable{' ', '~'};

// What of printable ASCII the ranges leave out; beyond it where they leave out nothing.
Ranges complement(Ranges ranges) {
  std::ranges::sort(ranges, {}, &CharacterRange::low);
  Ranges rest;
  char32_t next = kPrintable.low;
  for (const CharacterRange& range : ranges) {
    if (range.low > next) {
      rest.push_back({next, std::min<char32_t>(range.low - 1, kPrintable.high)});
    }
    next = std::max<char32_t>(next, range.high + 1);
  }
  if (next <= kPrintable.high) {
    rest.push_back({next, kPrintable.high});
  }
  return rest.empty() ? Ranges{{U'\u00E0', U'\u00F0'}} : rest;
}

Ranges ranges_of_property(const SetItem& item, PropertyRanges& properties) {
  const std::string escape = (item.negated ? "\\P{" : "\\p{") + item.property + '}';
  const auto [known, is_new] = properties.try_emplace(escape);
  if (is_new) {
    known->second = find_ranges(escape);
  }
  return known->second;
}

Ranges ranges_of(const SetItem& item, PropertyRanges& properties) {
  const auto these = [&](Ranges ranges) {
    return item.negated ? complement(std::move(ranges)) : ranges;
  };
  switch (item.kind) {
    case SetItem::Kind::kRange: break;
    case SetItem::Kind::kDigits: return these({{'0', '9'}});
    case SetItem::Kind::kWordCharacters:
      return these({{'a', 'z'}, {'A', 'Z'}, {'0', '9'}, {'_', '_'}});
    case SetItem::Kind::kSpaces: return these({{' ', ' '}});
    case SetItem::Kind::kProperty: return ranges_of_property(item, properties);
  }
  return {{item.low, item.high}};
}

// Replaces the set's items by plain ranges; false where there is no known character.
bool make_plain(patterns::CharacterSet& set, PropertyRanges& properties) {
  Ranges all;
  for (const SetItem& item : set.items) {
    const Ranges ranges = ranges_of(item, properties);
    all.insert(all.end(), ranges.begin(), ranges.end());
  }
  if (set.negated) {
    all = complement(std::move(all));
  }
  set = {};
  for (const CharacterRange& range : all) {
    set.items.push_back({.low = range.low, .high = range.high, .property = {}});
  }
  return !set.items.empty();
}

bool make_plain(Node& node, PropertyRanges& properties) {
  if (node.kind == Node::Kind::kSet) {
    return make_plain(node.set, properties);
  }
  return std::ranges::all_of(node.children,
                             [&](Node& child) { return make_plain(child, properties); });
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
        if (!node.negated && is_looked_at()) {
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

  // What is looked at may stand in the text besides, or be part of it already: mostly the latter.
  bool is_looked_at() {
    constexpr std::uint64_t kAll = 0;
    constexpr std::uint64_t kSome = 1;
    if (!looks_) {
      looks_ = random_.below(4);
    }
    return *looks_ == kAll || (*looks_ == kSome && random_.one_in(2));
  }

  void repeat(const Node& node) {
    const std::size_t room = std::min(extra_, node.max - node.min);
    const std::size_t times = node.min + random_.below(room + 1);
    for (std::size_t i = 0; i < times; ++i) {
      write_all(node);
    }
  }

  void write_one_of(const std::vector<SetItem>& ranges) {
    const SetItem& range = random_.pick(ranges);
    json::append_utf8(text_,
                      range.low + static_cast<char32_t>(random_.below(range.high - range.low + 1)));
  }

  std::size_t extra_;
  Random& random_;
  std::string text_;
  std::map<std::size_t, std::string> groups_;
  std::optional<std::uint64_t> looks_;  // how this text treats them
};

}  // namespace

std::optional<Node> writable_pattern(std::string_view pattern, PropertyRanges& properties) {
  auto tree = patterns::parse(pattern);
  if (!tree || !make_plain(*tree, properties)) {
    return std::nullopt;
  }
  return std::move(*tree);
}

std::string write_match(const Node& pattern, std::size_t extra, Random& random) {
  Writer writer(extra, random);
  writer.write(pattern);
  return writer.take();
}

}  // namespace spec::schema::samples
