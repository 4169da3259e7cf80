#include "mock_server/api/record_access.hpp"

#include "mock_server/state/session_clock.hpp"
#include "spec/json/number.hpp"
#include "spec/json/read.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>

namespace mock_server::api {

using nlohmann::json;

json value_of(const Default& one, std::string_view key, state::TimePoint now) {
  switch (one.kind) {
    case Default::Kind::kKey: return key;
    case Default::Kind::kNow: return state::to_text(now);
    case Default::Kind::kCommon:
    case Default::Kind::kValue: break;
  }
  return one.value;
}

void add_defaults(const Collection& collection, std::string_view key, state::TimePoint now,
                  json& record) {
  if (!record.is_object()) {
    return;
  }
  for (const Default& one : collection.defaults()) {
    if (!record.contains(one.member)) {
      record[one.member] = value_of(one, key, now);
    }
  }
}

json steps_in(const state::Cell& cell) {
  auto read = spec::json::read(cell.view());
  json steps = read && read->is_array() ? std::move(*read) : json::array();
  const bool is_sound = std::ranges::all_of(steps, [](const json& step) {
    return step.is_array() && step.size() == 2 && spec::json::to_int64(step[0]) &&
           step[1].is_object();
  });
  return is_sound ? steps : json::array();
}

json advanced(const state::Session& session, const Collection& collection, std::string_view key,
              json value) {
  if (!collection.advances()) {
    return value;
  }
  const auto now = session.now().time_since_epoch().count();
  for (const json& step : steps_in(session.read(state::step_cell(collection.name(), key)))) {
    if (spec::json::to_int64(step[0]) <= now) {
      value.merge_patch(step[1]);
    }
  }
  return value;
}

}  // namespace mock_server::api
