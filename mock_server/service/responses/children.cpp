#include "mock_server/service/responses/children.hpp"

#include "mock_server/api/derived_members.hpp"
#include "mock_server/api/record_view.hpp"
#include "mock_server/service/checks/authentication.hpp"
#include "mock_server/state/cells.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <optional>
#include <utility>

namespace mock_server::service::responses {
namespace {

using nlohmann::json;
using spec::schema::Schemas;

const json* own_key(const api::Collection& collection, const json& record) {
  const auto& id = collection.id();
  return id && !id->empty() ? api::walk(&record, *id) : nullptr;
}

// The start of the keys of the records below `record`; nothing if it shows no key.
std::optional<std::string> start_below(const api::Binding& binding, const json& record) {
  const json* const key = own_key(*binding.collection, record);
  if (!binding.collection->is_single() && key == nullptr) {
    return std::nullopt;
  }
  const std::string above = api::parents_of(binding.within, record);
  return binding.collection->is_single() ? above : above + api::parent_part(api::key_text(*key));
}

// The keys of the record's parents, the last of which is the one that the list is of.
std::string parents_of_child(const api::Binding& binding, const ListedRecord& child) {
  if (!binding.collection->is_scoped()) {
    return api::parents_of(binding.within, *child.value);
  }
  const std::string own = api::split_key(child.key, binding.within.size()).own;
  return child.key.substr(0, child.key.size() - own.size());
}

Schemas schemas_of_shown(const RequestContext& context) {
  const api::Binding& binding = *context.binding;
  if (binding.shows() == api::Shows::kRecords) {
    return binding.list.shown;
  }
  const auto schema = api::response_schema(context.api.contract, *context.operation,
                                           context.operation->success_status());
  return schema ? api::schemas_at(context.api.contract, {schema->id}, binding.into) : Schemas{};
}

// The child as an element of the list, which may be one of keys.
json as_element(const RequestContext& context, const api::Binding& binding, const Schemas& elements,
                const json& child) {
  const json* const key = own_key(*binding.collection, child);
  const bool is_key = key != nullptr && !elements.empty() &&
                      context.api.contract.summaries().summary_of(elements).is_scalar();
  return is_key ? *key : api::shown_record(binding, child);
}

// True if a request can give the member of a record.
bool is_sent(const RequestContext& context, const std::string& member) {
  const auto& contract = context.api.contract;
  return std::ranges::any_of(context.binding->collection->sent(), [&](const Schemas& record) {
    const Schemas sent = api::schemas_at(contract, record, {member});
    return !sent.empty() && !contract.summaries().summary_of(sent).read_only;
  });
}

}  // namespace

Children::Children(const RequestContext& context) : context_(context) {
  for (const auto& nested : context.binding->collection->nested()) {
    if (shown_.empty()) {
      shown_ = schemas_of_shown(context);
    }
    add_group(nested);
  }
}

void Children::add_group(const api::NestedCollection& nested) {
  const auto& contract = context_.api.contract;
  Group group{.binding = nested.binding, .list = api::nested_list(contract, shown_, nested)};
  group.is_shown = !group.list.empty();
  group.record = group.is_shown ? shown_ : record_source(context_).schemas;
  if (!group.is_shown) {
    group.list = api::nested_list(contract, group.record, nested);
  }
  group.schemas =
      group.list.empty() ? Schemas{} : api::schemas_at(contract, group.record, group.list);
  group.counts = api::nested_counts(contract, shown_, nested);
  if (group.list.empty() && group.counts.empty()) {
    return;
  }
  for (ListedRecord& child : numbered_records(context_, *nested.binding->collection)) {
    if (checks::may_see(context_, *child.value)) {
      group.by_parents[parents_of_child(*nested.binding, child)].push_back(std::move(child));
    }
  }
  groups_.push_back(std::move(group));
}

json Children::own_elements(const Group& group, const std::string& parents,
                            const std::vector<ListedRecord>& children, const json& list) const {
  const api::Collection& collection = *group.binding->collection;
  const auto is_copy = [&](const json& element) {
    const json* const id = element.is_object() ? own_key(collection, element) : &element;
    if (id == nullptr || id->is_structured()) {
      return false;
    }
    const std::string key = (collection.is_scoped() ? parents : "") + api::key_text(*id);
    const auto cell = context_.session->read(state::record_cell(collection.name(), key));
    return (cell && cell.text->empty()) ||
           std::ranges::find(children, key, &ListedRecord::key) != children.end();
  };
  json own = json::array();
  for (const json& element : list) {
    if (!is_copy(element)) {
      own.push_back(element);
    }
  }
  return own;
}

void Children::show_group(const Group& group, const std::string& parents, json& record) const {
  static const std::vector<ListedRecord> kNone;
  const auto& contract = context_.api.contract;
  const auto found = group.by_parents.find(parents);
  const auto& children = found != group.by_parents.end() ? found->second : kNone;
  json* const list = group.list.empty() ? nullptr : api::walk(&record, group.list);
  json all = list != nullptr && list->is_array() ? own_elements(group, parents, children, *list)
                                                 : json(json::array());
  const Schemas elements =
      group.list.empty() ? Schemas{} : api::schemas_at(contract, group.schemas, {"*"});
  for (const ListedRecord& child : children) {
    all.push_back(as_element(context_, *group.binding, elements, *child.value));
  }
  const json count = all.size();
  for (const std::string& name : group.counts) {
    if (api::may_have(contract, api::schemas_at(contract, shown_, {name}), count)) {
      record[name] = count;
    }
  }
  if (api::has_amounts(contract, elements)) {
    api::add_up(
        contract, group.record, all,
        [&](const std::string& member) { return is_sent(context_, member); }, record);
  }
  if ((list != nullptr || group.is_shown) &&
      (!all.empty() || api::may_have(contract, group.schemas, all))) {
    api::set_at(record, group.list, std::move(all));
  }
}

void Children::show_in(json& record) const {
  const auto parents = record.is_object() ? start_below(*context_.binding, record) : std::nullopt;
  if (!parents) {
    return;
  }
  for (const Group& group : groups_) {
    show_group(group, *parents, record);
  }
}

void delete_children(const RequestContext& context, const api::Binding& binding,
                     const json& record) {
  const auto parents = record.is_object() ? start_below(binding, record) : std::nullopt;
  if (!parents) {
    return;
  }
  for (const auto& nested : binding.collection->nested()) {
    const std::string& name = nested.binding->collection->name();
    for (const ListedRecord& child : numbered_records(context, *nested.binding->collection)) {
      if (parents_of_child(*nested.binding, child) == *parents) {
        const std::string cell = state::record_cell(name, child.key);
        context.session->compare_and_set(cell, context.session->read(cell).version, "");
        delete_children(context, *nested.binding, *child.value);
      }
    }
  }
}

}  // namespace mock_server::service::responses
