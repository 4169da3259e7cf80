#include "contract_tests/run/volatile_fields.hpp"

#include "contract_tests/checks/places.hpp"
#include "spec/json/pointer.hpp"

#include <algorithm>

namespace contract_tests::run {

using checks::instant_at;
using nlohmann::json;
using spec::time::Instant;

namespace {

// The time of the newest item; nothing where there is none.
std::optional<Instant> newest_time(const json& body, const plan::VolatileRules& rules) {
  std::optional<Instant> newest;
  const auto* items = spec::json::find(body, rules.items);
  if (items != nullptr && items->is_array()) {
    for (const auto& item : *items) {
      newest = std::max(newest, instant_at(item, rules.newest));
    }
  }
  return newest;
}

}  // namespace

VolatileFields::VolatileFields(const plan::OperationRules& rules) {
  if (rules.volatile_fields) {
    places_ = rules.volatile_fields->at;
    items_ = rules.volatile_fields->items;
    newest_ = rules.volatile_fields->newest;
  } else if (rules.update) {
    places_.assign(rules.update->volatile_fields.begin(), rules.update->volatile_fields.end());
  }
}

void VolatileFields::freeze(json& body) {
  if (newest_.empty()) {
    if (seen_.is_null()) {
      seen_ = body;
    }
    copy_places(seen_, body);
  } else if (auto* items = spec::json::find(body, items_); items != nullptr && items->is_array()) {
    freeze_newest(*items);
  }
}

void VolatileFields::freeze_newest(json& items) {
  const auto newest = std::ranges::max_element(items, [this](const json& left, const json& right) {
    return instant_at(left, newest_) < instant_at(right, newest_);
  });
  if (newest == items.end() || !instant_at(*newest, newest_)) {
    return;
  }
  const auto seen = instant_at(seen_, newest_);
  const auto now = instant_at(*newest, newest_);
  if (!seen || *seen < *now) {
    seen_ = *newest;
  } else if (*seen == *now) {
    copy_places(seen_, *newest);
  }
}

void VolatileFields::copy_places(const json& from, json& to) const {
  for (const auto& place : places_) {
    checks::each_place(from, place, [&to](const checks::Place& at, const json& value) {
      if (auto* target = spec::json::find(to, at.text())) {
        *target = value;
      }
    });
  }
}

bool has_changed_by_itself(const plan::OperationRules& rules, json before, json after) {
  VolatileFields volatile_fields(rules);
  volatile_fields.freeze(before);
  const auto as_it_came = after;
  volatile_fields.freeze(after);
  return after != as_it_came;
}

bool is_newer(const plan::OperationRules& rules, const json& left, const json& right) {
  return rules.volatile_fields &&
         newest_time(left, *rules.volatile_fields) > newest_time(right, *rules.volatile_fields);
}

}  // namespace contract_tests::run
