#include "mock_server/inference/infer.hpp"

#include "mock_server/inference/list_plan.hpp"
#include "mock_server/inference/names.hpp"
#include "mock_server/inference/resources.hpp"
#include "mock_server/inference/shapes.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

namespace mock_server::inference {
namespace {

using nlohmann::ordered_json;
using spec::contract::Contract;
using spec::contract::Operation;
using spec::schema::Schemas;

constexpr const char* kRecordInside =
    "its request has none of the record's members, nor one member that has them";

// What is known of one resource's records.
struct Plan {
  const Resource* resource = nullptr;
  std::string collection;
  bool is_known = false;  // operations.yaml declares the collection
  std::string key;        // the record's member
  std::string parameter;  // of the path, that has the key; "" without operations of one record
  Schemas record;
  bool is_certain = true;
  bool is_scoped = false;
  std::string why;
  ordered_json within = ordered_json::array();
  std::vector<std::string> hidden;  // members that only the mock has
};

class Inferrer {
 public:
  Inferrer(const Contract& contract, const Known& known, const std::vector<std::string>& taken)
      : contract_(contract),
        known_(known),
        taken_(taken.begin(), taken.end()),
        resources_(resources_of(contract)) {}

  Inference run() {
    for (const auto& [form, resource] : resources_) {
      if (auto plan = plan_of(resource)) {
        plans_.emplace(form, std::move(*plan));
      }
    }
    for (auto& [form, plan] : plans_) {
      add_parents(plan);
    }
    for (const auto& [form, plan] : plans_) {
      add_bindings(plan);
    }
    std::ranges::sort(found_.bindings, {},
                      [](const InferredBinding& one) { return one.operation->index; });
    return std::move(found_);
  }

 private:
  void say_unclear(const Resource& resource, const std::string& why) {
    for (const auto* const operations : {&resource.of_all, &resource.of_one}) {
      for (const Operation* const operation : *operations) {
        if (!known_.contains(operation)) {
          found_.unclear.emplace(operation, why);
        }
      }
    }
  }

  std::optional<Plan> plan_of(const Resource& resource) {
    Plan plan;
    plan.resource = &resource;
    if (!resource.of_one.empty()) {
      plan.parameter = path_parameters(*resource.of_one.front()).back();
    }
    if (!find_key(plan)) {
      say_unclear(resource, plan.why);
      return std::nullopt;
    }
    // What a single operation changes, no other one shows.
    const bool is_alone = resource.of_one.size() + resource.of_all.size() < 2;
    if (is_alone || !choose_name(plan)) {
      return std::nullopt;
    }
    return plan;
  }

  // Looks for the record in the responses that should show one, the most telling first.
  bool find_key(Plan& plan) const {
    const Resource& resource = *plan.resource;
    const std::string parameter =
        plan.parameter.empty() ? singular(resource.name) + "_id" : plan.parameter;
    const std::string linked = linked_member(contract_, resource);
    bool has_shape = false;
    for (const Operation* const operation :
         {resource.one("GET"), resource.all("POST"), resource.one("PUT"), resource.one("PATCH"),
          resource.one("POST")}) {
      if (operation == nullptr) {
        continue;
      }
      const Schemas body = response_body(contract_, *operation);
      has_shape = has_shape || !body.empty();
      if (try_record(plan, body, linked, parameter) ||
          try_inner_records(plan, body, linked, parameter)) {
        plan.why = "its records are those of " + operation->name + ", by their " + plan.key;
        return true;
      }
    }
    if (const Operation* const list = resource.all("GET")) {
      const auto found = find_list(contract_, response_body(contract_, *list), resource.name);
      if (found && try_record(plan, found->schemas, linked, parameter)) {
        plan.is_certain = false;
        plan.why = "its records are the elements of " + list->name + ", by their " + plan.key;
        return true;
      }
    }
    plan.why = has_shape ? "no response has a member that holds the key {" + parameter + '}'
                         : "no response shows a record as JSON with named members";
    return false;
  }

  bool try_record(Plan& plan, const Schemas& schemas, const std::string& linked,
                  const std::string& parameter) const {
    if (schemas.empty()) {
      return false;
    }
    const bool is_linked =
        !linked.empty() && summary_of(contract_, schemas).property(linked) != nullptr;
    const std::string key =
        is_linked ? linked : key_member(contract_, schemas, parameter, plan.resource->name);
    if (key.empty()) {
      return false;
    }
    plan.key = key;
    plan.record = schemas;
    plan.is_certain = is_linked || key == "id" || plain_name(key) == plain_name(parameter) ||
                      plain_name(singular(plan.resource->name) + key) == plain_name(parameter);
    return true;
  }

  // A record inside of the response, {"data": {...}}.
  bool try_inner_records(Plan& plan, const Schemas& body, const std::string& linked,
                         const std::string& parameter) const {
    if (body.empty()) {
      return false;
    }
    const std::string one = plain_name(singular(plan.resource->name));
    for (const auto& [member, inner] : summary_of(contract_, body).properties) {
      const std::string plain = plain_name(member);
      if ((record_rank(plain) != kNoRank || plain == one) &&
          summary_of(contract_, inner).elements.empty() &&
          try_record(plan, inner, linked, parameter)) {
        return true;
      }
    }
    return false;
  }

  // The collection that operations.yaml gives to an operation of the resource, else a new name.
  // False where a file or a match has the records, which is another kind of thing.
  bool choose_name(Plan& plan) {
    for (const auto* const operations : {&plan.resource->of_one, &plan.resource->of_all}) {
      for (const Operation* const operation : *operations) {
        const auto known = known_.find(operation);
        if (known == known_.end() || !known->second) {
          continue;
        }
        if (known->second->empty()) {
          say_unclear(*plan.resource, "operations.yaml binds " + operation->id +
                                          " in a way that says nothing of the others");
          return false;
        }
        if (plan.collection.empty()) {
          plan.collection = *known->second;
          plan.is_known = true;
        }
      }
    }
    if (plan.collection.empty()) {
      plan.collection = free_name(*plan.resource);
    }
    taken_.insert(plan.collection);
    return true;
  }

  std::string free_name(const Resource& resource) const {
    std::string name;
    for (const char c : resource.name) {
      name += spec_is_name(c) ? c : '_';
    }
    std::string free = name;
    for (int number = 2; taken_.contains(free); ++number) {
      free = name + '_' + std::to_string(number);
    }
    return free;
  }

  static bool spec_is_name(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-';
  }

  // "/owners/{owner_id}/pets": the records' member that names the owner, or a hidden one.
  void add_parents(Plan& plan) {
    const Resource& resource = *plan.resource;
    if (plan.is_known) {
      return;
    }
    const Operation& any =
        resource.of_one.empty() ? *resource.of_all.front() : *resource.of_one.front();
    const auto parameters = path_parameters(any);
    for (std::size_t i = 0; i < resource.parents.size() && i < parameters.size(); ++i) {
      const std::string& form = resource.parents[i];
      const bool is_one_of_several =
          form.ends_with("{}") ||
          (i + 1 < resource.parents.size() && resource.parents[i + 1] == form + "/{}");
      const std::string name = is_one_of_several ? "" : form.substr(form.rfind('/') + 1);
      ordered_json entry{{"at", pointer_to({parent_member(plan, parameters[i], name)})},
                         {"given", pointer_to({"path", parameters[i]})}};
      if (const auto parent = plans_.find(form); parent != plans_.end()) {
        entry["in"] = parent->second.collection;
      }
      plan.within.push_back(std::move(entry));
    }
    plan.is_scoped = !plan.within.empty() && !resource.of_one.empty();
  }

  // `parent` is "" where the path has several parameters in a row, "/repos/{owner}/{repo}".
  std::string parent_member(Plan& plan, const std::string& parameter, const std::string& parent) {
    const auto& properties = summary_of(contract_, plan.record).properties;
    const std::string one = singular(parent);
    for (const std::string& name : {plain_name(parameter), plain_name(one + "_id")}) {
      for (const auto& [member, inner] : properties) {
        if (plain_name(member) == name && name != "id" && member != plan.key &&
            summary_of(contract_, inner).is_scalar()) {
          return member;
        }
      }
    }
    std::string hidden = parent.empty() ? parameter : one + "_id";
    const auto is_used = [&](const std::string& name) {
      return std::ranges::any_of(properties,
                                 [&](const auto& property) { return property.first == name; }) ||
             std::ranges::find(plan.hidden, name) != plan.hidden.end();
    };
    while (is_used(hidden)) {
      hidden = "parent_" + hidden;
    }
    plan.hidden.push_back(hidden);
    return hidden;
  }

  void add_bindings(const Plan& plan) {
    const Resource& resource = *plan.resource;
    if (!plan.is_known) {
      found_.collections.emplace(plan.collection, collection_entry(plan));
    }
    const auto add_all = [&](std::string_view method, auto make) {
      const Operation* const operation = resource.all(method);
      if (operation != nullptr && !known_.contains(operation)) {
        (this->*make)(plan, *operation);
      }
    };
    const auto add_one = [&](std::string_view method, auto make) {
      const Operation* const operation = resource.one(method);
      if (operation != nullptr && !known_.contains(operation)) {
        (this->*make)(plan, *operation);
      }
    };
    add_all("GET", &Inferrer::add_list);
    add_all("POST", &Inferrer::add_create);
    add_one("GET", &Inferrer::add_read);
    add_one("PUT", &Inferrer::add_replace);
    add_one("PATCH", &Inferrer::add_update);
    add_one("DELETE", &Inferrer::add_delete);
    if (resource.one("PUT") == nullptr && resource.one("PATCH") == nullptr) {
      add_one("POST", &Inferrer::add_update);
    }
  }

  ordered_json collection_entry(const Plan& plan) const {
    ordered_json entry{{"id", pointer_to({plan.key})}};
    if (plan.is_scoped) {
      entry["scoped"] = true;
    }
    entry["until_changed"] = "examples";
    ordered_json defaults = ordered_json::object();
    for (const auto& [member, inner] : summary_of(contract_, plan.record).properties) {
      if (summary_of(contract_, inner).format == "date-time" &&
          is_time_of_record(plain_name(member))) {
        defaults[member] = {{"now", true}};
      }
    }
    if (!defaults.empty()) {
      entry["defaults"] = std::move(defaults);
    }
    return entry;
  }

  void add(const Plan& plan, const Operation& operation, ordered_json entry, bool is_certain) {
    if (!plan.within.empty()) {
      entry["within"] = plan.within;
    }
    if (!plan.hidden.empty()) {
      entry["hide"] = plan.hidden;
    }
    found_.bindings.push_back(
        {&operation, plan.collection, plan.is_certain && is_certain, plan.why, std::move(entry)});
  }

  void say_unclear(const Operation& operation, const std::string& why) {
    found_.unclear.emplace(&operation, why);
  }

  static ordered_json entry_of(const Plan& plan, std::string_view behaviour) {
    return {{"behaviour", behaviour}, {"collection", plan.collection}};
  }

  ordered_json entry_of_one(const Plan& plan, std::string_view behaviour) const {
    ordered_json entry = entry_of(plan, behaviour);
    entry["key"] = pointer_to({"path", plan.parameter});
    return entry;
  }

  // Adds where the response has the record; where it has none, the contract's example is sent.
  // True if the record is there, or the response has no body.
  bool add_shown(const Plan& plan, const Operation& operation, ordered_json& entry) const {
    if (has_no_body(operation)) {
      return true;
    }
    const auto found = find_record_with(contract_, response_body(contract_, operation), plan.key);
    if (!found || !is_alike(contract_, plan.record, found->schemas)) {
      entry["shows"] = "example";
      return false;
    }
    if (!found->at.empty()) {
      entry["into"] = pointer_to(found->at);
    }
    return true;
  }

  void add_list(const Plan& plan, const Operation& operation) {
    const auto list =
        find_list(contract_, response_body(contract_, operation), plan.resource->name);
    if (!list) {
      return say_unclear(operation, "its response has no list of objects");
    }
    if (!is_alike(contract_, plan.record, list->schemas)) {
      return say_unclear(operation,
                         "the elements of its list are not like the records of " + plan.collection);
    }
    ordered_json entry = entry_of(plan, "list");
    add_list_plan(contract_, operation, *list, entry);
    add(plan, operation, std::move(entry),
        summary_of(contract_, list->schemas).property(plan.key) != nullptr);
  }

  // Adds where the request has the record; false, with the reason, where that is not clear.
  bool add_from(const Plan& plan, const Operation& operation, ordered_json& entry) {
    const Schemas body = request_body(operation);
    if (!holds_record_inside(contract_, body, plan.record)) {
      return true;
    }
    const std::string member = member_with_record(contract_, body, plan.record);
    if (member.empty()) {
      say_unclear(operation, kRecordInside);
      return false;
    }
    entry["from"] = pointer_to({member});
    return true;
  }

  void add_create(const Plan& plan, const Operation& operation) {
    const Schemas body = request_body(operation);
    if (body.empty() || !summary_of(contract_, body).elements.empty()) {
      return say_unclear(operation, "its request has no object to make a record of");
    }
    ordered_json entry = entry_of(plan, "create");
    if (!add_from(plan, operation, entry)) {
      return;
    }
    const Schemas response = response_body(contract_, operation);
    if (!response.empty() && find_list(contract_, response, plan.resource->name) &&
        !find_record_with(contract_, response, plan.key)) {
      return say_unclear(operation, "its response is a list");
    }
    const bool is_shown = add_shown(plan, operation, entry);
    add(plan, operation, std::move(entry), is_shown);
  }

  void add_read(const Plan& plan, const Operation& operation) {
    ordered_json entry = entry_of_one(plan, "read");
    if (!add_shown(plan, operation, entry) || has_no_body(operation)) {
      return say_unclear(operation, "its response does not show the records of " + plan.collection);
    }
    add(plan, operation, std::move(entry), true);
  }

  void add_replace(const Plan& plan, const Operation& operation) {
    if (request_body(operation).empty()) {
      return say_unclear(operation, "its request has no object to make a record of");
    }
    ordered_json entry = entry_of_one(plan, "replace");
    if (!add_from(plan, operation, entry)) {
      return;
    }
    constexpr int kCreated = 201;
    const bool creates = plan.resource->all("POST") == nullptr ||
                         std::ranges::any_of(operation.responses, [](const auto& one) {
                           return one.status == kCreated;
                         });
    if (creates) {
      entry["creates"] = true;
    }
    const bool is_shown = add_shown(plan, operation, entry);
    add(plan, operation, std::move(entry), is_shown);
  }

  void add_update(const Plan& plan, const Operation& operation) {
    if (request_body(operation).empty()) {
      return say_unclear(operation, "its request has no object that could change a record");
    }
    ordered_json entry = entry_of_one(plan, "update");
    if (!add_from(plan, operation, entry)) {
      return;
    }
    entry["fields"] = "all";
    const bool is_shown = add_shown(plan, operation, entry);
    add(plan, operation, std::move(entry), is_shown && operation.method == "PATCH");
  }

  // Whether the response is the deleted record: it requires nothing that the record has not.
  bool shows_deleted(const Plan& plan, const Operation& operation) const {
    const auto found = find_record_with(contract_, response_body(contract_, operation), plan.key);
    return found && is_alike(contract_, plan.record, found->schemas) &&
           std::ranges::all_of(
               summary_of(contract_, found->schemas).required, [&](const std::string& name) {
                 return summary_of(contract_, plan.record).property(name) != nullptr;
               });
  }

  void add_delete(const Plan& plan, const Operation& operation) {
    if (!has_success(operation)) {
      return say_unclear(operation, "it declares no success response");
    }
    ordered_json entry = entry_of_one(plan, "delete");
    if (!has_no_body(operation) && shows_deleted(plan, operation)) {
      add_shown(plan, operation, entry);
      entry["shows"] = "record";
    }
    add(plan, operation, std::move(entry), true);
  }

  const Contract& contract_;
  const Known& known_;
  std::set<std::string> taken_;
  std::map<std::string, Resource> resources_;
  std::map<std::string, Plan> plans_;  // by form
  Inference found_;
};

}  // namespace

Inference infer(const Contract& contract, const Known& known,
                const std::vector<std::string>& taken) {
  return Inferrer(contract, known, taken).run();
}

}  // namespace mock_server::inference
