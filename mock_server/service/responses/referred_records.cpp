#include "mock_server/service/responses/referred_records.hpp"

#include "mock_server/api/derived_members.hpp"
#include "mock_server/api/references.hpp"
#include "mock_server/service/checks/authentication.hpp"
#include "mock_server/state/cells.hpp"
#include "spec/json/read.hpp"
#include "spec/json/value.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <memory>
#include <optional>
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

api::SharedValue visible_value(const RequestContext& context, const api::Collection& collection,
                               const std::string& key) {
  auto found = stored_value(context, collection, key);
  return found != nullptr && checks::may_see(context, *found) ? found : nullptr;
}

}  // namespace

api::SharedValue record_in(const RequestContext& context,
                           const std::vector<const api::Collection*>& collections,
                           const json& key) {
  for (const auto* const collection : collections) {
    if (auto found = visible_value(context, *collection, api::key_text(key))) {
      return found;
    }
  }
  return nullptr;
}

void refer_record(const RequestContext& context, const RecordSource& source,
                  std::string_view seed_text, json& record) {
  if (record.is_object() && context.binding->collection->shows_examples_first()) {
    context.api.fixtures.references().refer(
        {context.binding->collection, seed_for(context, seed_text),
         [&](const api::Collection& collection, const std::string& key) {
           return visible_value(context, collection, key);
         }},
        source.schemas, record);
  }
}

void refer_body(const RequestContext& context, const spec::schema::Schemas& schemas,
                std::string& body) {
  auto value = spec::json::read(body);
  if (context.api.options.seed_records == 0 || !value || !value->is_structured()) {
    return;
  }
  const auto is_given = [&](const json& one) {
    return std::ranges::any_of(
        context.path_values, [&](const auto& given) { return given.second == api::key_text(one); });
  };
  context.api.fixtures.references().refer({.own = nullptr, .find = {}, .is_given = is_given},
                                          schemas, *value);
  body = spec::json::write(*value);
}

void add_repeated(const RequestContext& context, const RecordSource& source, json& record) {
  if (context.binding->collection->shows_examples_first()) {
    api::repeat_members(
        context.api.contract, source.schemas,
        [&](const std::string& member, const json& key) {
          const auto* const other = context.api.fixtures.references().named(member);
          return other != nullptr ? visible_value(context, *other, api::key_text(key)) : nullptr;
        },
        false, record);
  }
}

void add_up_sent(const RequestContext& context, const RecordSource& source, const json* sent,
                 json& record) {
  if (context.binding->collection->shows_examples_first()) {
    api::add_up_lines(context.api.contract, source.schemas, sent, record);
  }
}

}  // namespace mock_server::service::responses
