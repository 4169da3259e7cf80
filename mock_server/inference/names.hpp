#pragma once

// What names of parameters and members usually mean. A few lists of words, in one place.

#include <string>
#include <string_view>

namespace mock_server::inference {

// Lower case, letters and digits alone: "customerId" and "customer_id" are "customerid".
std::string plain_name(std::string_view name);

// "customer" for "customers", "category" for "categories", "box" for "boxes".
std::string singular(std::string_view plural);

// What a query parameter of a list is for, by its plain name.
enum class ListWord { kNone, kSize, kNumber, kOffset, kCursor, kSort, kDirection, kSearch };
ListWord list_word(const std::string& plain);

// What a member of a list's response says of it: "count", "pages", "page", "offset", "size",
// "more", "next"; "" for anything else.
std::string_view total_word(const std::string& plain);

// How likely it is that a member of that name holds the list or the record: 0 is best; a large
// number for no known name.
int list_rank(const std::string& plain);
int record_rank(const std::string& plain);
constexpr int kNoRank = 100;

// Names of the time of the creation or of the last change.
bool is_time_of_record(const std::string& plain);

}  // namespace mock_server::inference
