#include "mock_server/reply/entity.hpp"

#include "spec/http/bytes.hpp"
#include "spec/http/message.hpp"
#include "spec/text/ascii.hpp"
#include "spec/text/random.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdio>
#include <limits>

namespace mock_server::reply {
namespace {

// Digits only; what does not fit becomes the largest number, which is beyond any file.
std::optional<std::size_t> parse_position(std::string_view text) {
  if (text.empty() || text.find_first_not_of("0123456789") != std::string_view::npos) {
    return std::nullopt;
  }
  std::size_t value = 0;
  const auto result = std::from_chars(text.data(), text.data() + text.size(), value);
  return result.ec == std::errc{} ? value : std::numeric_limits<std::size_t>::max();
}

}  // namespace

std::string make_entity_tag(std::string_view bytes) {
  // The hash, with the length behind it; hexadecimal digits alone, which schemas ask for.
  std::array<char, 64> text{};
  const int size =
      std::snprintf(text.data(), text.size(), "\"%016llx%zx\"",
                    static_cast<unsigned long long>(spec::text::text_hash(bytes)), bytes.size());
  return {text.data(), static_cast<std::size_t>(size)};
}

bool matches_any_tag(std::string_view tags, std::string_view tag, TagComparison comparison) {
  std::string_view rest = spec::http::trimmed(tags);
  if (rest == "*") {
    return true;
  }
  while (!rest.empty()) {
    if (rest.starts_with(',')) {  // elements may be empty: RFC 9110 §5.6.1.2
      rest = spec::http::trimmed(rest.substr(1));
      continue;
    }
    const bool is_weak = rest.starts_with("W/");
    rest.remove_prefix(is_weak ? 2 : 0);
    const std::size_t end = rest.starts_with('"') ? rest.find('"', 1) : std::string_view::npos;
    if (end == std::string_view::npos) {
      return false;
    }
    const bool can_match = !is_weak || comparison == TagComparison::kWeak;
    if (can_match && rest.substr(0, end + 1) == tag) {
      return true;
    }
    rest = spec::http::trimmed(rest.substr(end + 1));
  }
  return false;
}

RangeChoice choose_range(std::string_view range, std::size_t size) {
  using Kind = RangeChoice::Kind;
  const std::size_t equals = range.find('=');
  if (equals == std::string_view::npos ||
      !spec::text::equals_ignoring_case(spec::http::trimmed(range.substr(0, equals)), "bytes")) {
    return {};
  }
  const std::string_view spec = spec::http::trimmed(range.substr(equals + 1));
  const std::size_t dash = spec.find('-');
  if (dash == std::string_view::npos || spec.find(',') != std::string_view::npos) {
    return {};
  }
  const auto first = parse_position(spec.substr(0, dash));
  const auto last = parse_position(spec.substr(dash + 1));
  if (dash == 0) {  // the last N bytes
    if (!last) {
      return {};
    }
    if (*last == 0 || size == 0) {
      return {Kind::kUnsatisfiable, {}};
    }
    return {Kind::kPart, {size - std::min(*last, size), size - 1}};
  }
  const bool open = dash + 1 == spec.size();
  if (!first || (!last && !open) || (last && *last < *first)) {
    return {};
  }
  if (*first >= size) {
    return {Kind::kUnsatisfiable, {}};
  }
  return {Kind::kPart, {*first, open ? size - 1 : std::min(*last, size - 1)}};
}

std::string content_range(int status, std::size_t size) {
  constexpr int kPartial = 206;
  constexpr int kNotSatisfiable = 416;
  const std::string all = '/' + std::to_string(size);
  return status == kNotSatisfiable         ? "bytes *" + all
         : status == kPartial && size != 0 ? "bytes 0-" + std::to_string(size - 1) + all
                                           : "";
}

}  // namespace mock_server::reply
