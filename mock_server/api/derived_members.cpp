#include "mock_server/api/derived_members.hpp"

#include "mock_server/api/nested_collection.hpp"
#include "mock_server/api/record_source.hpp"
#include "spec/contract/resources/body_shapes.hpp"
#include "spec/schema/generate/agreement.hpp"
#include "spec/text/names.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <span>
#include <string_view>
#include <utility>

namespace mock_server::api {
namespace {

using nlohmann::json;
using spec::contract::Contract;
using spec::schema::Schemas;
using spec::schema::generate::amount_name;
using spec::text::plain_name;

constexpr std::array<std::string_view, 2> kTitles{"name", "title"};
constexpr std::array<std::string_view, 4> kPrices{"price", "unitprice", "unitamount", "unitcost"};

constexpr std::array<std::string_view, 4> kTotals{"total", "linetotal", "totalprice", "rowtotal"};
constexpr std::array<std::string_view, 3> kQuantities{"quantity", "qty", "units"};

bool is_one_of(std::span<const std::string_view> names, std::string_view plain) {
  return std::ranges::find(names, plain) != names.end();
}

// The member of the record with one of those names, the first first; null if there is none. `unit`
// is how the names end: "cents".
const json* member_of(const json& record, std::span<const std::string_view> names,
                      std::string_view unit) {
  for (const std::string_view wanted : names) {
    for (const auto& [name, value] : record.items()) {
      if (plain_name(name) == std::string(wanted) + std::string(unit)) {
        return &value;
      }
    }
  }
  return nullptr;
}

// The same of any unit.
const json* amount_of(const json& record, std::span<const std::string_view> names) {
  for (const std::string_view wanted : names) {
    for (const auto& [name, value] : record.items()) {
      if (amount_name(name) == wanted) {
        return &value;
      }
    }
  }
  return nullptr;
}

// The value that a member called `plain` repeats of the record of `subject`; null for none. Without
// the subject in front, names and prices alone, and only of what has a price.
const json* repeated_value(std::string_view plain, std::string_view subject, const json& other) {
  const bool is_named = plain.starts_with(subject);
  const std::string_view own = is_named ? plain.substr(subject.size()) : plain;
  const std::string amount = amount_name(own);
  const bool is_price = is_one_of(kPrices, amount);
  if (is_price || is_one_of(kTitles, own)) {
    const std::string_view unit = is_price ? own.substr(amount.size()) : "";
    const bool is_sold = is_named || amount_of(other, kPrices) != nullptr;
    const json* const same = is_sold ? member_of(other, std::array{own}, "") : nullptr;
    const auto alike = is_price ? std::span<const std::string_view>(kPrices) : kTitles;
    return same == nullptr && is_sold ? member_of(other, alike, unit) : same;
  }
  return is_named ? member_of(other, std::array{own}, "") : nullptr;
}

constexpr std::string_view kId = "id";

bool is_key_of_other(const std::string& member, const json& value) {
  const std::string plain = plain_name(member);
  return plain.ends_with(kId) && plain != kId && (value.is_string() || value.is_number());
}

class Repeater {
 public:
  Repeater(const Contract& contract, const FindReferred& find, bool is_made_up)
      : contract_(contract), find_(find), is_made_up_(is_made_up) {}

  // `depth` of lists.
  void repeat(const Schemas& schemas, json& record, int depth = 0) const {
    constexpr int kMaxDepth = 2;
    if (schemas.empty() || !record.is_object()) {
      return;
    }
    const json before = record;
    for (const auto& [member, value] : before.items()) {
      if (value.is_array() && depth < kMaxDepth) {
        const Schemas elements = schemas_at(contract_, schemas, {member, "*"});
        for (json& element : record[member]) {
          repeat(elements, element, depth + 1);
        }
        continue;
      }
      const std::string plain = plain_name(member);
      if (const auto own = value.find(kId);
          value.is_object() && !is_made_up_ && own != value.end()) {
        show(schemas, member, find_(member + "Id", *own), record);
      } else if (is_key_of_other(member, value)) {
        add(schemas, plain.substr(0, plain.size() - kId.size()), find_(member, value), record);
      }
    }
  }

 private:
  // The member as the record that it is of.
  void show(const Schemas& schemas, const std::string& member, const SharedValue& other,
            json& record) const {
    const Schemas inner = schemas_at(contract_, schemas, {member});
    if (other == nullptr || inner.empty() ||
        spec::contract::resources::is_choice(contract_, inner)) {
      return;
    }
    const auto there = record.find(member);
    json shown = there != record.end() && there->is_object() ? *there : json::object();
    show_members(contract_, inner, *other, is_made_up_ ? Showing::kBare : Showing::kMissing, shown);
    if (!shown.empty() && (!is_made_up_ || may_have(contract_, inner, shown))) {
      record[member] = std::move(shown);
    }
  }

  void add(const Schemas& schemas, const std::string& subject, const SharedValue& other,
           json& record) const {
    if (other == nullptr) {
      return;
    }
    const auto& properties = contract_.summaries().summary_of(schemas).properties;
    const bool has_price = std::ranges::any_of(
        properties, [](const auto& one) { return is_one_of(kPrices, amount_name(one.first)); });
    for (const auto& [name, inner] : properties) {
      const std::string plain = plain_name(name);
      const bool is_free = plain != subject + "id" && (is_made_up_ || !record.contains(name));
      if (is_free && plain == subject) {
        show(schemas, name, other, record);
        continue;
      }
      const bool may_repeat = is_free && (has_price || plain.starts_with(subject));
      const json* const value = may_repeat ? repeated_value(plain, subject, *other) : nullptr;
      if (value != nullptr && may_have(contract_, inner, *value)) {
        record[name] = *value;
      }
    }
  }

  const Contract& contract_;
  const FindReferred& find_;
  bool is_made_up_;
};

// Sets members that the schemas have and allow.
spec::schema::generate::Change changes_of(const Contract& contract, const Schemas& schemas,
                                          json& record) {
  return [&](const std::string& member, json value) {
    const Schemas inner = schemas_at(contract, schemas, {member});
    const bool is_valid = !inner.empty() && may_have(contract, inner, value);
    if (is_valid) {
      record[member] = std::move(value);
    }
    return is_valid;
  };
}

void multiply_amounts(const Contract& contract, const Schemas& schemas, const json* sent,
                      json& record) {
  if (schemas.empty() || !record.is_object()) {
    return;
  }
  const auto& properties = contract.summaries().summary_of(schemas).properties;
  for (const auto& [name, inner] : properties) {
    const auto list = record.find(name);
    const json* const given = sent != nullptr && sent->contains(name) ? &sent->at(name) : nullptr;
    for (std::size_t at = 0; list != record.end() && list->is_array() && at < list->size(); ++at) {
      const bool is_given = given != nullptr && given->is_array() && at < given->size();
      multiply_amounts(contract, schemas_at(contract, inner, {"*"}),
                       is_given && (*given)[at].is_object() ? &(*given)[at] : nullptr, (*list)[at]);
    }
  }
  if (amount_of(record, kPrices) == nullptr || amount_of(record, kQuantities) == nullptr) {
    return;
  }
  const auto is_stated = [sent](const std::string& member) {
    return sent != nullptr && sent->contains(member);
  };
  for (const auto& [name, inner] : properties) {
    const bool is_missing = is_one_of(kTotals, amount_name(name)) && !record.contains(name);
    if (is_missing && may_have(contract, inner, 0)) {
      record[name] = 0;
    }
  }
  spec::schema::generate::make_agree(record, is_stated, changes_of(contract, schemas, record));
}

}  // namespace

void show_members(const Contract& contract, const Schemas& schemas, const json& other, Showing how,
                  json& object) {
  if (schemas.empty()) {
    return;
  }
  for (const auto& [name, inner] : contract.summaries().summary_of(schemas).properties) {
    const auto own = other.find(name);
    if (own == other.end() || (how == Showing::kBare && is_key_of_other(name, *own))) {
      continue;
    }
    const auto there = object.find(name);
    const bool is_inside = own->is_object() && there != object.end() && there->is_object();
    const bool is_free = there == object.end() || how != Showing::kMissing;
    if (is_inside) {
      show_members(contract, inner, *own, how, *there);
    } else if (is_free && (how != Showing::kBare || own->is_primitive()) &&
               may_have(contract, inner, *own)) {
      object[name] = *own;
    }
  }
}

void repeat_members(const Contract& contract, const Schemas& schemas, const FindReferred& find,
                    bool is_made_up, json& record) {
  Repeater(contract, find, is_made_up).repeat(schemas, record);
}

bool has_amounts(const Contract& contract, const Schemas& elements) {
  if (elements.empty()) {
    return false;
  }
  const auto& properties = contract.summaries().summary_of(elements).properties;
  const auto has = [&](std::span<const std::string_view> names) {
    return std::ranges::any_of(
        properties, [&](const auto& one) { return is_one_of(names, amount_name(one.first)); });
  };
  return has(kPrices) && has(kQuantities);
}

bool has_amount(const json& object) {
  return amount_of(object, kPrices) != nullptr || amount_of(object, kQuantities) != nullptr ||
         std::ranges::any_of(object, [](const json& value) { return value.is_array(); });
}

void add_up(const Contract& contract, const Schemas& schemas, const json& list,
            const IsStated& is_stated, json& record) {
  spec::schema::generate::add_up_list(list, record, is_stated,
                                      changes_of(contract, schemas, record));
}

void add_up_lines(const Contract& contract, const Schemas& schemas, const json* sent,
                  json& record) {
  if (schemas.empty() || !record.is_object()) {
    return;
  }
  const auto is_stated = [sent](const std::string& member) {
    return sent != nullptr && sent->contains(member);
  };
  multiply_amounts(contract, schemas, sent, record);
  bool is_added_up = false;
  for (const auto& [name, inner] : contract.summaries().summary_of(schemas).properties) {
    const auto list = record.find(name);
    if (list == record.end() || !list->is_array()) {
      continue;
    }
    const json all = *list;
    for (const auto& count : nested_counts(contract, schemas, {nullptr, plain_name(name)})) {
      if (record.contains(count) && !is_stated(count)) {
        changes_of(contract, schemas, record)(count, all.size());
      }
    }
    if (!is_added_up && has_amounts(contract, schemas_at(contract, inner, {"*"}))) {
      is_added_up = true;
      add_up(contract, schemas, all, is_stated, record);
    }
  }
}

}  // namespace mock_server::api
