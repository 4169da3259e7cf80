#include "mock_server/service/responses/sent_lists.hpp"

#include "mock_server/api/nested_collection.hpp"
#include "mock_server/api/references.hpp"
#include "mock_server/service/responses/referred_records.hpp"
#include "spec/contract/resources/body_shapes.hpp"
#include "spec/json/value.hpp"
#include "spec/schema/generate/agreement.hpp"
#include "spec/text/names.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

namespace mock_server::service::responses {
namespace {

using nlohmann::json;
using spec::contract::resources::RecordPlace;
using spec::schema::Schemas;

json generated(const RequestContext& context, const Schemas& schemas, std::string_view thing,
               const std::string& seed_text) {
  spec::schema::generate::GenerateOptions options;
  options.seed = seed_for(context, seed_text);
  options.key = seed_text;
  options.direction = spec::schema::Direction::kResponse;
  options.later = record_maker(context).later;
  options.thing = thing;
  options.is_success = true;
  auto made = context.lazy_generator.generator().generate(schemas.front(), options);
  return made && made->is_object() ? std::move(*made) : json::object();
}

// An object whose key was sent: the object with that key.
json with_key(const json& shown, const json& sent) {
  constexpr std::array<const char*, 7> kKeys{"id", "value", "uuid", "gid", "key", "slug", "name"};
  json whole = shown;
  for (const char* const name : kKeys) {
    const auto own = whole.find(name);
    if (own != whole.end() && spec::json::type_of(*own) == spec::json::type_of(sent)) {
      *own = sent;
      break;
    }
  }
  return whole;
}

// Shapes the elements of one list of the record.
class SentList {
 public:
  SentList(const RequestContext& context, const RecordPlace& list, std::string name,
           const std::string& own_key)
      : context_(context), list_(list), name_(std::move(name)), own_key_(own_key) {}

  // `known`: the list as it was; null if there was none. The others of it stay where every element
  // that was sent is one of it.
  json shape(const json& sent, const json* known) const {
    json all = json::array();
    bool are_known = true;
    for (const json& element : sent) {
      const json* const old = same_in(known, element);
      are_known = are_known && old != nullptr;
      all.push_back(shape_one(element, old, all.size()));
    }
    for (const json& old : are_known&& known != nullptr ? *known : json::array()) {
      if (same_in(&all, old) == nullptr) {
        all.push_back(old);
      }
    }
    return all;
  }

 private:
  static const json* same_in(const json* list, const json& element) {
    if (list == nullptr || !list->is_array() || !element.contains("id")) {
      return nullptr;
    }
    const auto found = std::ranges::find_if(*list, [&element](const json& one) {
      return one.is_object() && one.contains("id") && one["id"] == element["id"];
    });
    return found == list->end() ? nullptr : &*found;
  }

  json shape_one(const json& sent, const json* old, std::size_t at) const {
    const auto& contract = context_.api.contract;
    const json example = old != nullptr
                             ? *old
                             : generated(context_, list_.schemas, name_,
                                         own_key_ + '/' + name_ + '/' + std::to_string(at));
    json element = old != nullptr ? *old : json::object();
    for (const auto& [member, value] : sent.items()) {
      const Schemas inner = api::schemas_at(contract, list_.schemas, {member});
      if (inner.empty() || api::may_have(contract, inner, value)) {
        element[member] = value;
      } else if (example.contains(member)) {
        element[member] = shown_for_key(context_, inner, example[member], value);
      }
    }
    add_parent(element);
    add_repeated(context_, {.schemas = list_.schemas}, element);
    add_required(contract, list_.schemas, example, element);
    return element;
  }

  // "subscription": the key of the record that the element belongs to.
  void add_parent(json& element) const {
    const auto& contract = context_.api.contract;
    const std::string one =
        spec::text::plain_name(spec::text::singular(subject_of(*context_.operation)));
    for (const auto& [member, inner] : contract.summaries().summary_of(list_.schemas).properties) {
      const std::string plain = spec::text::plain_name(member);
      if ((plain == one || plain == one + "id") && !element.contains(member) &&
          api::may_have(contract, inner, own_key_)) {
        element[member] = own_key_;
      }
    }
  }

  const RequestContext& context_;
  const RecordPlace& list_;
  std::string name_;
  const std::string& own_key_;
};

bool is_list_of_objects(const json& value) {
  return value.is_array() && !value.empty() &&
         std::ranges::all_of(value, [](const json& one) { return one.is_object(); });
}

// The page around a list, generated, and what it says of the list.
json page_around(const RequestContext& context, const Schemas& schemas, const RecordPlace& list,
                 json elements, const std::string& seed_text) {
  json page = generated(context, schemas, context.binding->collection->name(), seed_text);
  api::set_at(page, list.at, std::move(elements));
  spec::schema::generate::make_agree(
      page, [](const std::string&) { return false; },
      [&](const std::string& member, json value) {
        const Schemas inner = api::schemas_at(context.api.contract, schemas, {member});
        const bool is_valid = api::may_have(context.api.contract, inner, value);
        if (is_valid) {
          page[member] = std::move(value);
        }
        return is_valid;
      });
  return page;
}

}  // namespace

json shown_for_key(const RequestContext& context, const Schemas& schemas, const json& shown,
                   const json& sent) {
  if (!shown.is_object() || !sent.is_primitive()) {
    return shown;
  }
  const auto record = record_in(context, context.api.fixtures.references().showing(schemas), sent);
  return record != nullptr ? *record : with_key(shown, sent);
}

void shape_sent_lists(const RequestContext& context, const RecordSource& source,
                      const std::string& own_key, const json* before, json& record) {
  const auto& contract = context.api.contract;
  if (source.schemas.empty() || !context.binding->collection->shows_examples_first()) {
    return;
  }
  for (const auto& [name, inner] : contract.summaries().summary_of(source.schemas).properties) {
    const auto own = record.find(name);
    if (own == record.end() || !is_list_of_objects(*own)) {
      continue;
    }
    const auto list = spec::contract::resources::find_list(contract, inner, name);
    if (!list || (list->at.empty() && api::may_have(contract, inner, *own))) {
      continue;
    }
    std::vector<std::string> at{name};
    at.insert(at.end(), list->at.begin(), list->at.end());
    json elements = SentList(context, *list, name, own_key)
                        .shape(*own, before != nullptr ? api::walk(before, at) : nullptr);
    *own = list->at.empty()
               ? std::move(elements)
               : page_around(context, inner, *list, std::move(elements), own_key + '/' + name);
  }
}

}  // namespace mock_server::service::responses
