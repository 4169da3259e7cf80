#pragma once

// The records of a collection as a session has them.

#include "mock_server/api/collection.hpp"
#include "mock_server/state/cells.hpp"
#include "mock_server/state/session_clock.hpp"
#include "mock_server/state/session_store.hpp"
#include "spec/json/read.hpp"

#include <nlohmann/json.hpp>
#include <nlohmann/json_fwd.hpp>

#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace mock_server::api {

// Values for members that a record put by the control API leaves out: the `defaults` of its
// collection in operations.yaml, and its key at `id`. Records in fixture files get no defaults.

// The value of the default for the record of that key.
nlohmann::json value_of(const Default& one, std::string_view key, state::TimePoint now);

// Adds the defaults of absent members. Members that are there stay, also null; a value that is not
// an object stays as it is.
void add_defaults(const Collection& collection, std::string_view key, state::TimePoint now,
                  nlohmann::json& record);

// Values of records that are passed on without a copy.

// Owns its value, or points to one of a fixture, which lives longer.
using SharedValue = std::shared_ptr<const nlohmann::json>;

// Owns nothing: `value` must live longer.
inline SharedValue not_owned(const nlohmann::json& value) {
  return {SharedValue(), &value};
}

// The steps in such a cell, [[MICROSECONDS, MERGE PATCH], ...]; none in any other text.
nlohmann::json steps_in(const state::Cell& cell);

// The session's record as the steps have made it that are due by its clock.
nlohmann::json advanced(const state::Session& session, const Collection& collection,
                        std::string_view key, nlohmann::json value);

// Calls `visit(key, value, is_changed)` with each, its value as SharedValue: the fixtures' in their
// order, then those that only the session has, by key.
template <typename Visit>
void each_record(const state::Session& session, const Collection& collection, Visit visit) {
  const std::string start = state::record_cell(collection.name(), "");
  auto own = session.cells(start);
  for (const Record& record : collection.records()) {
    const auto changed = own.empty() ? decltype(own)::node_type() : own.extract(start + record.key);
    if (!changed) {
      visit(record.key, not_owned(record.value), false);
    } else if (auto value = spec::json::read(*changed.mapped().text)) {  // "": it was removed
      visit(record.key,
            std::make_shared<const nlohmann::json>(
                advanced(session, collection, record.key, std::move(*value))),
            true);
    }
  }
  for (const auto& [name, cell] : own) {
    if (auto value = spec::json::read(*cell.text)) {
      const std::string key = name.substr(start.size());
      visit(key,
            std::make_shared<const nlohmann::json>(
                advanced(session, collection, key, std::move(*value))),
            true);
    }
  }
}

}  // namespace mock_server::api
