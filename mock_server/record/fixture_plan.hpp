#pragma once

// Makes fixtures of recorded calls: records from operations that show records, a scenario for
// everything else and for what changed between equal requests. Pure functions.

#include "mock_server/api/loaded_api.hpp"
#include "mock_server/record/call_verdict.hpp"

#include <nlohmann/json.hpp>

#include <map>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace mock_server::record {

// The name of the scenario, and of its file without the ending.
inline constexpr std::string_view kScenario = "recorded";

struct Plan {
  std::map<std::string, std::map<std::string, nlohmann::json>> records;  // by collection and key
  std::vector<nlohmann::json> rules;                                     // of the scenario
  std::vector<std::string> notes;  // what is in the lines alone, and why
};

// `calls` in the order in which they were made. With `keep_violating`, responses that violate the
// contract become steps of the scenario, as they came; without it they are in the lines alone. They
// never become records: the mock starts with valid ones only.
//
// A record is what was shown of it last, before the first call of the recording that changed it: a
// mock that starts with it, and gets the same calls, changes it in the same way.
Plan make_plan(const api::LoadedApi& api, std::span<const ValidatedCall> calls,
               bool keep_violating);

// Replaced values of path parameters by operation and place ("/path/session_id"): which of several
// records a request is about.
class PathSecrets {
 public:
  void add(const ValidatedCall& call);
  // True if there is more than one.
  bool has_several(const ValidatedCall& call, const std::string& place) const;

 private:
  std::map<std::string, std::set<std::string>> values_;
};

// The conditions that the call's request satisfies, and requests with other declared parameters or
// members of the body do not. Redacted values are not compared, unless the path has several.
nlohmann::json conditions_of(const api::LoadedApi& api, const ValidatedCall& call,
                             const PathSecrets& secrets);

}  // namespace mock_server::record
