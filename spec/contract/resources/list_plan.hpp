#pragma once

// Reads filters, order, pages and totals of a list from its query parameters and its response: for
// the mock as an entry of operations.yaml, for the suite as what a service must do.

#include "spec/contract/resources/body_shapes.hpp"
#include "spec/contract/resources/usual_names.hpp"

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace spec::contract::resources {

// One value that a request can give: a parameter, or a member of one that is an object.
struct QueryValue {
  std::vector<std::string> names;  // "created[gte]" is created, gte
  std::string name;                // as the query has it: "created[gte]"
  std::string place;               // "/query/created/gte"
  schema::Schemas schemas;
  const Parameter* parameter = nullptr;
};

struct ListFilter {
  QueryValue value;
  std::string at;                  // pointer in a record; "" is the whole record
  std::string is;                  // "equal", "at_or_after", "after", "contains" and so on
  std::string_view word;           // of comparison in its name: "gte", "min"; "" for none
  std::vector<std::string> all{};  // its values that mean every record
};

struct ListPlan {
  std::vector<std::string> into;                       // the list, from the body
  schema::Schemas record;                              // of its elements
  std::vector<std::pair<ListWord, QueryValue>> words;  // each once, but those of filters
  std::vector<ListFilter> filters;
  std::vector<std::pair<std::string, std::string>> totals;   // total_word() and pointer
  std::vector<std::pair<std::string, std::string>> headers;  // name and word; "links" of Link
  std::string next;      // pointer of what leads to the next page, a cursor or a URL; "" for none
  std::string previous;  // the same, of the page before

  const QueryValue* value_of(ListWord word) const;  // null if there is none
  std::string total(std::string_view word) const;   // its pointer; "" if there is none
};

// `list` is the place of the list in the operation's response.
ListPlan plan_list(const Contract& contract, const Operation& operation, const RecordPlace& list);

// The default of a size or number of pages; none if the contract has none.
std::optional<std::int64_t> default_of(const Contract& contract, const QueryValue& value);

// The place of the member of that plain name in a record, if it may be a scalar: "created" may be
// "created_at", too. "" if there is none.
std::string member_called(const Contract& contract, const schema::Schemas& record,
                          const std::string& plain);

// Adds "into", "filters", "sort", "paging" and so on to the entry of a list whose records are
// `list`.
void add_list_plan(const Contract& contract, const Operation& operation, const RecordPlace& list,
                   nlohmann::ordered_json& entry);

}  // namespace spec::contract::resources
