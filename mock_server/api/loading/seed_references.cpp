#include "mock_server/api/loading/seed_references.hpp"

#include "mock_server/api/derived_members.hpp"
#include "mock_server/api/nested_collection.hpp"
#include "mock_server/api/record_source.hpp"
#include "spec/contract/resources/body_shapes.hpp"
#include "spec/schema/applicable.hpp"
#include "spec/text/ascii.hpp"
#include "spec/text/names.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <utility>

namespace mock_server::api::loading {
namespace {

namespace resources = spec::contract::resources;
using nlohmann::json;
using spec::schema::Schemas;
using spec::text::plain_name;

// "customer" of "customer_id" and "customerUuid"; "" for a name that ends otherwise.
std::string subject_of_key(std::string_view member) {
  const std::string plain = plain_name(member);
  for (const std::string_view ending : {"uuid", "guid", "uid", "gid", "id"}) {
    if (plain.size() > ending.size() && plain.ends_with(ending)) {
      return plain.substr(0, plain.size() - ending.size());
    }
  }
  return "";
}

// Where the next word of a name starts; npos for none.
std::size_t next_word(std::string_view name, std::size_t at) {
  const auto is_capital = [&name](std::size_t i) { return name[i] >= 'A' && name[i] <= 'Z'; };
  while (++at < name.size()) {
    const bool is_after = !spec::text::is_letter_or_digit(name[at - 1]);
    if (is_after || (is_capital(at) && !is_capital(at - 1))) {
      return at;
    }
  }
  return std::string_view::npos;
}

}  // namespace

json own_key(const Collection& collection, const Record& record) {
  const json* const key = collection.id() ? walk(&record.value, *collection.id()) : nullptr;
  return key != nullptr ? *key : json(record.key);
}

// By the name of the collection or list, else by that of the component of a collection's records
// where no other has that: "employee_id" of /staff.
void SeedReferences::name_all() {
  std::map<std::string, Collection*> by_component;
  std::set<std::string> taken{""};
  for (Collection* const collection : collections_) {
    if (collection->is_single()) {
      continue;
    }
    by_name_.try_emplace(plain_name(spec::text::singular(collection->name())),
                         Referred{collection});
    const std::string component = resources::component_of(
        contract_, record_source(contract_, bindings_, *collection).schemas);
    const std::string name = plain_name(component.substr(component.rfind('/') + 1));
    if (!by_component.emplace(name, collection).second) {
      taken.insert(name);
    }
  }
  name_examples();
  for (const auto& [name, collection] : by_component) {
    if (!taken.contains(name)) {
      by_name_.try_emplace(name, Referred{collection});
    }
  }
}

// Lists without a collection that are sent as the contract's example of them.
void SeedReferences::name_examples() {
  for (const auto& operation : contract_.operations()) {
    const auto* const response = resources::success_of(operation);
    const auto* const content = response != nullptr && operation.method == "GET" &&
                                        operation.path.find('{') == std::string::npos
                                    ? spec::contract::json_content(response->contents)
                                    : nullptr;
    const std::string name = spec::contract::subject_of(operation);
    const auto list =
        content != nullptr && !content->examples.empty()
            ? resources::find_list(contract_, resources::response_body(contract_, operation), name)
            : std::nullopt;
    const auto key = list ? resources::key_member(contract_, list->schemas, "id", name)
                          : std::vector<std::string>{};
    const json* const shown =
        key.empty() ? nullptr : walk(&*content->examples.front().value, list->at);
    Referred found;
    for (const json& element : shown != nullptr && shown->is_array() ? *shown : json::array()) {
      if (const json* const own = walk(&element, key)) {
        found.keys.push_back(*own);
      }
    }
    if (!found.keys.empty()) {
      by_name_.try_emplace(plain_name(spec::text::singular(name)), std::move(found));
    }
  }
}

// Null if there is none, or none that has records.
const SeedReferences::Referred* SeedReferences::referred(std::string_view member) {
  if (by_name_.empty()) {
    name_all();
  }
  for (std::size_t at = 0; at != std::string_view::npos; at = next_word(member, at)) {
    const auto found = by_name_.find(subject_of_key(member.substr(at)));
    if (found != by_name_.end()) {
      return with_keys(found->second);
    }
  }
  return nullptr;
}

// Null if there are no records.
const SeedReferences::Referred* SeedReferences::with_keys(Referred& one) {
  auto& [collection, keys] = one;
  if (keys.empty() && collection != nullptr) {
    fill_(*collection);
    for (const Record& record : collection->records()) {
      keys.push_back(own_key(*collection, record));
    }
  }
  return keys.empty() ? nullptr : &one;
}

// "The key of a customer, or the customer", whatever the member is called. Null if it is no such
// choice.
const SeedReferences::Referred* SeedReferences::referred_by_shape(const Schemas& schemas) {
  if (schemas.empty() || !resources::is_choice(contract_, schemas)) {
    return nullptr;
  }
  for (const auto id :
       applicable(contract_.schemas().program(), schemas.front(), spec::schema::Reach::kPossible)) {
    const std::string component = resources::component_of(contract_, {id});
    const auto found = by_name_.find(plain_name(component.substr(component.rfind('/') + 1)));
    if (!component.empty() && found != by_name_.end()) {
      return with_keys(found->second);
    }
  }
  return nullptr;
}

// Also the collection itself, for "parent_id".
const SeedReferences::Referred* SeedReferences::referred_by(const std::string& member,
                                                            const Schemas& schemas) {
  const Referred* const named = referred(member);
  const Referred* const other = named != nullptr ? named : referred_by_shape(schemas);
  return other == nullptr && subject_of_key(member) == "parent" ? &own_ : other;
}

void SeedReferences::refer(std::size_t index, const std::string& member, const Schemas& schemas,
                           json& value) {
  if (value.is_object()) {
    for (auto& [name, inner] : value.items()) {
      refer(index, name, schemas_at(contract_, schemas, {name}), inner);
    }
  } else if (value.is_array()) {
    refer_all(index, member, schemas, value);
  } else if (const Referred* const other = referred_by(member, schemas)) {
    const bool is_own = other->collection == own_.collection;
    if (is_own && index == 0 && may_have(contract_, schemas, nullptr)) {
      value = nullptr;  // nobody's child
      return;
    }
    const std::size_t at = is_own ? index + other->keys.size() - 1 : index;  // the one before
    const json& key = other->keys[at % other->keys.size()];
    const bool is_alike = key.is_number() ? value.is_number() : value.is_string();
    if (is_alike && may_have(contract_, schemas, key)) {
      value = key;
    }
  }
}

// A list of keys names different records.
void SeedReferences::refer_all(std::size_t index, const std::string& member, const Schemas& schemas,
                               json& list) {
  const std::string one = spec::text::singular(member);
  const Schemas elements = schemas_at(contract_, schemas, {"*"});
  json changed = list;
  const bool is_of_keys = !list.empty() && std::ranges::none_of(list, &json::is_structured);
  const Referred* const other = is_of_keys ? referred_by(one, elements) : nullptr;
  if (other != nullptr && changed.size() > other->keys.size()) {
    changed.erase(changed.begin() + static_cast<std::ptrdiff_t>(other->keys.size()), changed.end());
  }
  for (std::size_t i = 0; i < changed.size(); ++i) {
    refer(index + i, one, elements, changed[i]);
  }
  if (may_have(contract_, schemas, changed)) {
    list = std::move(changed);
  }
}

void SeedReferences::add(Collection& collection) {
  const auto schemas = record_source(contract_, bindings_, collection).schemas;
  const auto* const binding = &*std::ranges::find(bindings_, &collection, &Binding::collection);
  const auto is_place = [&](const std::string& member) {
    const std::vector at{member};
    return collection.id() == at ||
           std::ranges::find(binding->within, at, &Within::at) != binding->within.end();
  };
  const auto find = [this](const std::string& member, const json& key) -> SharedValue {
    const Referred* const other = referred(member);
    Collection* const of_other = other != nullptr ? other->collection : nullptr;
    const auto at = of_other != nullptr ? of_other->index_of(key_text(key)) : std::nullopt;
    return at ? not_owned(of_other->records()[*at].value) : nullptr;
  };
  own_ = {&collection};
  for (const Record& record : collection.records()) {
    own_.keys.push_back(own_key(collection, record));
  }
  for (std::size_t index = 0; index < collection.records().size(); ++index) {
    json changed = collection.records()[index].value;
    for (auto& [member, value] : changed.items()) {
      if (!is_place(member)) {
        refer(index, member, schemas_at(contract_, schemas, {member}), value);
      }
    }
    repeat_members(contract_, schemas, find, true, changed);
    collection.records()[index].value = std::move(changed);
  }
}

}  // namespace mock_server::api::loading
