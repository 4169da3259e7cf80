#include "mock_server/api/record_access.hpp"

#include "mock_server/state/session_clock.hpp"

#include <nlohmann/json.hpp>

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

}  // namespace mock_server::api
