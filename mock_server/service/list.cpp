#include "mock_server/fixtures/record_view.hpp"
#include "mock_server/service/behaviours.hpp"
#include "mock_server/service/elements.hpp"
#include "mock_server/service/request_steps.hpp"
#include "spec/json/number.hpp"
#include "spec/json/value.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>

namespace mock_server::service {
namespace {

using fixtures::Filter;
using fixtures::Scope;
using nlohmann::json;

json page_of(json elements, const fixtures::Paging& paging, const Scope& scope) {
  const std::int64_t size =
      std::max<std::int64_t>(integer_or(paging.size, scope, paging.default_size), 0);
  const std::int64_t number = std::max<std::int64_t>(
      integer_or(paging.number, scope, paging.default_number) - paging.first, 0);
  const auto total = static_cast<std::int64_t>(elements.size());
  json page = json::array();
  if (size == 0 || number > total / size) {  // also keeps number * size from overflowing
    return page;
  }
  const std::int64_t end = std::min(total, (number + 1) * size);
  for (std::int64_t index = number * size; index < end; ++index) {
    page.push_back(std::move(elements[static_cast<std::size_t>(index)]));
  }
  return page;
}

json choose_elements(const fixtures::ListPlan& plan, const json& record, const Scope& scope) {
  const json* const all = fixtures::walk(&record, plan.elements);
  json chosen = json::array();
  for (const json& element : all != nullptr ? *all : json::array()) {
    json copy = element;
    if (keep(copy, plan.filters, scope)) {
      chosen.push_back(std::move(copy));
    }
  }
  if (plan.order_by) {
    sort_elements(chosen, *plan.order_by);
  }
  return plan.paging ? page_of(std::move(chosen), *plan.paging, scope) : chosen;
}

// All values that a page of an unchanged record depends on.
std::string page_name(const RequestContext& context, const FoundRecord& found, const Scope& scope) {
  std::string name = context.operation->id + '\n' + found.key;
  const auto add = [&](const fixtures::Place& place) {
    const json* const value = given_value(place, scope);
    name += '\n';
    if (value != nullptr) {
      spec::json::write_to(name, *value);
    }
  };
  for (const Filter& filter : context.binding->list.filters) {
    add(filter.given);
  }
  if (context.binding->list.paging) {
    for (const auto* const place :
         {&context.binding->list.paging->size, &context.binding->list.paging->number}) {
      if (*place) {
        add(**place);
      }
    }
  }
  return name;
}

spec::http::Response make_page(const RequestContext& context, const FoundRecord& found,
                               const Scope& scope) {
  json page = choose_elements(context.binding->list, *found.value, scope);
  return fixtures::operation_response(
      context.api.contract, *context.operation, fixtures::success_status(*context.operation),
      fixtures::wrap_elements(context.binding->list.into, std::move(page)));
}

}  // namespace

void cut_to_page(RequestContext& context, json& answer) {
  const fixtures::Binding* const binding = context.binding;
  if (binding == nullptr || !binding->list.paging || binding->list.of_collection) {
    return;
  }
  json* const elements = fixtures::walk(&answer, binding->list.into);
  if (elements == nullptr || !elements->is_array()) {
    return;
  }
  if (context.reading.query.is_null()) {  // what is ordered is answered before the request is read
    read_request(context);
  }
  *elements = page_of(std::move(*elements), *binding->list.paging, {context.reading, nullptr});
}

ChosenResponse list_elements(RequestContext& context, const FoundRecord& found) {
  const Scope scope{context.reading, found.value};
  context.chosen_by = describe(context, found);
  if (found.is_changed()) {
    return {make_page(context, found, scope), false};
  }
  const std::string name = page_name(context, found, scope);
  if (const auto kept = context.cache.find(name)) {
    return {kept->response, true};
  }
  ChosenResponse chosen{make_page(context, found, scope), true};
  if (context.validate(chosen.response)) {
    context.cache.put(name, std::make_shared<const fixtures::PreparedResponse>(
                                fixtures::PreparedResponse{chosen.response, context.chosen_by}));
  }
  return chosen;
}

}  // namespace mock_server::service
