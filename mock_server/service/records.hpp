#pragma once

// Records as a session sees them: the fixtures', changed or removed by the session's cells.

#include "mock_server/service/call.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace mock_server::service {

struct FoundRecord {
  const nlohmann::json* value = nullptr;  // null when there is none, or it may not be seen
  std::string key;
  const fixtures::Record* fixture = nullptr;      // null for a record that only the session has
  std::size_t index = 0;                          // of `fixture` in the collection
  std::uint64_t version = 0;                      // of the session's cell; 0 when unchanged
  std::shared_ptr<const nlohmann::json> changed;  // holds the value when the session changed it
  const nlohmann::json* stored = nullptr;         // the value without what scenarios make of it
  std::shared_ptr<const nlohmann::json> scenario_changes;   // holds the value when scenarios changed it

  // Not as the fixtures have it, for this call.
  bool is_changed() const { return version != 0 || scenario_changes != nullptr; }
};

// The record that the binding's key names.
FoundRecord find_record(const Call& call);

// `record` with what scenarios make of it in this call.
nlohmann::json as_staged(const Call& call, nlohmann::json record);

// Keeps `value` as the record, if nobody changed it since `found`.
state::Put keep_record(const Call& call, const FoundRecord& found, const nlohmann::json& value);

// What the journal says of the record: its fixture's place, or that the session changed it.
std::string describe(const Call& call, const FoundRecord& found);

}  // namespace mock_server::service
