// Lists, of a record's elements or of the records of a collection: filters, order, pages, and what
// the list says of itself.

#include "mock_server/service/responses/list.hpp"

#include "mock_server/api/record_view.hpp"
#include "mock_server/reply/json_response.hpp"
#include "mock_server/service/responses/behaviours.hpp"
#include "mock_server/service/responses/children.hpp"
#include "mock_server/service/responses/contract_examples.hpp"
#include "mock_server/service/responses/record_response.hpp"
#include "spec/contract/resources/list_order.hpp"
#include "spec/json/number.hpp"
#include "spec/json/pointer.hpp"
#include "spec/json/value.hpp"
#include "spec/text/ascii.hpp"
#include "spec/text/quote.hpp"

#include <algorithm>
#include <compare>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace mock_server::service::responses {

namespace {

using api::Comparison;
using api::Filter;
using api::Scope;
using api::SharedValue;
using nlohmann::json;

// A value to compare with others: its instant is read once.
struct Operand {
  explicit Operand(const json& of) : value(&of), instant(api::instant_of(&of)) {}

  const json* value;
  std::optional<spec::time::Instant> instant;
};

// The instant of one beside another: a number is one in seconds or milliseconds since 1970 where
// the other is a time, and a day begins where the other is a number.
std::optional<spec::time::Instant> instant_beside(const Operand& one, const Operand& other) {
  constexpr std::int64_t kMillisecondsFrom = 100'000'000'000;
  constexpr std::size_t kDaySize = 10;
  if (one.instant || one.value->is_structured() || other.value->is_structured()) {
    return one.instant;
  }
  const std::string text = api::plain_text(*one.value);
  if (spec::json::is_number_text(text)) {
    const auto number = spec::json::to_int64(spec::json::make_number(text));
    const bool is_time = number && (other.instant || other.value->is_string());
    const std::int64_t scale = is_time && *number >= kMillisecondsFrom ? 1000 : 1;
    return is_time ? std::optional(spec::time::Instant{.seconds = *number / scale, .fraction = {}})
                   : std::nullopt;
  }
  const bool may_be_day = text.size() == kDaySize && spec::json::is_number(*other.value);
  return may_be_day ? spec::time::parse_date_time(text + "T00:00:00Z") : std::nullopt;
}

// Also of a text that is written as one: a parameter may be declared so. Null for none.
json number_from(const json& value) {
  if (value.is_string() && spec::json::is_number_text(value.get<std::string>())) {
    return spec::json::make_number(value.get<std::string>());
  }
  return spec::json::is_number(value) ? value : json();
}

// Instants if both are, else strings, else numbers; unordered if they are of different types.
std::partial_ordering order_of(const Operand& left, const Operand& right) {
  const bool is_mixed = left.instant.has_value() != right.instant.has_value() ||
                        left.value->is_string() != right.value->is_string();
  const auto first = is_mixed ? instant_beside(left, right) : left.instant;
  const auto second = is_mixed ? instant_beside(right, left) : right.instant;
  if (first && second) {
    return *first <=> *second;
  }
  if (left.value->is_string() && right.value->is_string()) {
    return left.value->get_ref<const std::string&>() <=> right.value->get_ref<const std::string&>();
  }
  const json one = number_from(*left.value);
  const json other = number_from(*right.value);
  return one.is_null() || other.is_null() ? std::partial_ordering::unordered
                                          : spec::json::compare_numbers(one, other);
}

std::string lower_case(const json& value) {
  return spec::text::to_lower(api::plain_text(value));
}

// True if one is a text that is written as the other, a boolean or a number: "true" and true.
bool is_same_text(const json& left, const json& right) {
  const auto is_value = [](const json& one) {
    return one.is_boolean() || spec::json::is_number(one);
  };
  return ((left.is_string() && is_value(right)) || (is_value(left) && right.is_string())) &&
         api::plain_text(left) == api::plain_text(right);
}

bool satisfies(const json* value, Comparison is, const Operand& given) {
  if (value == nullptr) {
    return false;
  }
  if (given.value->is_array()) {  // any of them
    return std::ranges::any_of(*given.value,
                               [&](const json& one) { return satisfies(value, is, Operand(one)); });
  }
  if (is == Comparison::kContains) {
    return lower_case(*value).find(lower_case(*given.value)) != std::string::npos;
  }
  if (is == Comparison::kEqual && value->is_array()) {
    return std::ranges::any_of(*value, [&](const json& one) { return satisfies(&one, is, given); });
  }
  if (is == Comparison::kEqual && spec::json::equal(*value, *given.value)) {
    return true;
  }
  const std::partial_ordering order = order_of(Operand(*value), given);
  switch (is) {
    case Comparison::kEqual: return std::is_eq(order) || is_same_text(*value, *given.value);
    case Comparison::kAtOrAfter: return std::is_gteq(order);
    case Comparison::kAtOrBefore: return std::is_lteq(order);
    case Comparison::kAfter: return std::is_gt(order);
    case Comparison::kBefore: return std::is_lt(order);
    case Comparison::kContains: break;  // decided above
  }
  return false;
}

// The element with those of its inner elements that satisfy the filter; null if none does.
SharedValue keep_inside(SharedValue element, const Filter& filter, const Operand& given) {
  const json* const inner = api::walk(element.get(), filter.inside);
  if (inner == nullptr || !inner->is_array()) {
    return nullptr;
  }
  json kept = json::array();
  for (const json& candidate : *inner) {
    if (satisfies(api::walk(&candidate, filter.at), filter.is, given)) {
      kept.push_back(candidate);
    }
  }
  if (kept.empty() || kept.size() == inner->size()) {
    return kept.empty() ? nullptr : std::move(element);
  }
  json changed = *element;
  *api::walk(&changed, filter.inside) = std::move(kept);
  return std::make_shared<const json>(std::move(changed));
}

SharedValue keep_by(SharedValue element, const Filter& filter, const Operand& given) {
  if (!filter.inside.empty()) {
    return keep_inside(std::move(element), filter, given);
  }
  const json* const value = api::walk(element.get(), filter.at);
  return satisfies(value, filter.is, given) ? std::move(element) : nullptr;
}

bool means_all(const Filter& filter, const json& given) {
  return !filter.all.empty() && given.is_string() &&
         std::ranges::find(filter.all, given.get_ref<const std::string&>()) != filter.all.end();
}

// The order of keys by type, so that any two are ordered: instants, numbers, other strings, other
// values, and last elements without a key or with null.
enum class KeyKind : std::uint8_t { kInstant, kNumber, kString, kOther, kMissing };

struct Key {
  KeyKind kind = KeyKind::kMissing;
  std::optional<Operand> value;
};

Key key_of(const json* value) {
  if (value == nullptr || value->is_null()) {
    return {};
  }
  Key key{KeyKind::kOther, Operand(*value)};
  if (key.value->instant) {
    key.kind = KeyKind::kInstant;
  } else if (spec::json::is_number(*value)) {
    key.kind = KeyKind::kNumber;
  } else if (value->is_string()) {
    key.kind = KeyKind::kString;
  }
  return key;
}

}  // namespace

const json* given_value(const api::Place& place, const Scope& scope) {
  const json* const value = api::find(place, scope);
  return value != nullptr && !value->is_null() ? value : nullptr;
}

std::int64_t integer_or(const std::optional<api::Place>& place, const Scope& scope,
                        std::int64_t fallback) {
  const json* value = place ? given_value(*place, scope) : nullptr;
  json number;
  if (value != nullptr && value->is_string() &&
      spec::json::is_number_text(value->get_ref<const std::string&>())) {
    number = spec::json::make_number(value->get_ref<const std::string&>());  // "20"
    value = &number;
  }
  if (value == nullptr || !spec::json::is_integer(*value)) {
    return fallback;
  }
  using Limits = std::numeric_limits<std::int64_t>;
  const bool is_negative = std::is_lt(spec::json::compare_numbers(*value, json(0)));
  return spec::json::to_int64(*value).value_or(is_negative ? Limits::min() : Limits::max());
}

Elements elements_of(const json& array) {
  Elements elements;
  elements.reserve(array.size());
  for (const json& element : array) {
    elements.push_back(api::not_owned(element));
  }
  return elements;
}

void filter_elements(Elements& elements, const std::vector<Filter>& filters, const Scope& scope) {
  for (const Filter& filter : filters) {
    const json* const given = given_value(filter.given, scope);
    // An object's members, "created[gte]=5", have filters of their own.
    if (given == nullptr || given->is_object() || means_all(filter, *given)) {
      continue;
    }
    const Operand wanted(*given);
    for (SharedValue& element : elements) {
      element = keep_by(std::move(element), filter, wanted);
    }
    std::erase(elements, nullptr);
  }
}

void sort_elements(Elements& elements, const std::vector<std::string>& by, bool is_descending) {
  struct KeyedElement {
    Key key;
    SharedValue element;
  };

  std::vector<KeyedElement> keyed;
  keyed.reserve(elements.size());
  for (SharedValue& element : elements) {
    Key key = key_of(api::walk(element.get(), by));
    keyed.push_back({std::move(key), std::move(element)});
  }
  // A strict weak ordering: keys of one kind by their values, else by kind.
  std::ranges::stable_sort(keyed, [&](const KeyedElement& left, const KeyedElement& right) {
    if (left.key.kind != right.key.kind || left.key.kind == KeyKind::kMissing) {
      return left.key.kind < right.key.kind;
    }
    const std::partial_ordering order = order_of(*left.key.value, *right.key.value);
    return is_descending ? std::is_gt(order) : std::is_lt(order);
  });
  std::ranges::transform(keyed, elements.begin(),
                         [](KeyedElement& one) { return std::move(one.element); });
}

namespace {

using api::ListPlan;
using spec::contract::resources::ListOrder;

json choose_elements(const RequestContext& context, const json& record, const Scope& scope) {
  const ListPlan& plan = context.binding->list;
  const json* const all = api::walk(&record, plan.elements);
  Elements chosen = all != nullptr ? elements_of(*all) : Elements{};
  filter_elements(chosen, plan.filters, scope);
  if (plan.order_by) {
    sort_elements(chosen, *plan.order_by);
  }
  return page_of(chosen, choose_page(context, chosen, scope));
}

// All values that a page of an unchanged record depends on.
std::string page_name(const RequestContext& context, const FoundRecord& found, const Scope& scope) {
  std::string name = context.operation->id + '\n' + found.key;
  const auto add = [&](const api::Place& place) {
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
  json page = choose_elements(context, *found.value, scope);
  return api::operation_response(context.api.contract, *context.operation,
                                 context.operation->success_status(),
                                 api::wrap_elements(context.binding->list.into, std::move(page)));
}

// The member itself, of records whose schema does not name it. None if no element has it.
std::optional<ListOrder> unnamed_order(const Elements& elements, std::string_view word) {
  const bool has_sign = word.starts_with('-') || word.starts_with('+');
  const std::string member(word.substr(has_sign ? 1 : 0));
  const bool is_known = std::ranges::any_of(
      elements, [&](const auto& one) { return api::walk(one.get(), {member}) != nullptr; });
  return is_known ? std::optional(ListOrder{spec::json::pointer_of({member}), word.front() == '-'})
                  : std::nullopt;
}

// Several with commas, "name,desc,price", or elements of an array. A word that names no member is
// warned of.
std::vector<ListOrder> requested_orders(RequestContext& context, const Elements& elements,
                                        const json& given) {
  std::string text;
  for (const json& one : given.is_array() ? given : json::array({given})) {
    text += api::plain_text(one) + ',';
  }
  std::vector<ListOrder> orders;
  for (std::size_t end = text.find(','); end != std::string::npos; end = text.find(',')) {
    const std::string word = text.substr(0, end);
    text.erase(0, end + 1);
    const auto direction = spec::contract::resources::is_descending(word);
    auto order = spec::contract::resources::order_of(context.api.contract,
                                                     context.binding->list.shown, word);
    if (direction && !order && !orders.empty()) {
      orders.back().descending = direction;
      continue;
    }
    if (!order && !word.empty()) {
      order = unnamed_order(elements, word);
    }
    if (order) {
      orders.push_back(std::move(*order));
    } else if (!word.empty()) {
      context.warnings.push_back(reply::header_text("not played: the order " +
                                                    spec::text::in_quotes(word) +
                                                    ", which names no member of the records"));
    }
  }
  return orders;
}

}  // namespace

void order_records(RequestContext& context, const Scope& scope, Elements& elements) {
  const ListPlan& plan = context.binding->list;
  const json* const direction = plan.direction ? given_value(*plan.direction, scope) : nullptr;
  const bool is_turned =
      direction != nullptr &&
      spec::contract::resources::is_descending(api::plain_text(*direction)).value_or(false);
  const json* const given = plan.sort ? given_value(*plan.sort, scope) : nullptr;
  const auto orders =
      given != nullptr ? requested_orders(context, elements, *given) : std::vector<ListOrder>{};
  if (plan.order_by && orders.empty()) {
    return sort_elements(elements, *plan.order_by, is_turned);
  }
  if (orders.empty() && is_turned) {
    std::ranges::reverse(elements);
  }
  // The last key first, so that the first decides.
  for (auto order = orders.rbegin(); order != orders.rend(); ++order) {
    const auto at = spec::json::split_pointer(order->at);
    sort_elements(elements, at.value_or(std::vector<std::string>{}),
                  order->descending.value_or(is_turned));
  }
}

namespace {

Elements chosen_elements(RequestContext& context, const Scope& scope) {
  const api::Binding& binding = *context.binding;
  Elements elements;
  for (ListedRecord& record : visible_records(context)) {
    elements.push_back(
        context.scenario_changes.empty()
            ? std::move(record.value)
            : std::make_shared<const json>(with_scenario_changes(context, *record.value)));
  }
  if (const Children children(context); !children.is_empty()) {
    for (auto& element : elements) {
      json whole = *element;
      children.show_in(whole);
      element = std::make_shared<const json>(std::move(whole));
    }
  }
  if (!binding.names.empty()) {
    for (auto& element : elements) {
      element = std::make_shared<const json>(api::named_record(binding, *element));
    }
  }
  filter_elements(elements, binding.list.filters, scope);
  if (!binding.hide.empty()) {
    for (auto& element : elements) {
      element = std::make_shared<const json>(api::shown_record(binding, *element));
    }
  }
  order_records(context, scope, elements);
  return elements;
}

}  // namespace

void cut_to_page(RequestContext& context, json& body) {
  const api::Binding* const binding = context.binding;
  if (binding == nullptr || !binding->list.paging || binding->shows() != api::Shows::kElements) {
    return;
  }
  json* const elements = api::walk(&body, binding->list.into);
  if (elements == nullptr || !elements->is_array()) {
    return;
  }
  const Elements all = elements_of(*elements);
  *elements = page_of(all, choose_page(context, all, {context.reading}));
}

ChosenResponse list_elements(RequestContext& context, const FoundRecord& found) {
  const Scope scope{context.reading, found.value};
  context.chosen_by = describe(context, found);
  if (found.is_changed() || context.binding->requires_headers()) {
    return {make_page(context, found, scope), false};
  }
  const std::string name = page_name(context, found, scope);
  if (const auto kept = context.cache.find(name)) {
    return {kept->response, true};
  }
  ChosenResponse chosen{make_page(context, found, scope), true};
  if (context.validate(chosen.response)) {
    context.cache.put(name, std::make_shared<const api::PreparedResponse>(
                                api::PreparedResponse{chosen.response, context.chosen_by}));
  }
  return chosen;
}

ChosenResponse list_records(RequestContext& context) {
  const api::Collection& collection = *context.binding->collection;
  if (!is_in_use(context, collection)) {
    if (!collection.why_unseeded().empty()) {
      context.warnings.push_back(reply::header_text("example: " + collection.name() +
                                                    " has no records to start with, because " +
                                                    std::string(collection.why_unseeded())));
    }
    return list_of_example(context);
  }
  warn_of_unplayed(context);
  const Scope scope{context.reading};
  const Elements elements = chosen_elements(context, scope);
  const Page page = choose_page(context, elements, scope);
  const api::ListPlan& plan = context.binding->list;
  json shown_page = page_of(elements, page);
  if (!plan.element.empty()) {
    for (json& element : shown_page) {
      element = api::wrap_elements(plan.element, std::move(element));
    }
  }
  ShownBody shown{.status = context.operation->success_status(),
                  .body = api::wrap_elements(plan.into, std::move(shown_page))};
  add_totals(context, elements, page, shown);
  context.chosen_by = "records of " + collection.name();
  auto chosen = show_body(context, std::move(shown));
  return chosen ? std::move(*chosen)
                : not_shown(context, "the records cannot be shown as the contract demands");
}

}  // namespace mock_server::service::responses
