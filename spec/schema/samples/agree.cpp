#include "spec/schema/samples/agree.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace spec::schema::samples {

namespace {

using Json = nlohmann::json;

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

// Every name above, once, in order; its index stands for it.
constexpr auto make_names() {
  std::array<std::string_view, 2 * kOrdered.size() + kCounts.size() + kTotals.size() +
                                   kBases.size() + kAdded.size() + 1>
      names{};
  std::size_t count = 0;
  for (const Names& pair : kOrdered) {
    names[count++] = pair.first;
    names[count++] = pair.second;
  }
  const auto add = [&](const auto& more) {
    for (const std::string_view name : more) {
      names[count++] = name;
    }
  };
  add(kCounts);
  add(kTotals);
  add(kBases);
  add(kAdded);
  names[count++] = "discount";
  std::sort(names.begin(), names.end());
  return names;
}

constexpr auto kNames = make_names();

// Where `name`, one of them, stands in kNames.
constexpr std::size_t place_of(std::string_view name) {
  return static_cast<std::size_t>(std::lower_bound(kNames.begin(), kNames.end(), name) -
                                  kNames.begin());
}

template <std::size_t N>
constexpr std::array<std::size_t, N> places_of(const std::array<std::string_view, N>& names) {
  std::array<std::size_t, N> places{};
  std::transform(names.begin(), names.end(), places.begin(), place_of);
  return places;
}

constexpr auto kCountPlaces = places_of(kCounts);
constexpr auto kTotalPlaces = places_of(kTotals);
constexpr auto kBasePlaces = places_of(kBases);
constexpr auto kAddedPlaces = places_of(kAdded);
constexpr std::size_t kDiscountPlace = place_of("discount");

constexpr auto make_ordered_places() {
  std::array<std::pair<std::size_t, std::size_t>, kOrdered.size()> places{};
  for (std::size_t i = 0; i < kOrdered.size(); ++i) {
    places[i].first = place_of(kOrdered[i].first);
    places[i].second = place_of(kOrdered[i].second);
  }
  return places;
}

constexpr auto kOrderedPlaces = make_ordered_places();

// The members of one object that have a name with a meaning here, and its only list. Found in one
// walk: most objects have none.
class Members {
 public:
  explicit Members(Json& object) {
    for (auto& [name, value] : *object.get_ptr<Json::object_t*>()) {
      const auto found = std::lower_bound(kNames.begin(), kNames.end(), name);
      if (found != kNames.end() && *found == name) {
        places_.at(static_cast<std::size_t>(found - kNames.begin())) = &value;
        any_ = true;
      }
      if (value.is_array()) {
        list_ = has_list_ ? nullptr : &value;
        has_list_ = true;
      }
    }
  }

  bool any() const { return any_; }

  // The member whose name stands at `place` in kNames; null if the object has none.
  Json* at(std::size_t place) const { return places_.at(place); }

  Json* integer(std::size_t place) const {
    Json* const member = at(place);
    return member != nullptr && member->is_number_integer() ? member : nullptr;
  }

  // The first of these that is a number.
  template <std::size_t N>
  Json* number(const std::array<std::size_t, N>& places) const {
    for (const std::size_t place : places) {
      Json* const member = at(place);
      if (member != nullptr && member->is_number()) {
        return member;
      }
    }
    return nullptr;
  }

  // Null if there is no array or more than one.
  const Json* only_list() const { return list_; }

 private:
  std::array<Json*, kNames.size()> places_{};
  const Json* list_ = nullptr;
  bool has_list_ = false;
  bool any_ = false;
};

bool are_comparable(const Json& first, const Json& second) {
  const auto* const left = first.get_ptr<const std::string*>();
  const auto* const right = second.get_ptr<const std::string*>();
  return (first.is_number() && second.is_number()) ||
         (left != nullptr && right != nullptr && left->size() == right->size());
}

// What a total must be: its parts, or the length of the list beside it; null if nothing says so.
Json right_total(const Members& members) {
  const Json* const base = members.number(kBasePlaces);
  if (base == nullptr) {
    return members.only_list() == nullptr ? Json() : Json(members.only_list()->size());
  }
  if (!base->is_number_integer()) {
    return nullptr;
  }
  auto sum = base->get<std::int64_t>();
  for (const std::size_t place : kAddedPlaces) {
    const Json* const part = members.integer(place);
    sum += part != nullptr ? part->get<std::int64_t>() : 0;
  }
  const Json* const discount = members.integer(kDiscountPlace);
  return sum - (discount != nullptr ? discount->get<std::int64_t>() : 0);
}

}  // namespace

void Agreement::order(Json* first, Json* second) {
  if (first != nullptr && second != nullptr && are_comparable(*first, *second) &&
      *second < *first) {
    std::swap(*first, *second);
    changes_.push_back({first, second, {}});
  }
}

void Agreement::set(Json& member, Json value) {
  if (member != value) {
    changes_.push_back({&member, nullptr, std::exchange(member, std::move(value))});
  }
}

void Agreement::settle_object(Json& object) {
  const Members members(object);
  if (!members.any()) {
    return;
  }
  for (const auto& [first, second] : kOrderedPlaces) {
    order(members.at(first), members.at(second));
  }
  Json* const count = members.number(kCountPlaces);
  if (count != nullptr && count->is_number_integer() && members.only_list() != nullptr) {
    set(*count, members.only_list()->size());
  }
  Json* const total = members.number(kTotalPlaces);
  if (total != nullptr && total->is_number_integer()) {
    Json right = right_total(members);
    if (!right.is_null()) {
      set(*total, std::move(right));
    }
  }
}

bool Agreement::settle(Json& value) {
  if (value.is_structured()) {
    for (Json& member : value) {
      settle(member);
    }
  }
  if (value.is_object() && value.size() > 1) {
    settle_object(value);
  }
  return !changes_.empty();
}

void Agreement::undo() {
  for (auto change = changes_.rbegin(); change != changes_.rend(); ++change) {
    if (change->second != nullptr) {
      std::swap(*change->first, *change->second);
    } else {
      *change->first = std::move(change->before);
    }
  }
  changes_.clear();
}

}  // namespace spec::schema::samples
