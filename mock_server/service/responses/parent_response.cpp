#include "mock_server/service/responses/parent_response.hpp"

#include "mock_server/api/nested_collection.hpp"
#include "mock_server/api/record_view.hpp"
#include "mock_server/api/references.hpp"
#include "mock_server/service/responses/children.hpp"
#include "mock_server/service/responses/record_response.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace mock_server::service::responses {
namespace {

using nlohmann::json;

// The binding that reads the parents of the record; null where the response is of the record
// itself.
const api::Binding* parent_binding(const RequestContext& context) {
  const api::Binding* const own = context.binding;
  const auto* const parents = own->within.empty() ? nullptr : own->within.back().in;
  const bool may_show = parents != nullptr && api::row_of(own->behaviour).changes &&
                        own->into.size() > 1 && own->into.back() == "0" &&
                        own->collection->shows_examples_first();
  const auto& bindings = context.api.fixtures.bindings();
  const auto found = std::ranges::find_if(bindings, [&](const api::Binding& one) {
    return may_show && one.collection == parents && one.behaviour == api::Behaviour::kRead;
  });
  return found == bindings.end() ? nullptr : &*found;
}

// The place of the parent's record in the response: before the list with the record itself. None if
// it is not there.
std::optional<std::vector<std::string>> place_of_parent(const RequestContext& context, int status,
                                                        const api::Collection& parents) {
  const auto& contract = context.api.contract;
  const auto schema = api::response_schema(contract, *context.operation, status);
  const auto source = api::record_source(contract, context.api.fixtures.bindings(), parents);
  const auto wanted = api::first_object(contract, source.schemas);
  const auto& into = context.binding->into;
  for (std::size_t size = 0; schema && size + 1 < into.size(); ++size) {
    std::vector<std::string> at(into.begin(), into.begin() + static_cast<std::ptrdiff_t>(size));
    const auto object = api::first_object(contract, api::schemas_at(contract, {schema->id}, at));
    if (object && object == wanted) {
      return at;
    }
  }
  return std::nullopt;
}

std::string key_of_parent(const RequestContext& context) {
  const auto& within = context.binding->within;
  std::string above;
  std::string own;
  for (const api::Within& one : within) {
    const json* const given = api::find(one.given, {context.reading});
    above += own.empty() ? "" : api::parent_part(own);
    own = given != nullptr ? api::key_text(*given) : std::string{};
  }
  return within.back().in->is_scoped() ? above + own : own;
}

}  // namespace

ChosenResponse with_parent(RequestContext& context, ChosenResponse chosen) {
  const api::Binding* const read = context.binding->collection == nullptr || is_rejection(chosen)
                                       ? nullptr
                                       : parent_binding(context);
  const int status = chosen.response.status;
  const auto at =
      read != nullptr ? place_of_parent(context, status, *read->collection) : std::nullopt;
  if (!at) {
    return chosen;
  }
  const std::string key = key_of_parent(context);
  const api::Binding* const own = std::exchange(context.binding, read);
  const FoundRecord parent = find_record(context, key);
  std::optional<ChosenResponse> shown;
  if (parent.value != nullptr) {
    json record = *parent.value;
    Children(context).show_in(record);
    shown = show_body(context, {status, api::wrap_elements(*at, api::shown_record(*read, record))});
  }
  context.binding = own;
  context.response_violations.clear();
  return shown ? std::move(*shown) : std::move(chosen);
}

}  // namespace mock_server::service::responses
