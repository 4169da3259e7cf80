#include "mock_server/fixtures/record_view.hpp"
#include "mock_server/service/behaviours.hpp"
#include "mock_server/service/request_steps.hpp"
#include "spec/json/number.hpp"
#include "spec/json/value.hpp"

#include <algorithm>
#include <compare>
#include <cstdint>
#include <string>
#include <utility>

namespace mock_server::service {
namespace {

using fixtures::Comparison;
using fixtures::Filter;
using fixtures::Scope;
using nlohmann::json;

// Instants if both are, else numbers, else strings; unordered if they are of different types.
std::partial_ordering order_of(const json& left, const json& right) {
  const auto left_instant = fixtures::instant_of(&left);
  const auto right_instant = fixtures::instant_of(&right);
  if (left_instant && right_instant) {
    return *left_instant <=> *right_instant;
  }
  if (left.is_string() && right.is_string()) {
    return left.get_ref<const std::string&>() <=> right.get_ref<const std::string&>();
  }
  using spec::json::Type;
  if (spec::json::type_of(left) == Type::kNumber && spec::json::type_of(right) == Type::kNumber) {
    return spec::json::compare_numbers(left, right);
  }
  return std::partial_ordering::unordered;
}

bool satisfies(const json* value, Comparison is, const json& given) {
  if (value == nullptr) {
    return false;
  }
  if (is == Comparison::kEqual) {
    return spec::json::equal(*value, given) || std::is_eq(order_of(*value, given));
  }
  const std::partial_ordering order = order_of(*value, given);
  return is == Comparison::kAtOrAfter ? std::is_gteq(order) : std::is_lteq(order);
}

// Removes the inner elements that do not satisfy the filter; false if none is left.
bool keep_inside(json& element, const Filter& filter, const json& given) {
  json* const inner = fixtures::walk(&element, filter.inside);
  if (inner == nullptr || !inner->is_array()) {
    return false;
  }
  json kept = json::array();
  for (json& candidate : *inner) {
    if (satisfies(fixtures::walk(&candidate, filter.at), filter.is, given)) {
      kept.push_back(std::move(candidate));
    }
  }
  *inner = std::move(kept);
  return !inner->empty();
}

bool keep(json& element, const Filter& filter, const json& given) {
  return filter.inside.empty() ? satisfies(fixtures::walk(&element, filter.at), filter.is, given)
                               : keep_inside(element, filter, given);
}

const json* given_value(const fixtures::Place& place, const Scope& scope) {
  const json* const value = fixtures::find(place, scope);
  return value != nullptr && !value->is_null() ? value : nullptr;
}

// The order of keys by type, so that any two are ordered: instants, numbers, other strings, other
// values, and last elements without a key or with null.
enum class KeyKind : std::uint8_t { kInstant, kNumber, kString, kOther, kMissing };

KeyKind kind_of(const json* key) {
  if (key == nullptr || key->is_null()) {
    return KeyKind::kMissing;
  }
  if (fixtures::instant_of(key)) {
    return KeyKind::kInstant;
  }
  if (spec::json::type_of(*key) == spec::json::Type::kNumber) {
    return KeyKind::kNumber;
  }
  return key->is_string() ? KeyKind::kString : KeyKind::kOther;
}

// A strict weak ordering: keys of one kind by their values, else by kind.
void sort_elements(json& elements, const std::vector<std::string>& by) {
  const auto before = [&](const json& left, const json& right) {
    const json* const left_key = fixtures::walk(&left, by);
    const json* const right_key = fixtures::walk(&right, by);
    const KeyKind left_kind = kind_of(left_key);
    const KeyKind right_kind = kind_of(right_key);
    if (left_kind != right_kind || left_kind == KeyKind::kMissing) {
      return left_kind < right_kind;
    }
    return std::is_lt(order_of(*left_key, *right_key));
  };
  std::stable_sort(elements.begin(), elements.end(), before);
}

std::int64_t integer_or(const std::optional<fixtures::Place>& place, const Scope& scope,
                        std::int64_t fallback) {
  const json* const value = place ? given_value(*place, scope) : nullptr;
  const auto number = value != nullptr && spec::json::type_of(*value) == spec::json::Type::kNumber
                          ? spec::json::to_int64(*value)
                          : std::nullopt;
  return number.value_or(fallback);
}

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
    const bool kept = std::ranges::all_of(plan.filters, [&](const Filter& filter) {
      const json* const given = given_value(filter.given, scope);
      return given == nullptr || keep(copy, filter, *given);
    });
    if (kept) {
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
  if (binding == nullptr || !binding->list.paging) {
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
