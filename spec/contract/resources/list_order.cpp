#include "spec/contract/resources/list_order.hpp"

#include "spec/contract/resources/body_shapes.hpp"
#include "spec/contract/resources/list_plan.hpp"
#include "spec/contract/resources/usual_names.hpp"
#include "spec/text/ascii.hpp"
#include "spec/text/names.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace spec::contract::resources {
namespace {

using Direction = std::pair<std::string_view, bool>;

// By letters and digits alone: "price_desc", "price:desc" and "priceDesc" are the same.
constexpr std::array<Direction, 12> kDirectionEndings{{{"descending", true},
                                                       {"ascending", false},
                                                       {"desc", true},
                                                       {"asc", false},
                                                       {"hightolow", true},
                                                       {"lowtohigh", false},
                                                       {"newestfirst", true},
                                                       {"oldestfirst", false},
                                                       {"newest", true},
                                                       {"oldest", false},
                                                       {"dsc", true},
                                                       {"reverse", true}}};

// Whole values about the time of the creation.
constexpr std::array<Direction, 8> kTimes{{{"newest", true},
                                           {"newestfirst", true},
                                           {"latest", true},
                                           {"recent", true},
                                           {"mostrecent", true},
                                           {"new", true},
                                           {"oldest", false},
                                           {"oldestfirst", false}}};

constexpr std::array<Direction, 4> kPrices{{{"cheapest", false},
                                            {"lowesttohighest", false},
                                            {"mostexpensive", true},
                                            {"expensive", true}}};

template <std::size_t N>
const Direction* find_in(const std::array<Direction, N>& words, std::string_view word) {
  const auto found = std::ranges::find(words, word, &Direction::first);
  return found == words.end() ? nullptr : &*found;
}

// The member with the time of a record's creation; "" if there is none.
std::string time_of_creation(const Contract& contract, const schema::Schemas& record) {
  for (const auto& member : summary_of(contract, record).properties) {
    const std::string plain = text::plain_name(member.first);
    if (is_time_of_record(plain) && !is_time_of_change(plain)) {
      return member_called(contract, record, plain);
    }
  }
  return "";
}

std::optional<ListOrder> at_place(std::string place, std::optional<bool> descending) {
  return place.empty() ? std::nullopt : std::optional(ListOrder{std::move(place), descending});
}

}  // namespace

std::optional<bool> is_descending(std::string_view value) {
  const std::string plain = text::plain_name(value);
  const auto* const found = find_in(kDirectionEndings, plain);
  if (found != nullptr) {
    return found->second;
  }
  return value == "-1" || value == "1" ? std::optional(value == "-1") : std::nullopt;
}

std::optional<ListOrder> order_of(const Contract& contract, const schema::Schemas& record,
                                  std::string_view value) {
  const std::string plain = text::plain_name(value);
  const bool has_sign = value.starts_with('-') || value.starts_with('+');
  const auto sign = has_sign ? std::optional(value.front() == '-') : std::nullopt;
  if (auto whole = at_place(member_called(contract, record, plain), sign)) {
    return whole;
  }
  if (const auto* const time = find_in(kTimes, plain)) {
    return at_place(time_of_creation(contract, record), time->second);
  }
  if (const auto* const price = find_in(kPrices, plain)) {
    return at_place(member_called(contract, record, "price"), price->second);
  }
  for (const auto& [ending, descending] : kDirectionEndings) {
    if (plain.size() > ending.size() && plain.ends_with(ending)) {
      const std::string rest = plain.substr(0, plain.size() - ending.size());
      std::string place = member_called(contract, record, rest);
      const bool is_time = rest == "date" || rest == "time" || rest == "created";
      return at_place(place.empty() && is_time ? time_of_creation(contract, record) : place,
                      descending);
    }
  }
  return std::nullopt;
}

}  // namespace spec::contract::resources
