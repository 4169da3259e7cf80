#include "spec/contract/checking/undeclared.hpp"

#include "spec/contract/checking/body.hpp"
#include "spec/contract/checking/violations.hpp"
#include "spec/contract/state.hpp"
#include "spec/http/form.hpp"
#include "spec/text/quote.hpp"

#include <algorithm>
#include <set>

namespace spec::contract {

namespace {

// "filter[a]" of the deep object "filter"; "ids[0]" belongs to no parameter.
bool is_deep(const Parameter& parameter, std::string_view name) {
  return parameter.style == Style::kDeepObject && name.size() > parameter.name.size() &&
         name.starts_with(parameter.name) && name[parameter.name.size()] == '[';
}

// An object that is spread over the query: its properties, or any name if it is open.
bool is_spread(const Parameter& parameter, const Shape& shape, std::string_view name) {
  const bool spreads =
      parameter.style == Style::kForm && parameter.explode && shape.allows(schema::kObjectType);
  if (!spreads || !shape.is_typed) {
    return false;
  }
  return shape.allows_additional || shape.property(name) != nullptr;
}

bool is_taken(const Contract::State& state, const Operation& operation, std::string_view name) {
  return operation.has_api_key(Location::kQuery, name) ||
         std::ranges::any_of(operation.parameters, [&](const Parameter& parameter) {
           const Shape* shape = state.shapes.find(parameter.shape);
           return parameter.location == Location::kQuery &&
                  (parameter.name == name || is_deep(parameter, name) ||
                   (shape != nullptr && !parameter.content_type &&
                    is_spread(parameter, *shape, name)));
         });
}

}  // namespace

std::vector<std::string> undeclared_query(const Contract& contract, const Operation& operation,
                                          const http::Request& request) {
  std::vector<std::string> names;
  std::set<std::string> seen;
  for (http::FormPair& pair : http::split_form(http::query_of(request.target))) {
    if (!is_taken(contract.state(), operation, pair.name) && seen.insert(pair.name).second) {
      names.push_back(std::move(pair.name));
    }
  }
  return names;
}

Violation undeclared_query_violation(const Operation& operation, const std::string& name) {
  std::string declared;
  for (const Parameter& parameter : operation.parameters) {
    if (parameter.location == Location::kQuery) {
      text::append_to_list(declared, parameter.name);
    }
  }
  return {.operation = operation.name,
          .part = Part::kQuery,
          .instance = checking::pointer_to(name),
          .statement = operation.statement,
          .rule = "undeclared",
          .message = declared.empty()
                         ? text::ViolationMessage(
                               "must not be given: the operation has no query parameters")
                         : text::ViolationMessage(
                               "must be one of the operation's query parameters (" + declared + ')',
                               "is not")};
}

std::vector<schema::Misspelling> misspelt_body(const Contract& contract, const Operation& operation,
                                               const http::Request& request,
                                               const nlohmann::json& body) {
  const MediaTypeObject* content =
      operation.body ? checking::select_content(operation.body->contents, request.headers)
                     : nullptr;
  if (content == nullptr || !content->schema) {
    return {};
  }
  return misspelt_members(*contract.state().every_summary, *content->schema, body);
}

}  // namespace spec::contract
