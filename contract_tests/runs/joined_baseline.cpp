#include "contract_tests/runs/joined_baseline.hpp"

#include "contract_tests/report/failure_text.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <string>

namespace contract_tests::runs {

using baseline::EntryState;
using baseline::Standing;
using nlohmann::json;
using report::text_of;

namespace {

EntryState state_from(const std::string& text) {
  for (std::size_t at = 0; at < baseline::kEntryStates; ++at) {
    const auto state = static_cast<EntryState>(static_cast<std::uint8_t>(at));
    if (to_text(state) == text) {
      return state;
    }
  }
  return EntryState::kNotSeen;
}

// The names of its cases are not in a run value: their number alone matters here.
Standing standing_of(const json& value) {
  Standing standing{.entry = {},
                    .state = state_from(text_of(value, "state")),
                    .days_left = value.at("days_left").get<long>(),
                    .proved = value.at("proved").get<std::size_t>()};
  auto& entry = standing.entry;
  entry.id = text_of(value, "id");
  entry.rule = text_of(value, "rule");
  entry.operation = text_of(value, "operation");
  entry.place = text_of(value, "place");
  entry.says = text_of(value, "says");
  entry.reason = text_of(value, "reason");
  entry.owner = text_of(value, "owner");
  entry.ticket = text_of(value, "ticket");
  entry.expires = baseline::date_from(text_of(value, "expires")).value_or(baseline::Date{});
  entry.cases.resize(value.at("cases").get<std::size_t>());
  return standing;
}

bool is_found(EntryState state) {
  return state == EntryState::kKnown || state == EntryState::kExpired;
}

void join(const Standing& other, Standing& into) {
  into.proved += other.proved;
  into.days_left = std::min(into.days_left, other.days_left);
  if (is_found(other.state) && into.state != EntryState::kExpired) {
    into.state = other.state;
  } else if (!is_found(into.state) && into.state != other.state) {
    into.state = EntryState::kNotSeen;
  }
}

// Different errors that no entry has.
std::size_t unknown_in(const std::vector<const json*>& runs) {
  std::set<std::string> found;
  for (const auto* run : runs) {
    for (const auto& item : run->at("cases")) {
      for (const auto& finding : item.at("findings")) {
        if (text_of(finding, "state") == "new") {
          found.insert(text_of(finding, "fingerprint"));
          const auto others = finding.value("fingerprints", std::vector<std::string>());
          found.insert(others.begin(), others.end());
        }
      }
    }
  }
  return found.size();
}

}  // namespace

std::optional<baseline::Result> joined_baseline(const std::vector<const json*>& runs) {
  std::optional<baseline::Result> result;
  std::map<std::string, std::size_t> indices;
  for (const auto* run : runs) {
    const auto found = run->find("baseline");
    if (found == run->end()) {
      continue;
    }
    if (!result) {
      result = baseline::Result{.file = text_of(*found, "file"), .entries = {}};
    }
    result->strict = result->strict || found->at("strict").get<bool>();
    for (const auto& value : found->at("entries")) {
      const auto standing = standing_of(value);
      const auto known = indices.try_emplace(standing.entry.id, result->entries.size());
      if (known.second) {
        result->entries.push_back(standing);
      } else {
        join(standing, result->entries[known.first->second]);
      }
    }
  }
  if (result) {
    result->unknown = unknown_in(runs);
    for (auto& standing : result->entries) {
      const bool all =
          !standing.entry.cases.empty() && standing.proved == standing.entry.cases.size();
      if (all && standing.state == EntryState::kNotSeen) {
        standing.state = EntryState::kFixed;
      }
    }
  }
  return result;
}

}  // namespace contract_tests::runs
