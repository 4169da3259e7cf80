#pragma once

// What somebody looks for in the journal, and whether an exchange is it. Read from query parameters
// or from the `match` of a body, both validated by the control API's document before. Pure
// functions.

#include "mock_server/state/journal.hpp"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace mock_server::control::journal {

struct JournalQuery {
  struct Field {
    std::string name;
    std::optional<std::string> value;  // nothing: it must only be there
  };

  struct Member {
    std::string pointer;
    std::optional<nlohmann::json> value;  // nothing: it must only be there
    bool or_text = false;                 // the text of the value will do, too
  };

  std::optional<std::string> operation;  // an id; "" for requests that belong to none
  std::optional<std::string> method;
  std::optional<std::string> path;        // "*" stands for any text; with "?", the whole target
  std::optional<std::string> status;      // "404", "4XX"
  std::optional<std::string> chosen_by;   // a part of it
  std::optional<bool> violates_contract;  // the request has violations, or has none
  std::vector<Field> fields;              // of the request's head
  std::vector<Member> members;            // of the request's body
  std::uint64_t after = 0;                // only higher ids
  std::optional<state::TimePoint> since;
};

// Preconditions: the values keep the control API's document.
JournalQuery query_of_parameters(const nlohmann::json& query);
JournalQuery query_of_match(const nlohmann::json& match);

// How an exchange differs from what is looked for. It fits when `differences` is empty and nothing
// is undecided. What `after` and `since` say is not compared: see is_in_range().
struct Comparison {
  std::vector<std::string> differences;  // "status: must be 200 but is 404"
  bool is_undecided = false;             // its body was not kept whole

  bool fits() const { return differences.empty() && !is_undecided; }
};

Comparison compare(const JournalQuery& query, const state::Entry& entry);

// After `after`, since `since`, and no preflight, unless the query asks for OPTIONS: browsers send
// preflights by themselves, so they count only on demand.
bool is_in_range(const JournalQuery& query, const state::Entry& entry);

// A preflight of the path, after `after` and since `since`, that does not count.
bool is_ignored_preflight(const JournalQuery& query, const state::Entry& entry);

// The path of a target as the service saw it: without a session's prefix and the query, encoded.
std::string_view path_of_entry(std::string_view target);

// What comes before that path: "/_s/NAME", or nothing.
std::string_view prefix_of(std::string_view target);

}  // namespace mock_server::control::journal
