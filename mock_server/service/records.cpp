#include "mock_server/service/records.hpp"

#include "mock_server/fixtures/merge_patch.hpp"
#include "mock_server/fixtures/record_view.hpp"
#include "mock_server/service/credentials.hpp"
#include "mock_server/state/cell_names.hpp"
#include "spec/json/read.hpp"
#include "spec/json/value.hpp"

namespace mock_server::service {
namespace {

std::string cell_name(const Call& call, std::string_view key) {
  return state::record_cell(call.binding->collection->name(), key);
}

// The session's own version of the record: an empty text says that it was removed.
void apply_session(const Call& call, FoundRecord& found) {
  if (call.session->is_untouched()) {
    return;
  }
  const state::Cell cell = call.session->read(cell_name(call, found.key));
  if (!cell) {
    return;
  }
  found.version = cell.version;
  found.value = nullptr;
  if (!cell.text->empty()) {
    auto value = spec::json::read(*cell.text);
    found.changed = std::make_shared<const nlohmann::json>(std::move(value.value()));
    found.value = found.changed.get();
  }
}

}  // namespace

FoundRecord find_record(const Call& call) {
  FoundRecord found;
  if (call.binding->collection == nullptr || !call.binding->key) {
    return found;
  }
  const nlohmann::json* const key = fixtures::find(*call.binding->key, {call.reading});
  if (key == nullptr) {
    return found;
  }
  found.key = fixtures::plain_text(*key);
  if (const auto index = call.binding->collection->find(found.key)) {
    found.index = *index;
    found.fixture = &call.binding->collection->records()[*index];
    found.value = &found.fixture->value;
  }
  apply_session(call, found);
  if (found.value != nullptr && !may_see(call, *found.value)) {
    found.value = nullptr;
  }
  found.stored = found.value;
  if (found.value != nullptr && !call.scenario_changes.empty()) {
    found.scenario_changes = std::make_shared<const nlohmann::json>(as_staged(call, *found.value));
    found.value = found.scenario_changes.get();
  }
  return found;
}

nlohmann::json as_staged(const Call& call, nlohmann::json record) {
  for (const nlohmann::json* const change : call.scenario_changes) {
    fixtures::merge_patch(record, *change);
  }
  return record;
}

state::Put keep_record(const Call& call, const FoundRecord& found, const nlohmann::json& value) {
  return call.session->compare_and_set(cell_name(call, found.key), found.version,
                                       spec::json::write(value));
}

std::string describe(const Call& call, const FoundRecord& found) {
  return found.fixture == nullptr || found.version != 0
             ? "session's record " + call.binding->collection->name() + '/' + found.key
             : fixtures::describe(*call.binding->collection, *found.fixture);
}

}  // namespace mock_server::service
