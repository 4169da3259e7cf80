#pragma once

// The usual meanings of names of parameters and members. A few lists of words, in one place.

#include <span>
#include <string>
#include <string_view>

namespace spec::contract::resources {

// The purpose of a list's query parameter, by its plain name.
enum class ListWord {
  kNone,
  kSize,
  kNumber,
  kOffset,
  kCursor,
  kBefore,  // a cursor, the other way
  kSort,
  kDirection,
  kSearch
};
ListWord list_word(const std::string& plain);

// True for a last segment of a path that means "some of the records": "findByStatus", "search".
bool is_word_for_some(const std::string& plain);

// A word of comparison and its name in operations.yaml: in brackets, "created[gte]", and at the
// start or end of a name, "created_after"; "" if there is none.
struct ComparisonWord {
  std::string_view word;
  std::string_view in_brackets;
  std::string_view in_name;
};

std::span<const ComparisonWord> comparison_words();
const ComparisonWord* find_comparison_word(std::string_view plain);  // null if there is none

// True for a value that no list shows: "password", "client_secret", "card_cvc".
bool is_word_for_secret(const std::string& plain);

// An object of filters by its members, "filter[name]".
bool is_word_for_filters(const std::string& plain);

// True for an object that holds a record's names or most of its members: "metadata", "attributes".
bool is_word_for_head(const std::string& plain);
bool is_word_for_members(const std::string& plain);

// True for a member that says where something is: "location", "href".
bool is_word_for_address(const std::string& plain);

// The meaning of a member of a list's response: "count", "pages", "page", "offset", "size", "more",
// "next", "shown", "is_first", "is_last", "is_empty", "next_url", "previous_url", "first_id",
// "last_id"; "" for any other.
std::string_view total_word(const std::string& plain);

// True for a member with the cursor or the URL of the next page, whichever it is; of the one
// before.
bool leads_to_next(const std::string& plain);
bool leads_back(const std::string& plain);

// The likelihood that a member of that name holds the list or the record: 0 is best; a large number
// for an unknown name.
int list_rank(const std::string& plain);
int record_rank(const std::string& plain);
constexpr int kNoRank = 100;

// True for the time of the creation or of the last change; the second function only for the latter.
bool is_time_of_record(const std::string& plain);
bool is_time_of_change(const std::string& plain);

}  // namespace spec::contract::resources
