#include "spec/http/media_type.hpp"

#include "spec/http/bytes.hpp"
#include "spec/http/header_field.hpp"
#include "spec/http/message.hpp"
#include "spec/text/ascii.hpp"

#include <algorithm>
#include <charconv>
#include <cstddef>

namespace spec::http {

namespace {

// Reads one parameter; none if it is invalid. Source: RFC 9110 §5.6.6.
std::optional<std::pair<std::string, std::string>> read_parameter(FieldReader& reader) {
  const std::string name = text::to_lower(reader.token());
  if (name.empty() || !reader.take('=')) {
    return std::nullopt;
  }
  const std::string_view token = reader.token();
  if (!token.empty()) {
    return std::pair(name, std::string(token));
  }
  const auto quoted = reader.quoted();
  if (!quoted || !is_all(*quoted, kValueByte)) {
    return std::nullopt;
  }
  return std::pair(name, *quoted);
}

bool same_value(const std::string& name, std::string_view left, std::string_view right) {
  return name == "charset" ? text::equals_ignoring_case(left, right) : left == right;
}

struct WeightedRange {
  MediaType range;
  int weight = 1000;     // thousandths
  bool is_sound = true;  // its weight is by the grammar
};

// "0.875" as 875, and other spellings of numbers from 0 to 1 (".25") as they are meant.
std::optional<int> read_weight(std::string_view text) {
  double number = 0;
  const char* const end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, number, std::chars_format::fixed);
  const bool is_weight = read.ec == std::errc{} && read.ptr == end && number >= 0 && number <= 1;
  return is_weight ? std::optional(static_cast<int>(number * 1000 + 0.5)) : std::nullopt;
}

// True if a weight has at most three digits behind "0." or "1.". Source: RFC 9110 §12.4.2.
bool is_by_grammar(std::string_view weight) {
  return weight.size() <= 5 &&
         (weight.starts_with("0.") || weight.starts_with("1.") || weight == "0" || weight == "1");
}

std::optional<WeightedRange> read_range(std::string_view text) {
  auto range = parse_media_type(text);
  if (!range) {
    return std::nullopt;
  }
  WeightedRange result{.range = std::move(*range)};
  auto& parameters = result.range.parameters;
  const auto mark = std::find_if(parameters.begin(), parameters.end(),
                                 [](const auto& parameter) { return parameter.first == "q"; });
  if (mark != parameters.end()) {
    const auto weight = read_weight(mark->second);
    if (!weight) {
      return std::nullopt;
    }
    result.weight = *weight;
    result.is_sound = is_by_grammar(mark->second);
    parameters.erase(mark, parameters.end());  // parameters behind q are not part of the range
  }
  return result;
}

// The elements of a list, cut at commas outside quoted strings.
std::vector<std::string_view> split_list(std::string_view text) {
  std::vector<std::string_view> elements;
  bool is_quoted = false;
  std::size_t start = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (is_quoted && text[i] == '\\') {
      ++i;
    } else if (text[i] == '"') {
      is_quoted = !is_quoted;
    } else if (text[i] == ',' && !is_quoted) {
      elements.push_back(text.substr(start, i - start));
      start = i + 1;
    }
  }
  elements.push_back(text.substr(std::min(start, text.size())));
  return elements;
}

// The elements of an Accept field value that can be parsed.
std::vector<WeightedRange> read_ranges(std::optional<std::string_view> accept) {
  std::vector<WeightedRange> ranges;
  for (const std::string_view element : split_list(accept.value_or(""))) {
    if (auto range = read_range(element)) {
      ranges.push_back(std::move(*range));
    }
  }
  return ranges;
}

// The precision of `range`: more parameters beat a subtype, a subtype beats a type.
std::size_t closeness(const MediaType& range) {
  if (range.type == "*") {
    return 0;
  }
  return range.subtype == "*" ? 1 : 2 + range.parameters.size();
}

// The weight that an Accept field gives a type: that of the most precise range. A type offered as a
// range ("image/*") can become any type in it.
int weight_of(const std::vector<WeightedRange>& ranges, const MediaType& offered) {
  int weight = 0;
  std::size_t best = 0;
  for (const WeightedRange& candidate : ranges) {
    const bool fits = includes(candidate.range, offered) ||
                      (offered.subtype == "*" && includes(offered, candidate.range));
    if (fits && closeness(candidate.range) + 1 > best) {
      best = closeness(candidate.range) + 1;
      weight = candidate.weight;
    }
  }
  return weight;
}

}  // namespace

std::optional<std::string_view> MediaType::parameter(std::string_view name) const {
  for (const auto& [key, value] : parameters) {
    if (key == name) {
      return value;
    }
  }
  return std::nullopt;
}

bool MediaType::is_json() const {
  return (type == "application" && subtype == "json") ||
         (subtype.size() > 5 && subtype.ends_with("+json"));
}

std::optional<MediaType> parse_media_type(std::string_view text) {
  FieldReader reader(text);
  reader.blanks();
  MediaType result{.type = text::to_lower(reader.token()), .subtype = {}, .parameters = {}};
  if (result.type.empty() || !reader.take('/')) {
    return std::nullopt;
  }
  result.subtype = text::to_lower(reader.token());
  if (result.subtype.empty() || (result.type == "*" && result.subtype != "*")) {
    return std::nullopt;
  }
  reader.blanks();
  while (reader.take(';')) {
    reader.blanks();
    if (reader.at_end() || reader.is_at(';')) {  // an empty parameter is allowed
      continue;
    }
    auto parameter = read_parameter(reader);
    if (!parameter || result.parameter(parameter->first)) {
      return std::nullopt;
    }
    result.parameters.push_back(std::move(*parameter));
    reader.blanks();
  }
  return reader.at_end() ? std::optional(std::move(result)) : std::nullopt;
}

bool includes(const MediaType& range, const MediaType& media_type) {
  if (range.type != "*" && range.type != media_type.type) {
    return false;
  }
  if (range.subtype != "*" && range.subtype != media_type.subtype) {
    return false;
  }
  return std::all_of(
      range.parameters.begin(), range.parameters.end(), [&media_type](const auto& wanted) {
        const auto value = media_type.parameter(wanted.first);
        const bool says_nothing =
            wanted.first == "q" || (wanted.first == "charset" && media_type.is_json());
        return says_nothing || (value && same_value(wanted.first, *value, wanted.second));
      });
}

std::vector<std::string_view> unsound_ranges(std::string_view accept) {
  std::vector<std::string_view> unsound;
  for (const std::string_view element : split_list(accept)) {
    const auto range = read_range(element);
    if (!trimmed(element).empty() && !(range && range->is_sound)) {
      unsound.push_back(trimmed(element));
    }
  }
  return unsound;
}

std::vector<MediaType> named_types(std::optional<std::string_view> accept) {
  std::vector<MediaType> named;
  for (WeightedRange& each : read_ranges(accept)) {
    if (each.weight > 0 && each.range.subtype != "*") {
      named.push_back(std::move(each.range));
    }
  }
  return named;
}

std::optional<std::size_t> negotiate(std::optional<std::string_view> accept,
                                     const std::vector<MediaType>& offered) {
  const std::vector<WeightedRange> ranges = read_ranges(accept);
  if (ranges.empty()) {
    return offered.empty() ? std::nullopt : std::optional<std::size_t>(0);
  }
  std::optional<std::size_t> best;
  int best_weight = 0;
  for (std::size_t i = 0; i < offered.size(); ++i) {
    const int weight = weight_of(ranges, offered[i]);
    if (weight > best_weight) {
      best = i;
      best_weight = weight;
    }
  }
  return best;
}

}  // namespace spec::http
