#include "spec/contract/router.hpp"

#include "spec/http/message.hpp"
#include "spec/text/encoding.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace spec::contract {

namespace {

std::string decode(std::string_view raw) {
  auto decoded = text::percent_decode(raw);
  return decoded ? std::move(*decoded) : std::string(raw);
}

std::size_t literal_size(const Segment& segment) {
  std::size_t size = 0;
  for (const SegmentPart& part : segment) {
    size += part.is_parameter ? 0 : part.text.size();
  }
  return size;
}

// The way to look for literals: as they are, or in triplets too.
enum class Spelling : std::uint8_t { kPlain, kTriplets };

// The size of the first character, encoded or not. Precondition: normal_path gave the text.
std::size_t unit_size(std::string_view raw) {
  return std::min<std::size_t>(raw.starts_with('%') ? 3 : 1, raw.size());
}

// The number of characters at the start of `raw` that are `literal`; npos if it does not start so.
std::size_t written_size(std::string_view raw, std::string_view literal, Spelling spelling) {
  if (spelling == Spelling::kPlain) {
    return raw.starts_with(literal) ? literal.size() : std::string_view::npos;
  }
  std::size_t size = 0;
  for (const char letter : literal) {
    const std::string_view unit = raw.substr(size, unit_size(raw.substr(size)));
    if (decode(unit) != std::string_view(&letter, 1)) {
      return std::string_view::npos;
    }
    size += unit.size();
  }
  return size;
}

struct Place {
  std::size_t at = 0;
  std::size_t size = 0;
};

// Finds the literal at `index` of the segment in the rest of it: at once, or behind a parameter
// that ends there. A dot before the last parameter is the last one: "{name}.{format}" means "a.b"
// and "gz" by "a.b.gz".
std::optional<Place> locate(const Segment& segment, std::size_t index, std::string_view rest,
                            bool is_open, Spelling spelling) {
  const std::string_view literal = segment[index].text;
  const bool is_last = index + 1 == segment.size();
  const bool is_dot = is_open && literal.starts_with('.') && index + 2 == segment.size();
  std::optional<Place> found;
  std::size_t at = is_open ? unit_size(rest) : 0;
  for (; at <= rest.size(); at += std::max<std::size_t>(unit_size(rest.substr(at)), 1)) {
    const std::size_t size = written_size(rest.substr(at), literal, spelling);
    const bool fits = size != std::string_view::npos && (!is_last || at + size == rest.size()) &&
                      (!is_dot || at + size < rest.size());
    if (fits) {
      found = Place{at, size};
    }
    if (!is_open || (fits && !is_dot)) {
      break;
    }
  }
  return found;
}

// Takes the parameters' values out of one raw segment, each at least one character, the earlier
// ones as short as can be.
bool take_values(const Segment& segment, std::string_view raw, Spelling spelling,
                 std::vector<std::string_view>& values) {
  std::string_view rest = raw;
  bool is_open = false;  // a parameter waits for its end
  for (std::size_t i = 0; i < segment.size(); ++i) {
    if (segment[i].is_parameter) {
      if (is_open) {  // two parameters side by side: one character for the earlier
        values.push_back(rest.substr(0, unit_size(rest)));
        rest.remove_prefix(values.back().size());
      }
      is_open = true;
      continue;
    }
    const auto place = locate(segment, i, rest, is_open, spelling);
    if (!place) {
      return false;
    }
    if (is_open) {
      values.push_back(rest.substr(0, place->at));
    }
    rest.remove_prefix(place->at + place->size);
    is_open = false;
  }
  if (is_open) {
    values.push_back(rest);
  }
  return is_open || rest.empty();
}

// Literals are compared as they are, so that an encoded delimiter is data; if that does not fit,
// all triplets are decoded.
bool match_segment(const Segment& segment, std::string_view raw,
                   std::vector<std::string_view>& values) {
  const auto count_before = static_cast<std::ptrdiff_t>(values.size());
  for (const Spelling spelling : {Spelling::kPlain, Spelling::kTriplets}) {
    const bool fits = take_values(segment, raw, spelling, values) &&
                      std::none_of(values.begin() + count_before, values.end(),
                                   [](std::string_view value) { return value.empty(); });
    if (fits) {
      return true;
    }
    values.resize(static_cast<std::size_t>(count_before));
    if (raw.find('%') == std::string_view::npos) {
      break;
    }
  }
  return false;
}

bool is_literal(const Segment& segment) {
  return segment.empty() || (segment.size() == 1 && !segment[0].is_parameter);
}

bool is_one_parameter(const Segment& segment) {
  return segment.size() == 1 && segment[0].is_parameter;
}

std::optional<Segment> parse_segment(std::string_view text) {
  Segment segment;
  while (!text.empty()) {
    const std::size_t open = text.find_first_of("{}");
    if (open > 0) {
      const std::string_view literal = text.substr(0, open);
      segment.push_back({decode(literal), false});
      text.remove_prefix(literal.size());
      continue;
    }
    const std::size_t close = text.find_first_of("{}", 1);
    if (text[0] == '}' || close == std::string_view::npos || close == 1 || text[close] == '{') {
      return std::nullopt;
    }
    segment.push_back({std::string(text.substr(1, close - 1)), true});
    text.remove_prefix(close + 1);
  }
  return segment;
}

}  // namespace

std::optional<std::vector<Segment>> parse_path_template(std::string_view path) {
  if (!path.starts_with('/')) {
    return std::nullopt;
  }
  std::vector<Segment> segments;
  for (const std::string_view text : http::segments_of(path)) {
    auto segment = parse_segment(text);
    if (!segment) {
      return std::nullopt;
    }
    segments.push_back(std::move(*segment));
  }
  return segments;
}

std::vector<std::string> parameter_names(const std::vector<Segment>& segments) {
  std::vector<std::string> names;
  for (const Segment& segment : segments) {
    for (const SegmentPart& part : segment) {
      if (part.is_parameter) {
        names.push_back(part.text);
      }
    }
  }
  return names;
}

Segment nameless(Segment segment) {
  for (SegmentPart& part : segment) {
    part.text = part.is_parameter ? "" : part.text;
  }
  return segment;
}

std::optional<std::vector<std::string_view>> match_template(const std::vector<Segment>& segments,
                                                            std::string_view raw_path) {
  const std::vector<std::string_view> raw = http::segments_of(raw_path);
  if (raw.size() != segments.size()) {
    return std::nullopt;
  }
  std::vector<std::string_view> values;
  for (std::size_t i = 0; i < raw.size(); ++i) {
    const bool fits = is_literal(segments[i])
                          ? decode(raw[i]) == (segments[i].empty() ? "" : segments[i][0].text)
                          : match_segment(segments[i], raw[i], values);
    if (!fits) {
      return std::nullopt;
    }
  }
  return values;
}

std::optional<std::string> normal_path(std::string_view raw_path) {
  if (raw_path.find('%') == std::string_view::npos) {
    return std::string(raw_path);
  }
  std::string path;
  path.reserve(raw_path.size());
  for (std::size_t i = 0; i < raw_path.size(); ++i) {
    if (raw_path[i] != '%') {
      path += raw_path[i];
      continue;
    }
    const std::string_view triplet = raw_path.substr(i, 3);
    const auto decoded = text::percent_decode(triplet);
    if (!decoded) {
      return std::nullopt;
    }
    path += text::percent_encode(*decoded) == *decoded ? *decoded : std::string(triplet);
    i += 2;
  }
  return path;
}

Router::NodeId Router::child(NodeId node, const Segment& segment) {
  const auto fresh = static_cast<NodeId>(nodes_.size());
  if (is_literal(segment)) {
    const auto [entry, is_new] =
        nodes_[node].literals.try_emplace(segment.empty() ? "" : segment[0].text, fresh);
    const NodeId next = entry->second;
    if (is_new) {
      nodes_.emplace_back();
    }
    return next;
  }
  if (is_one_parameter(segment)) {
    if (nodes_[node].parameter == 0) {
      nodes_[node].parameter = fresh;
      nodes_.emplace_back();
    }
    return nodes_[node].parameter;
  }
  Segment shape = nameless(segment);
  auto& mixtures = nodes_[node].mixtures;
  auto at = mixtures.begin();
  for (; at != mixtures.end() && literal_size(at->segment) >= literal_size(shape); ++at) {
    if (at->segment == shape) {
      return at->next;
    }
  }
  mixtures.insert(at, {std::move(shape), fresh});
  nodes_.emplace_back();
  return fresh;
}

void Router::add(std::string_view path, const std::vector<Segment>& segments,
                 std::string_view method, Route route) {
  NodeId node = 0;
  for (const Segment& segment : segments) {
    node = child(node, segment);
  }
  auto& paths = nodes_[node].paths;
  const auto same = std::find_if(paths.begin(), paths.end(),
                                 [path](const Path& one) { return one.text == path; });
  if (same != paths.end()) {
    same->methods.emplace_back(method, route);
    return;
  }
  paths.push_back({std::string(path), parameter_names(segments), {{std::string(method), route}}});
}

bool Router::descend(NodeId at, std::string_view rest, PathMatch& found) const {
  const Node& node = nodes_[at];
  if (rest.empty()) {
    found.paths = &node.paths;
    return !node.paths.empty();
  }
  const std::string_view raw = http::take_segment(rest);
  if (!node.literals.empty()) {
    const auto literal = node.literals.find(decode(raw));
    if (literal != node.literals.end() && descend(literal->second, rest, found)) {
      return true;
    }
  }
  const std::size_t count_before = found.values.size();
  for (const MixedSegment& mixture : node.mixtures) {
    if (match_segment(mixture.segment, raw, found.values) && descend(mixture.next, rest, found)) {
      return true;
    }
    found.values.resize(count_before);
  }
  if (node.parameter == 0 || raw.empty()) {
    return false;
  }
  found.values.push_back(raw);
  if (descend(node.parameter, rest, found)) {
    return true;
  }
  found.values.resize(count_before);
  return false;
}

std::optional<Router::PathMatch> Router::find(std::string_view path) const {
  PathMatch found;
  return path.starts_with('/') && descend(0, path, found) ? std::optional(std::move(found))
                                                          : std::nullopt;
}

namespace {

// The start of the segment after the first `count`; the end of the path if it has no more.
std::size_t end_of_segments(std::string_view path, std::size_t count) {
  std::size_t end = 0;
  for (std::size_t i = 0; i < count && end < path.size(); ++i) {
    end = std::min(path.find('/', end + 1), path.size());
  }
  return end;
}

}  // namespace

bool is_open_prefix(std::string_view prefix) {
  return prefix.find('{') != std::string_view::npos;
}

std::optional<std::string_view> path_behind(std::string_view path, std::string_view prefix) {
  std::size_t size = prefix.size();
  bool fits = path.starts_with(prefix);
  if (is_open_prefix(prefix)) {
    const auto segments = parse_path_template(prefix);
    size = end_of_segments(path, segments ? segments->size() : 0);
    fits = segments && match_template(*segments, path.substr(0, size));
  }
  return fits && path.size() > size && path[size] == '/' ? std::optional(path.substr(size))
                                                         : std::nullopt;
}

}  // namespace spec::contract
