#include "mock_server/service/responses/referred_records.hpp"

#include "mock_server/api/derived_members.hpp"
#include "mock_server/service/checks/authentication.hpp"
#include "mock_server/state/cells.hpp"
#include "spec/json/read.hpp"
#include "spec/schema/applicable.hpp"

#include <nlohmann/json.hpp>

#include <memory>
#include <string>
#include <utility>

namespace mock_server::service::responses {
namespace {

using nlohmann::json;

api::SharedValue stored_value(const RequestContext& context, const api::Collection& collection,
                              const std::string& key) {
  if (const auto cell = context.session->read(state::record_cell(collection.name(), key))) {
    auto value = spec::json::read(*cell.text);
    return value ? std::make_shared<const json>(std::move(*value)) : nullptr;
  }
  const auto index = collection.find(key);
  return index ? api::not_owned(collection.records()[*index].value) : nullptr;
}

api::SharedValue referred_record(const RequestContext& context, const std::string& member,
                                 const json& key) {
  for (const auto& [name, collection] : context.api.fixtures.collections()) {
    if (collection.is_single() || collection.is_scoped() ||
        !api::is_reference(member, collection)) {
      continue;
    }
    auto found = stored_value(context, collection, api::key_text(key));
    if (found != nullptr && checks::may_see(context, *found)) {
      return found;
    }
  }
  return nullptr;
}

}  // namespace

std::optional<spec::schema::SchemaId> first_object(const RequestContext& context,
                                                   const spec::schema::Schemas& schemas) {
  const auto& contract = context.api.contract;
  const auto& program = contract.schemas().program();
  for (const auto id : schemas) {
    for (const auto one : applicable(program, id, spec::schema::Reach::kPossible)) {
      const auto target = follow_references(program, one);
      if (!contract.summaries().summary_of(target).properties.empty()) {
        return target;
      }
    }
  }
  return std::nullopt;
}

std::vector<const api::Collection*> collections_showing(const RequestContext& context,
                                                        const spec::schema::Schemas& schemas) {
  std::vector<const api::Collection*> found;
  const auto object = first_object(context, schemas);
  for (const auto& [name, collection] : context.api.fixtures.collections()) {
    const bool is_usable =
        object && !collection.is_single() && !collection.is_scoped() && collection.id();
    if (is_usable &&
        object ==
            first_object(context, api::record_source(context.api.contract,
                                                     context.api.fixtures.bindings(), collection)
                                      .schemas)) {
      found.push_back(&collection);
    }
  }
  return found;
}

api::SharedValue record_in(const RequestContext& context,
                           const std::vector<const api::Collection*>& collections,
                           const json& key) {
  for (const auto* const collection : collections) {
    auto found = stored_value(context, *collection, api::key_text(key));
    if (found != nullptr && checks::may_see(context, *found)) {
      return found;
    }
  }
  return nullptr;
}

void add_repeated(const RequestContext& context, const RecordSource& source, json& record) {
  if (context.binding->collection->shows_examples_first()) {
    api::repeat_members(
        context.api.contract, source.schemas,
        [&](const std::string& member, const json& key) {
          return referred_record(context, member, key);
        },
        false, record);
  }
}

void add_up_sent(const RequestContext& context, const RecordSource& source, const json* sent,
                 json& record) {
  const auto& contract = context.api.contract;
  if (!context.binding->collection->shows_examples_first()) {
    return;
  }
  api::multiply_amounts(contract, source.schemas, sent, record);
  for (const auto& [name, inner] : contract.summaries().summary_of(source.schemas).properties) {
    const auto list = record.find(name);
    if (list != record.end() && list->is_array() &&
        api::has_amounts(contract, api::schemas_at(contract, inner, {"*"}))) {
      const json all = *list;
      api::add_up(
          contract, source.schemas, all,
          [&](const std::string& member) { return sent != nullptr && sent->contains(member); },
          record);
      return;
    }
  }
}

}  // namespace mock_server::service::responses
