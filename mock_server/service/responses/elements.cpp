#include "mock_server/service/responses/elements.hpp"

#include "spec/json/number.hpp"
#include "spec/json/value.hpp"
#include "spec/text/ascii.hpp"

#include <algorithm>
#include <compare>
#include <limits>
#include <memory>
#include <string>
#include <utility>

namespace mock_server::service::responses {
namespace {

using fixtures::Comparison;
using fixtures::Filter;
using fixtures::Scope;
using fixtures::SharedValue;
using nlohmann::json;

// A value to compare with others: its instant is read once.
struct Operand {
  explicit Operand(const json& of) : value(&of), instant(fixtures::instant_of(&of)) {}

  const json* value;
  std::optional<spec::time::Instant> instant;
};

// Instants if both are, else numbers, else strings; unordered if they are of different types.
std::partial_ordering order_of(const Operand& left, const Operand& right) {
  if (left.instant && right.instant) {
    return *left.instant <=> *right.instant;
  }
  if (left.value->is_string() && right.value->is_string()) {
    return left.value->get_ref<const std::string&>() <=> right.value->get_ref<const std::string&>();
  }
  if (spec::json::is_number(*left.value) && spec::json::is_number(*right.value)) {
    return spec::json::compare_numbers(*left.value, *right.value);
  }
  return std::partial_ordering::unordered;
}

std::string lower_case(const json& value) {
  return spec::text::to_lower(fixtures::plain_text(value));
}

// Whether one is a text that is written as the other, a boolean or a number: "true" and true.
bool is_same_text(const json& left, const json& right) {
  const auto is_value = [](const json& one) {
    return one.is_boolean() || spec::json::is_number(one);
  };
  return ((left.is_string() && is_value(right)) || (is_value(left) && right.is_string())) &&
         fixtures::plain_text(left) == fixtures::plain_text(right);
}

bool satisfies(const json* value, Comparison is, const Operand& given) {
  if (value == nullptr) {
    return false;
  }
  if (is == Comparison::kContains) {
    return lower_case(*value).find(lower_case(*given.value)) != std::string::npos;
  }
  if (given.value->is_array()) {  // any of them
    return std::ranges::any_of(*given.value,
                               [&](const json& one) { return satisfies(value, is, Operand(one)); });
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
  const json* const inner = fixtures::walk(element.get(), filter.inside);
  if (inner == nullptr || !inner->is_array()) {
    return nullptr;
  }
  json kept = json::array();
  for (const json& candidate : *inner) {
    if (satisfies(fixtures::walk(&candidate, filter.at), filter.is, given)) {
      kept.push_back(candidate);
    }
  }
  if (kept.empty() || kept.size() == inner->size()) {
    return kept.empty() ? nullptr : std::move(element);
  }
  json changed = *element;
  *fixtures::walk(&changed, filter.inside) = std::move(kept);
  return std::make_shared<const json>(std::move(changed));
}

SharedValue keep_by(SharedValue element, const Filter& filter, const Operand& given) {
  if (!filter.inside.empty()) {
    return keep_inside(std::move(element), filter, given);
  }
  const json* const value = fixtures::walk(element.get(), filter.at);
  return satisfies(value, filter.is, given) ? std::move(element) : nullptr;
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

const json* given_value(const fixtures::Place& place, const Scope& scope) {
  const json* const value = fixtures::find(place, scope);
  return value != nullptr && !value->is_null() ? value : nullptr;
}

std::int64_t integer_or(const std::optional<fixtures::Place>& place, const Scope& scope,
                        std::int64_t fallback) {
  const json* const value = place ? given_value(*place, scope) : nullptr;
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
    elements.push_back(fixtures::not_owned(element));
  }
  return elements;
}

void filter_elements(Elements& elements, const std::vector<Filter>& filters, const Scope& scope) {
  for (const Filter& filter : filters) {
    const json* const given = given_value(filter.given, scope);
    // An object's members, "created[gte]=5", have filters of their own.
    if (given == nullptr || given->is_object()) {
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
  struct Keyed {
    Key key;
    SharedValue element;
  };

  std::vector<Keyed> keyed;
  keyed.reserve(elements.size());
  for (SharedValue& element : elements) {
    Key key = key_of(fixtures::walk(element.get(), by));
    keyed.push_back({std::move(key), std::move(element)});
  }
  // A strict weak ordering: keys of one kind by their values, else by kind.
  std::ranges::stable_sort(keyed, [&](const Keyed& left, const Keyed& right) {
    if (left.key.kind != right.key.kind || left.key.kind == KeyKind::kMissing) {
      return left.key.kind < right.key.kind;
    }
    const std::partial_ordering order = order_of(*left.key.value, *right.key.value);
    return is_descending ? std::is_gt(order) : std::is_lt(order);
  });
  std::ranges::transform(keyed, elements.begin(),
                         [](Keyed& one) { return std::move(one.element); });
}

}  // namespace mock_server::service::responses
