#include "contract_tests/plan/derived.hpp"

#include "contract_tests/plan/request_plan.hpp"
#include "spec/text/ascii.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace contract_tests::plan {

namespace {

// Where the part behind the kind ("cus_") starts.
std::size_t own_part(std::string_view value) {
  const auto underscore = value.rfind('_');
  return underscore == std::string_view::npos || underscore + 1 == value.size() ? 0
                                                                                : underscore + 1;
}

std::string cut(std::string_view value) {
  return value.size() < 2 ? unknown_like(value) : std::string(value.substr(0, value.size() - 1));
}

std::string half(std::string_view value) {
  const auto start = own_part(value);
  const auto size = start + (value.size() - start) / 2;
  return size == 0 ? unknown_like(value) : std::string(value.substr(0, size));
}

std::string tail(std::string_view value) {
  const auto first = half(value);
  return first.size() >= value.size() ? unknown_like(value)
                                      : first + unknown_like(value.substr(first.size()));
}

std::string swapped(std::string_view value) {
  const auto text = other_case(value, own_part(value));
  return text == value ? unknown_like(value) : text;
}

std::string third(std::string_view value) {
  const auto size = value.size() / 3;
  return size == 0 ? unknown_like(value) : std::string(value.substr(0, size));
}

// The letters of the kind too.
std::string cased(std::string_view value) {
  const auto text = other_case(value);
  return text == value ? unknown_like(value) : text;
}

std::string basic(std::string_view value) {
  return basic_credentials(std::string(value));
}

std::string bare(std::string_view value) {
  std::string text(value);
  std::erase(text, '-');
  return text == value ? unknown_like(value) : text;
}

std::string itself(std::string_view value) {
  return std::string(value);
}

using Way = std::pair<std::string_view, std::string (*)(std::string_view)>;

constexpr std::array<Way, 10> kWays{{
    {"unknown.", &unknown_like},
    {"cut.", &cut},
    {"third.", &third},
    {"case.", &cased},
    {"half.", &half},
    {"tail.", &tail},
    {"swapped.", &swapped},
    {"bare.", &bare},
    {"basic.", &basic},
    {"number.", &itself},
}};

}  // namespace

std::string other_case(std::string_view value, std::size_t start) {
  std::string text(value);
  for (auto at = start; at < text.size(); ++at) {
    const char letter = text[at];
    if (spec::text::is_letter(letter)) {
      text[at] = static_cast<char>(letter ^ ' ');
    }
  }
  return text;
}

std::string unknown_like(std::string_view value) {
  std::string text(value);
  std::size_t step = 1;
  for (auto at = own_part(value); at < text.size(); ++at, ++step) {
    const bool digit = spec::text::is_digit(text[at]);
    const bool lower = text[at] >= 'a' && text[at] <= 'f';
    const bool upper = text[at] >= 'A' && text[at] <= 'F';
    if (digit) {
      text[at] =
          static_cast<char>('0' + (static_cast<std::size_t>(text[at] - '0') + step % 9 + 1) % 10);
    } else if (lower || upper) {
      const char first = lower ? 'a' : 'A';
      text[at] = static_cast<char>(first +
                                   (static_cast<std::size_t>(text[at] - first) + step % 5 + 1) % 6);
    }
  }
  if (text == value) {
    text += '0';
  }
  return text;
}

std::optional<Derived> find_derived(std::string_view name) {
  const auto* way = std::ranges::find_if(
      kWays, [name](const Way& known) { return name.starts_with(known.first); });
  if (way == kWays.end()) {
    return std::nullopt;
  }
  return Derived{name.substr(way->first.size()), way->second};
}

std::string_view subject_of(std::string_view name) {
  const auto derived = find_derived(name);
  return derived ? derived->subject : name;
}

}  // namespace contract_tests::plan
