#pragma once

// The words of operations.yaml and what they mean: one table for the schema of the file's form and
// for what reads it. Behaviours, errors and faults have tables of their own.

#include "mock_server/api/binding.hpp"
#include "spec/document/document.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace mock_server::api::loading {

template <typename T, std::size_t N>
using Words = std::array<std::pair<std::string_view, T>, N>;

inline constexpr Words<bool, 2> kShows{{{"record", true}, {"example", false}}};

inline constexpr Words<OnNull, 3> kOnNull{
    {{"clear", OnNull::kClear}, {"keep", OnNull::kKeep}, {"remove", OnNull::kRemove}}};

inline constexpr Words<Comparison, 6> kComparisons{{{"equal", Comparison::kEqual},
                                                    {"at_or_after", Comparison::kAtOrAfter},
                                                    {"at_or_before", Comparison::kAtOrBefore},
                                                    {"after", Comparison::kAfter},
                                                    {"before", Comparison::kBefore},
                                                    {"contains", Comparison::kContains}}};

inline constexpr Words<Total, 18> kTotals{{{"count", Total::kCount},
                                           {"pages", Total::kPages},
                                           {"page", Total::kPage},
                                           {"offset", Total::kOffset},
                                           {"size", Total::kSize},
                                           {"more", Total::kMore},
                                           {"next", Total::kNext},
                                           {"shown", Total::kShown},
                                           {"is_first", Total::kIsFirst},
                                           {"is_last", Total::kIsLast},
                                           {"is_empty", Total::kIsEmpty},
                                           {"next_url", Total::kNextUrl},
                                           {"previous_url", Total::kPreviousUrl},
                                           {"first_url", Total::kFirstUrl},
                                           {"last_url", Total::kLastUrl},
                                           {"first_id", Total::kFirstKey},
                                           {"last_id", Total::kLastKey},
                                           {"links", Total::kLinks}}};

// Members of fixture files whose form was validated (file_forms.hpp). One of another type than the
// schema allows counts as absent: it was reported.

std::optional<std::string_view> text_at(const spec::document::Node& node, std::string_view key);
std::optional<bool> boolean_at(const spec::document::Node& node, std::string_view key);
std::optional<std::int64_t> integer_at(const spec::document::Node& node, std::string_view key);
double number_of(const spec::document::Node& node, double otherwise = 0);

// The strings of the array at `key`; none without it.
std::vector<std::string> texts_at(const spec::document::Node& node, std::string_view key);

// The tokens of a pointer into a record, an element or a response.
std::optional<std::vector<std::string>> pointer_at(const spec::document::Node& node,
                                                   std::string_view key);

// The meaning of the word at `key`.
template <typename T, std::size_t N>
std::optional<T> word_at(const spec::document::Node& node, std::string_view key,
                         const Words<T, N>& words) {
  const auto word = text_at(node, key);
  const auto found =
      word ? std::ranges::find(words, *word, &Words<T, N>::value_type::first) : words.end();
  return found == words.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace mock_server::api::loading
