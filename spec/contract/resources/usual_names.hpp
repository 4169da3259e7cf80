#pragma once

// What names of parameters and members usually mean. A few lists of words, in one place.

#include <span>
#include <string>
#include <string_view>

namespace spec::contract::resources {

// What a query parameter of a list is for, by its plain name.
enum class ListWord { kNone, kSize, kNumber, kOffset, kCursor, kSort, kDirection, kSearch };
ListWord list_word(const std::string& plain);

// How the last segment of a path says that it lists some of the records: "findByStatus", "search".
bool is_word_for_some(const std::string& plain);

// What a word of comparison is in operations.yaml: in brackets, "created[gte]", and at the start or
// end of a name, "created_after"; "" where it is none.
struct ComparisonWord {
  std::string_view word;
  std::string_view in_brackets;
  std::string_view in_name;
};

std::span<const ComparisonWord> comparison_words();

// An object of filters by its members, "filter[name]".
bool is_word_for_filters(const std::string& plain);

// An object that holds what names a record, or what says most of it: "metadata", "attributes".
bool is_word_for_head(const std::string& plain);
bool is_word_for_members(const std::string& plain);

// What a member of a list's response says of it: "count", "pages", "page", "offset", "size",
// "more", "next", "shown", "is_first", "is_last", "is_empty", "next_url", "previous_url"; "" for
// anything else.
std::string_view total_word(const std::string& plain);

// How likely it is that a member of that name holds the list or the record: 0 is best; a large
// number for no known name.
int list_rank(const std::string& plain);
int record_rank(const std::string& plain);
constexpr int kNoRank = 100;

// Names of the time of the creation or of the last change, and of the last change alone.
bool is_time_of_record(const std::string& plain);
bool is_time_of_change(const std::string& plain);

}  // namespace spec::contract::resources
