#include "spec/text/names.hpp"

#include "spec/text/ascii.hpp"
#include "spec/text/quote.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace spec::text {

namespace {

constexpr std::size_t kMaxEdits = 2;
constexpr std::size_t kLongName = 12;  // a plural more or less ("additionalProperty") is 3 edits
constexpr std::size_t kMaxNameBytes = 200;

}  // namespace

std::size_t edit_distance(std::string_view left, std::string_view right) {
  std::vector<std::size_t> before_last(right.size() + 1);
  std::vector<std::size_t> last(right.size() + 1);
  std::vector<std::size_t> row(right.size() + 1);
  for (std::size_t j = 0; j <= right.size(); ++j) {
    last[j] = j;
  }
  for (std::size_t i = 1; i <= left.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= right.size(); ++j) {
      const std::size_t replaced = last[j - 1] + (left[i - 1] == right[j - 1] ? 0 : 1);
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, replaced});
      const bool swapped =
          i > 1 && j > 1 && left[i - 1] == right[j - 2] && left[i - 2] == right[j - 1];
      if (swapped) {
        row[j] = std::min(row[j], before_last[j - 2] + 1);
      }
    }
    std::swap(before_last, last);
    std::swap(last, row);
  }
  return last[right.size()];
}

std::string letters_of(std::string_view name) {
  std::string letters = to_lower(name);
  std::erase_if(letters, [](char letter) {
    return letter == '_' || letter == '-' || letter == ' ' || letter == '.';
  });
  return letters;
}

std::optional<std::string_view> nearest(std::string_view name,
                                        std::span<const std::string_view> names,
                                        std::size_t max_edits) {
  const std::string letters = letters_of(name);
  const auto same = std::ranges::find_if(
      names, [&letters](std::string_view one) { return letters_of(one) == letters; });
  if (same != names.end() && !letters.empty()) {
    return *same;
  }
  const std::size_t edits_of_length = name.size() < kLongName ? kMaxEdits : kMaxEdits + 1;
  const std::size_t limit =
      std::min({edits_of_length, max_edits, std::max<std::size_t>(name.size() / 3, 1)});
  std::optional<std::string_view> best;
  std::size_t best_edits = limit + 1;
  for (const std::string_view candidate : names) {
    const std::size_t gap =
        std::max(name.size(), candidate.size()) - std::min(name.size(), candidate.size());
    if (gap >= best_edits || candidate.size() > kMaxNameBytes) {
      continue;
    }
    if (const std::size_t edits = edit_distance(name, candidate); edits < best_edits) {
      best = candidate;
      best_edits = edits;
    }
  }
  return best;
}

namespace {

// The only one of `names` that begins with `name`, if that is long enough to mean something.
std::optional<std::string_view> completed(std::string_view name,
                                          std::span<const std::string_view> names) {
  constexpr std::size_t kMinBeginning = 5;
  const auto begins = [name](std::string_view one) { return one.starts_with(name); };
  const auto found = std::ranges::find_if(names, begins);
  const bool is_only = name.size() >= kMinBeginning && std::ranges::count_if(names, begins) == 1;
  return is_only ? std::optional(*found) : std::nullopt;
}

}  // namespace

std::string did_you_mean(std::string_view name, std::span<const std::string_view> names) {
  auto meant = name.empty() ? std::nullopt : nearest(name, names);
  meant = meant ? meant : completed(name, names);
  return meant ? "; did you mean " + in_quotes(*meant, kMaxNameBytes) + '?' : "";
}

std::string suggest_known(std::string_view name, const std::vector<std::string_view>& known) {
  const std::string meant = did_you_mean(name, known);
  return meant + (meant.empty() ? "; known: " : " Known: ") + names_listed(known);
}

std::string unknown_flag(std::string_view given, const std::vector<std::string_view>& known) {
  const auto meant = nearest(given, known);
  return "there is no flag " + shortened(given) +
         (meant ? "; did you mean " + std::string(*meant) + '?' : std::string());
}

std::string plain_name(std::string_view name) {
  std::string plain;
  for (const char c : name) {
    if (is_letter_or_digit(c)) {
      plain += to_lower(c);
    }
  }
  return plain;
}

std::string singular(std::string_view plural) {
  const std::string word(plural);
  if (word.size() > 4 && word.ends_with("ies")) {
    return word.substr(0, word.size() - 3) + 'y';
  }
  for (const std::string_view ending : {"sses", "xes", "ches", "shes"}) {
    if (word.ends_with(ending) && !word.ends_with("caches")) {
      return word.substr(0, word.size() - 2);
    }
  }
  return word.size() > 1 && word.ends_with('s') && !word.ends_with("ss")
             ? word.substr(0, word.size() - 1)
             : word;
}

}  // namespace spec::text
