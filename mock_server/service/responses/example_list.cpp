#include "mock_server/api/record_view.hpp"
#include "mock_server/reply/json_response.hpp"
#include "mock_server/service/checks/service_error.hpp"
#include "mock_server/service/responses/behaviours.hpp"
#include "mock_server/service/responses/contract_examples.hpp"
#include "mock_server/service/responses/list.hpp"
#include "mock_server/service/responses/record_response.hpp"
#include "spec/json/read.hpp"

#include <memory>
#include <string>
#include <utility>

namespace mock_server::service::responses {

namespace {

using api::Filter;
using api::Scope;
using nlohmann::json;

bool is_required(const RequestContext& context, const Filter& filter) {
  const auto* const parameter =
      filter.given.root == api::Place::Root::kQuery && !filter.given.tokens.empty()
          ? context.operation->parameter(spec::contract::Location::kQuery,
                                         filter.given.tokens.front())
          : nullptr;
  return parameter != nullptr && parameter->required;
}

// What every request must ask for leaves some elements of an example: where none is equal, they
// become so, and other comparisons are not played.
void ask_of_example(RequestContext& context, const Filter& filter, const Scope& scope,
                    Elements& elements) {
  const bool becomes_equal = filter.is == api::Comparison::kEqual && filter.inside.empty();
  if (!becomes_equal) {
    context.warnings.push_back(reply::header_text(
        "not played: query/" + filter.given.tokens.front() + ", of which the example has none"));
    return;
  }
  const json& given = *given_value(filter.given, scope);
  for (api::SharedValue& element : elements) {
    json equal = *element;
    api::set_at(equal, filter.at, given.is_array() && !given.empty() ? given.front() : given);
    element = std::make_shared<const json>(std::move(equal));
  }
}

void filter_example(RequestContext& context, const Scope& scope, Elements& elements) {
  for (const Filter& filter : context.binding->list.filters) {
    Elements kept = elements;
    filter_elements(kept, {filter}, scope);
    const bool is_search = filter.is == api::Comparison::kContains;
    if (kept.empty() && !elements.empty() && !is_search && is_required(context, filter)) {
      ask_of_example(context, filter, scope, elements);
    } else {
      elements = std::move(kept);
    }
  }
}

}  // namespace

ChosenResponse list_of_example(RequestContext& context) {
  ChosenResponse whole = example_response(context);
  const api::ListPlan& plan = context.binding->list;
  auto body = spec::json::read(whole.response.body);
  json* const listed = body && !is_rejection(whole) ? api::walk(&*body, plan.into) : nullptr;
  if (listed == nullptr || !listed->is_array() || context.examples_as_written) {
    return whole;
  }
  warn_of_unplayed(context);
  const Scope scope{context.reading};
  const json all = std::move(*listed);
  Elements elements = elements_of(all);
  filter_example(context, scope, elements);
  order_records(context, scope, elements);
  const Page page = choose_page(context, elements, scope);
  *listed = page_of(elements, page);
  ShownBody shown{.status = whole.response.status, .body = std::move(*body)};
  add_totals(context, elements, page, shown);
  if (auto chosen = show_body(context, std::move(shown))) {
    const auto type = whole.response.headers.find("Content-Type");
    chosen->response.headers.set("Content-Type", std::string(type.value_or("application/json")));
    return std::move(*chosen);
  }
  context.warnings.push_back(reply::header_text(
      "not played: filters, order and pages, because the list would violate the contract (" +
      checks::in_short(context.response_violations.front()) + ')'));
  context.response_violations.clear();
  return whole;
}

}  // namespace mock_server::service::responses
