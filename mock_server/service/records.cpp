#include "mock_server/service/records.hpp"

#include "mock_server/fixtures/merge_patch.hpp"
#include "mock_server/fixtures/record_view.hpp"
#include "mock_server/service/credentials.hpp"
#include "mock_server/state/cell_names.hpp"
#include "spec/json/read.hpp"
#include "spec/json/value.hpp"

namespace mock_server::service {
namespace {

std::string cell_name(const RequestContext& context, std::string_view key) {
  return state::record_cell(context.binding->collection->name(), key);
}

// The session's own version of the record: an empty text says that it was removed.
void apply_session(const RequestContext& context, FoundRecord& found) {
  if (context.session->is_untouched()) {
    return;
  }
  const state::Cell cell = context.session->read(cell_name(context, found.key));
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

FoundRecord find_record(const RequestContext& context) {
  FoundRecord found;
  if (context.binding->collection == nullptr || !context.binding->key) {
    return found;
  }
  const nlohmann::json* const key = fixtures::find(*context.binding->key, {context.reading});
  if (key == nullptr) {
    return found;
  }
  found.key = fixtures::plain_text(*key);
  if (const auto index = context.binding->collection->find(found.key)) {
    found.index = *index;
    found.fixture = &context.binding->collection->records()[*index];
    found.value = &found.fixture->value;
  }
  apply_session(context, found);
  if (found.value != nullptr && !may_see(context, *found.value)) {
    found.value = nullptr;
  }
  found.stored = found.value;
  if (found.value != nullptr && !context.scenario_changes.empty()) {
    found.scenario_changes =
        std::make_shared<const nlohmann::json>(with_scenario_changes(context, *found.value));
    found.value = found.scenario_changes.get();
  }
  return found;
}

std::vector<std::string> visible_keys(const RequestContext& context) {
  const fixtures::Collection& collection = *context.binding->collection;
  const bool is_untouched = context.session->is_untouched();
  std::vector<std::string> keys;
  const auto add = [&](const std::string& key, const nlohmann::json& value) {
    if (may_see(context, value)) {
      keys.push_back(key);
    }
  };
  for (const fixtures::Record& record : collection.records()) {
    if (is_untouched || !context.session->read(cell_name(context, record.key))) {
      add(record.key, record.value);
    }
  }
  if (!is_untouched) {
    const std::string start = state::record_cell(collection.name(), "");
    for (const auto& [name, cell] : context.session->cells()) {
      if (name.starts_with(start) && !cell.text->empty()) {
        if (const auto value = spec::json::read(*cell.text)) {
          add(name.substr(start.size()), *value);
        }
      }
    }
  }
  return keys;
}

nlohmann::json with_scenario_changes(const RequestContext& context, nlohmann::json record) {
  for (const nlohmann::json* const change : context.scenario_changes) {
    fixtures::merge_patch(record, *change);
  }
  return record;
}

state::Put keep_record(const RequestContext& context, const FoundRecord& found,
                       const nlohmann::json& value) {
  return context.session->compare_and_set(cell_name(context, found.key), found.version,
                                          spec::json::write(value));
}

std::string describe(const RequestContext& context, const FoundRecord& found) {
  return found.fixture == nullptr || found.version != 0
             ? "session's record " + context.binding->collection->name() + '/' + found.key
             : fixtures::describe(*context.binding->collection, *found.fixture);
}

}  // namespace mock_server::service
