#include "mock_server/service/responses/elements.hpp"

#include "spec/json/number.hpp"
#include "spec/json/value.hpp"
#include "spec/text/ascii.hpp"

#include <algorithm>
#include <compare>
#include <limits>
#include <string>
#include <utility>

namespace mock_server::service::responses {
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
  if (spec::json::is_number(left) && spec::json::is_number(right)) {
    return spec::json::compare_numbers(left, right);
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

bool satisfies(const json* value, Comparison is, const json& given) {
  if (value == nullptr) {
    return false;
  }
  if (is == Comparison::kContains) {
    return lower_case(*value).find(lower_case(given)) != std::string::npos;
  }
  if (given.is_array()) {  // any of them
    return std::ranges::any_of(given, [&](const json& one) { return satisfies(value, is, one); });
  }
  if (is == Comparison::kEqual && value->is_array()) {
    return std::ranges::any_of(*value, [&](const json& one) { return satisfies(&one, is, given); });
  }
  if (is == Comparison::kEqual) {
    return spec::json::equal(*value, given) || std::is_eq(order_of(*value, given)) ||
           is_same_text(*value, given);
  }
  const std::partial_ordering order = order_of(*value, given);
  switch (is) {
    case Comparison::kAtOrAfter: return std::is_gteq(order);
    case Comparison::kAtOrBefore: return std::is_lteq(order);
    case Comparison::kAfter: return std::is_gt(order);
    default: return std::is_lt(order);
  }
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

bool keep_by(json& element, const Filter& filter, const json& given) {
  return filter.inside.empty() ? satisfies(fixtures::walk(&element, filter.at), filter.is, given)
                               : keep_inside(element, filter, given);
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
  if (spec::json::is_number(*key)) {
    return KeyKind::kNumber;
  }
  return key->is_string() ? KeyKind::kString : KeyKind::kOther;
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

bool keep(json& element, const std::vector<Filter>& filters, const Scope& scope) {
  return std::ranges::all_of(filters, [&](const Filter& filter) {
    const json* const given = given_value(filter.given, scope);
    // An object's members, "created[gte]=5", have filters of their own.
    return given == nullptr || given->is_object() || keep_by(element, filter, *given);
  });
}

void sort_elements(json& elements, const std::vector<std::string>& by, bool is_descending) {
  // A strict weak ordering: keys of one kind by their values, else by kind.
  const auto before = [&](const json& left, const json& right) {
    const json* const left_key = fixtures::walk(&left, by);
    const json* const right_key = fixtures::walk(&right, by);
    const KeyKind left_kind = kind_of(left_key);
    const KeyKind right_kind = kind_of(right_key);
    if (left_kind != right_kind || left_kind == KeyKind::kMissing) {
      return left_kind < right_kind;
    }
    const std::partial_ordering order = order_of(*left_key, *right_key);
    return is_descending ? std::is_gt(order) : std::is_lt(order);
  };
  std::stable_sort(elements.begin(), elements.end(), before);
}

}  // namespace mock_server::service::responses
