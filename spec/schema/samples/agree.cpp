#include "spec/schema/samples/agree.hpp"

#include <nlohmann/json.hpp>

#include <array>
#include <string_view>
#include <utility>

namespace spec::schema::samples {

namespace {

using nlohmann::json;

using Names = std::pair<std::string_view, std::string_view>;

// The first of each pair comes before the second, or is the smaller.
constexpr std::array<Names, 19> kOrdered{{{"created_at", "updated_at"},
                                          {"created", "updated"},
                                          {"createdAt", "updatedAt"},
                                          {"start", "end"},
                                          {"start_date", "end_date"},
                                          {"startDate", "endDate"},
                                          {"starts_at", "ends_at"},
                                          {"start_time", "end_time"},
                                          {"from", "to"},
                                          {"from_date", "to_date"},
                                          {"valid_from", "valid_until"},
                                          {"issued_at", "due_at"},
                                          {"issued_at", "expires_at"},
                                          {"created_at", "due_at"},
                                          {"created_at", "expires_at"},
                                          {"previous_billing_date", "next_billing_date"},
                                          {"min", "max"},
                                          {"minimum", "maximum"},
                                          {"low", "high"}}};

constexpr std::array<std::string_view, 6> kCounts{"count",      "total_count", "totalCount",
                                                  "item_count", "itemCount",   "total_items"};
constexpr std::array<std::string_view, 4> kTotals{"total", "total_amount", "totalAmount",
                                                  "grand_total"};
constexpr std::array<std::string_view, 5> kBases{"subtotal", "sub_total", "net", "amount", "price"};
constexpr std::array<std::string_view, 3> kAdded{"tax", "shipping", "fee"};

bool order(json& object, const Names& names) {
  const auto first = object.find(names.first);
  const auto second = object.find(names.second);
  if (first == object.end() || second == object.end()) {
    return false;
  }
  const bool comparable =
      (first->is_number() && second->is_number()) ||
      (first->is_string() && second->is_string() &&
       first->get_ref<const std::string&>().size() == second->get_ref<const std::string&>().size());
  if (!comparable || !(*second < *first)) {
    return false;
  }
  std::swap(*first, *second);
  return true;
}

const json* only_list(const json& object) {
  const json* list = nullptr;
  for (const json& member : object) {
    if (member.is_array()) {
      if (list != nullptr) {
        return nullptr;
      }
      list = &member;
    }
  }
  return list;
}

template <std::size_t N>
json* find_number(json& object, const std::array<std::string_view, N>& names) {
  for (const std::string_view name : names) {
    const auto found = object.find(name);
    if (found != object.end() && found->is_number()) {
      return &*found;
    }
  }
  return nullptr;
}

bool set(json& member, const json& value) {
  const bool differs = member != value;
  member = value;
  return differs;
}

// A total is its parts, or says how long the list beside it is.
bool settle_total(json& object) {
  json* const total = find_number(object, kTotals);
  if (total == nullptr || !total->is_number_integer()) {
    return false;
  }
  const json* const base = find_number(object, kBases);
  if (base == nullptr) {
    const json* const list = only_list(object);
    return list != nullptr && set(*total, list->size());
  }
  if (!base->is_number_integer()) {
    return false;
  }
  std::int64_t sum = base->get<std::int64_t>();
  for (const std::string_view name : kAdded) {
    const auto part = object.find(name);
    if (part != object.end() && part->is_number_integer()) {
      sum += part->get<std::int64_t>();
    }
  }
  const auto discount = object.find("discount");
  if (discount != object.end() && discount->is_number_integer()) {
    sum -= discount->get<std::int64_t>();
  }
  return set(*total, sum);
}

bool settle_count(json& object) {
  json* const count = find_number(object, kCounts);
  const json* const list = count == nullptr ? nullptr : only_list(object);
  return list != nullptr && count->is_number_integer() && set(*count, list->size());
}

}  // namespace

bool agree(json& value) {
  bool changed = false;
  if (value.is_structured()) {
    for (json& member : value) {
      changed = (member.is_structured() && agree(member)) || changed;
    }
  }
  if (value.is_object() && value.size() > 1) {
    for (const Names& names : kOrdered) {
      changed = order(value, names) || changed;
    }
    changed = settle_count(value) || changed;
    changed = settle_total(value) || changed;
  }
  return changed;
}

}  // namespace spec::schema::samples
