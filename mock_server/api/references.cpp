#include "mock_server/api/references.hpp"

#include "mock_server/api/derived_members.hpp"
#include "mock_server/api/nested_collection.hpp"
#include "mock_server/api/record_source.hpp"
#include "spec/contract/resources/body_shapes.hpp"
#include "spec/schema/applicable.hpp"
#include "spec/schema/generate/word_tables.hpp"
#include "spec/text/ascii.hpp"
#include "spec/text/names.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <utility>

namespace mock_server::api {
namespace {

namespace resources = spec::contract::resources;
using nlohmann::json;
using spec::contract::Contract;
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

bool starts_with(const std::vector<std::string>& place, const std::vector<std::string>& at) {
  return place.size() >= at.size() && std::equal(at.begin(), at.end(), place.begin());
}

bool is_readable(std::span<const Binding> bindings, const Collection& collection) {
  return std::ranges::any_of(bindings, [&](const Binding& one) {
    return one.collection == &collection && one.behaviour == Behaviour::kRead;
  });
}

}  // namespace

json own_key(const Collection& collection, const Record& record) {
  const json* const key = collection.id() ? walk(&record.value, *collection.id()) : nullptr;
  return key != nullptr ? *key : json(record.key);
}

std::optional<spec::schema::SchemaId> first_object(const Contract& contract,
                                                   const Schemas& schemas) {
  const auto& program = contract.schemas().program();
  for (const auto id : schemas) {
    for (const auto one : applicable(program, id, spec::schema::Reach::kPossible)) {
      const auto target = follow_references(program, one);
      if (!contract.summaries().summary_of(target).properties.empty()) {
        return target;
      }
    }
  }
  return std::nullopt;
}

// By the name of the collection or list, else by that of the component of a collection's records
// where no other has that: "employee_id" of /staff.
void References::name_all() {
  if (std::exchange(is_named_, true)) {
    return;
  }
  std::map<std::string, Referred*> by_component;
  std::set<std::string> taken{""};
  for (Collection* const collection : collections_) {
    Referred& own = of_collections_[collection] = {collection};
    if (collection->is_single()) {
      continue;
    }
    by_name_.try_emplace(plain_name(spec::text::singular(collection->name())), &own);
    const auto schemas = record_source(contract_, bindings_, *collection).schemas;
    const std::string component = resources::component_of(contract_, schemas);
    const std::string name = plain_name(component.substr(component.rfind('/') + 1));
    if (!by_component.emplace(name, &own).second) {
      taken.insert(name);
    }
    const auto object = first_object(contract_, schemas);
    if (object && !collection->is_scoped() && collection->id()) {
      auto& all = by_object_[*object];
      all.insert(is_readable(bindings_, *collection) ? all.begin() : all.end(), &own);
    }
  }
  name_examples();
  for (const auto& [name, referred] : by_component) {
    if (!taken.contains(name)) {
      by_name_.try_emplace(name, referred);
    }
  }
}

// Lists without a collection that are sent as the contract's example of them.
void References::name_examples() {
  for (const auto& operation : contract_.operations()) {
    const auto* const response = resources::success_of(operation);
    const auto* const content = response != nullptr && operation.method == "GET" &&
                                        operation.path.find('{') == std::string::npos
                                    ? spec::contract::json_content(response->contents)
                                    : nullptr;
    const std::string name = spec::contract::subject_of(operation);
    if (content == nullptr || content->examples.empty()) {
      continue;
    }
    const auto list =
        resources::find_list(contract_, resources::response_body(contract_, operation), name);
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
      auto& [list_name, own] = *of_examples_.try_emplace(name, std::move(found)).first;
      by_name_.try_emplace(plain_name(spec::text::singular(list_name)), &own);
    }
  }
}

// Null if there are no records.
const References::Referred* References::with_keys(Referred* one) {
  if (one != nullptr && one->keys.empty() && one->collection != nullptr) {
    fill_(*one->collection);
    for (const Record& record : one->collection->records()) {
      one->keys.push_back(own_key(*one->collection, record));
    }
  }
  return one == nullptr || one->keys.empty() ? nullptr : one;
}

// `is_key`: the member is one of keys, else one of records.
References::Referred* References::by_name(std::string_view member, bool is_key) {
  name_all();
  for (std::size_t at = 0; at != std::string_view::npos; at = next_word(member, at)) {
    const auto rest = member.substr(at);
    const auto found = by_name_.find(is_key ? subject_of_key(rest) : plain_name(rest));
    if (found != by_name_.end()) {
      return found->second;
    }
  }
  return is_key ? by_role(subject_of_key(member)) : nullptr;
}

// The people of whom one is the assignee of `assignee_id`; null if there are none.
References::Referred* References::by_role(std::string_view subject) {
  const auto& roles = spec::schema::generate::word_tables().roles;
  if (std::ranges::find(roles, subject, [](const auto& role) { return plain_name(role); }) ==
      roles.end()) {
    return nullptr;
  }
  for (const char* const people : {"user", "person", "people", "member", "employee"}) {
    if (const auto found = by_name_.find(people); found != by_name_.end()) {
      return found->second;
    }
  }
  return nullptr;
}

// "The key of a customer, or the customer", whatever the member is called. Null if it is no such
// choice.
References::Referred* References::by_shape(const Schemas& schemas) {
  if (schemas.empty() || !resources::is_choice(contract_, schemas)) {
    return nullptr;
  }
  for (const auto id :
       applicable(contract_.schemas().program(), schemas.front(), spec::schema::Reach::kPossible)) {
    const std::string component = resources::component_of(contract_, {id});
    const auto found = by_name_.find(plain_name(component.substr(component.rfind('/') + 1)));
    if (!component.empty() && found != by_name_.end()) {
      return found->second;
    }
  }
  return nullptr;
}

// Also the collection itself, for "parent_id".
const References::Referred* References::by_key(const Referrer& by, const std::string& member,
                                               const Schemas& schemas) {
  Referred* const named = by_name(member, true);
  const Referred* const other = with_keys(named != nullptr ? named : by_shape(schemas));
  const bool is_parent =
      other == nullptr && by.own != nullptr && subject_of_key(member) == "parent";
  return is_parent ? with_keys(&of_collections_.at(by.own)) : other;
}

// The collection whose records such an object is: of these schemas, or of that name and with the
// member that is their key. Null if there is none.
const References::Referred* References::shown_in(const std::string& member,
                                                 spec::schema::SchemaId object) {
  Referred* const named = by_name(member, false);
  const auto shown = by_object_.find(object);
  if (shown != by_object_.end()) {
    const bool is_named = std::ranges::find(shown->second, named) != shown->second.end();
    return with_keys(is_named ? named : shown->second.front());
  }
  const Collection* const other = named != nullptr ? named->collection : nullptr;
  const bool has_key = other != nullptr && !other->is_scoped() && other->id() &&
                       !schemas_at(contract_, {object}, *other->id()).empty();
  return has_key ? with_keys(named) : nullptr;
}

// True for the key of the record that refers, and those of its parents; `is_around`: for what holds
// one of these.
bool References::is_place(const Referrer& by, const Path& at, bool is_around) const {
  const auto* const binding =
      by.own != nullptr ? &*std::ranges::find(bindings_, by.own, &Binding::collection) : nullptr;
  const auto is_it = [&](const Path& place) {
    return is_around ? starts_with(place, at) : place == at;
  };
  return binding != nullptr && ((by.own->id() && is_it(*by.own->id())) ||
                                std::ranges::any_of(binding->within, is_it, &Within::at));
}

SharedValue References::start_record(const Collection& collection, std::size_t index) const {
  const auto bare = bare_.find(&collection);
  return not_owned(bare != bare_.end()
                       ? bare->second[index]
                       : of_collections_.at(&collection).collection->records()[index].value);
}

// Of the collection of the record that refers the one before; of others that of the same index, or
// the next that there still is.
std::optional<std::size_t> References::pick(const Referrer& by, const Referred& other) const {
  const std::size_t size = other.keys.size();
  const bool is_own = by.own != nullptr && other.collection == by.own;
  for (std::size_t i = is_own ? size - 1 : 0; i < size + (is_own ? size - 1 : 0); ++i) {
    const std::size_t at = (by.index + i) % size;
    if (other.collection == nullptr || !by.find ||
        by.find(*other.collection, other.collection->records()[at].key) != nullptr) {
      return at;
    }
  }
  return std::nullopt;
}

void References::refer_members(const Referrer& by, const Path& at, const Schemas& schemas,
                               json& object) {
  for (auto& [name, value] : object.items()) {
    Path inner = at;
    inner.push_back(name);
    if (!is_place(by, inner, false)) {
      refer_part(by, inner, schemas_at(contract_, schemas, {name}), value);
    }
  }
}

void References::refer_part(const Referrer& by, const Path& at, const Schemas& schemas,
                            json& value) {
  if (value.is_object()) {
    if (by.own == nullptr || is_place(by, at, true) || !show_record(by, at, schemas, value)) {
      refer_members(by, at, schemas, value);
    }
  } else if (value.is_array()) {
    refer_all(by, at, schemas, value);
  } else {
    refer_key(by, at.back(), schemas, value);
  }
}

// False if the object shows no record of a collection.
bool References::show_record(const Referrer& by, const Path& at, const Schemas& schemas,
                             json& object) {
  const auto shape = first_object(contract_, schemas);
  const Referred* const other = shape ? shown_in(at.back(), *shape) : nullptr;
  const auto index = other != nullptr ? pick(by, *other) : std::nullopt;
  if (!index || !may_have(contract_, {*shape}, object)) {
    return false;
  }
  const Collection& collection = *other->collection;
  if (&collection == by.own && by.index == 0 && may_have(contract_, schemas, nullptr)) {
    object = nullptr;  // nobody's child
    return true;
  }
  const auto record = by.find ? by.find(collection, other->collection->records()[*index].key)
                              : start_record(collection, *index);
  json shown = object;
  show_members(contract_, {*shape}, *record, by.find ? Showing::kWhole : Showing::kBare, shown);
  set_at(shown, *collection.id(), other->keys[*index]);
  if (!by.find) {
    refer_members({&collection, *index, {}}, {}, {*shape}, shown);
  }
  const bool is_valid = may_have(contract_, schemas, shown);
  if (is_valid) {
    object = std::move(shown);
  }
  return is_valid;
}

void References::refer_key(const Referrer& by, const std::string& member, const Schemas& schemas,
                           json& value) {
  const Referred* const other = by_key(by, member, schemas);
  const auto at = other != nullptr ? pick(by, *other) : std::nullopt;
  if (!at || (by.is_given && by.is_given(value))) {
    return;
  }
  if (by.own != nullptr && other->collection == by.own && by.index == 0 &&
      may_have(contract_, schemas, nullptr)) {
    value = nullptr;  // nobody's child
    return;
  }
  const json& key = other->keys[*at];
  const bool is_alike = key.is_number() ? value.is_number() : value.is_string();
  if (is_alike && may_have(contract_, schemas, key)) {
    value = key;
  }
}

// A list of keys names different records.
void References::refer_all(const Referrer& by, Path at, const Schemas& schemas, json& list) {
  at.back() = spec::text::singular(at.back());
  const Schemas elements = schemas_at(contract_, schemas, {"*"});
  json changed = list;
  const bool is_of_keys = !list.empty() && std::ranges::none_of(list, &json::is_structured);
  const Referred* const other = is_of_keys ? by_key(by, at.back(), elements) : nullptr;
  if (other != nullptr && changed.size() > other->keys.size()) {
    changed.erase(changed.begin() + static_cast<std::ptrdiff_t>(other->keys.size()), changed.end());
  }
  Referrer one = by;
  for (json& element : changed) {
    refer_part(one, at, elements, element);
    ++one.index;
  }
  if (may_have(contract_, schemas, changed)) {
    list = std::move(changed);
  }
}

void References::add(Collection& collection) {
  const auto held = lock();
  name_all();
  const auto schemas = record_source(contract_, bindings_, collection).schemas;
  const auto find = [this](const std::string& member, const json& key) -> SharedValue {
    const Referred* const other = with_keys(by_name(member, true));
    const Collection* const of_other = other != nullptr ? other->collection : nullptr;
    const auto at = of_other != nullptr ? of_other->index_of(key_text(key)) : std::nullopt;
    return at ? start_record(*of_other, *at) : nullptr;
  };
  std::vector<json> bare;
  for (const Record& record : collection.records()) {
    bare.push_back(record.value);
  }
  bare_[&collection] = std::move(bare);
  for (std::size_t index = 0; index < collection.records().size(); ++index) {
    json changed = collection.records()[index].value;
    if (changed.is_object()) {
      refer_members({&collection, index, {}}, {}, schemas, changed);
    }
    repeat_members(contract_, schemas, find, true, changed);
    collection.records()[index].value = std::move(changed);
  }
}

void References::refer(const Referrer& by, const Schemas& schemas, json& value) {
  const auto held = lock();
  name_all();
  if (value.is_object()) {
    refer_members(by, {}, schemas, value);
  } else {
    refer_part(by, {""}, schemas, value);
  }
}

const Collection* References::named(std::string_view member) {
  const auto held = lock();
  const Referred* const found = by_name(member, true);
  return found != nullptr ? found->collection : nullptr;
}

std::vector<const Collection*> References::showing(const Schemas& schemas) {
  const auto held = lock();
  name_all();
  const auto object = first_object(contract_, schemas);
  const auto found = object ? by_object_.find(*object) : by_object_.end();
  std::vector<const Collection*> all;
  if (found != by_object_.end()) {
    for (const Referred* const one : found->second) {
      all.push_back(one->collection);
    }
  }
  return all;
}

}  // namespace mock_server::api
