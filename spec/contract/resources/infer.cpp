#include "spec/contract/resources/infer.hpp"

#include "spec/contract/resources/actions.hpp"
#include "spec/contract/resources/body_shapes.hpp"
#include "spec/contract/resources/list_plan.hpp"
#include "spec/contract/resources/record_plan.hpp"
#include "spec/contract/resources/record_views.hpp"
#include "spec/contract/resources/resource.hpp"
#include "spec/contract/resources/shared_records.hpp"
#include "spec/contract/resources/usual_names.hpp"
#include "spec/json/pointer.hpp"
#include "spec/text/ascii.hpp"
#include "spec/text/names.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

namespace spec::contract::resources {
namespace {

using json::pointer_of;
using nlohmann::ordered_json;
using schema::Schemas;

class Inferrer {
 public:
  Inferrer(const Contract& contract, const KnownBindings& known,
           const std::vector<std::string>& taken)
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
    auto shared = share_records(contract_, resources_, plans_);
    for (const auto& [form, resource] : resources_) {
      if (shared.contains(form) || !is_list_alone(resource)) {
        continue;
      }
      if (auto own = plan_of_list_alone(resource)) {
        plans_.emplace(form, std::move(*own));
      }
    }
    for (auto& [form, plan] : plans_) {
      add_parents(contract_, plans_, plan);
    }
    for (const auto& [form, plan] : plans_) {
      add_bindings(plan);
    }
    for (const auto& [form, plan] : shared) {
      add_bindings(plan);
    }
    for (const auto& [form, resource] : resources_) {
      if (!shared.contains(form)) {
        add_list_of_some(resource);
      }
    }
    add_actions({contract_, known_, resources_, plans_}, found_);
    add_lists_of_examples();
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
    if (find_single(contract_, plan)) {
      return choose_name(plan) ? std::optional(std::move(plan)) : std::nullopt;
    }
    const Schemas shown = elements_in_parent(resource);
    if (!resource.is_collection() && shown.empty()) {
      return std::nullopt;
    }
    if (!resource.of_one.empty()) {
      plan.parameter = parameter_names(resource.of_one.front()->segments).back();
    }
    const auto parent = shown.empty() ? plans_.end() : plans_.find(resource.parents.back());
    const bool is_in_parent =
        parent != plans_.end() && find_key_in_parent(contract_, shown, parent->second, plan);
    if (!is_in_parent && !find_key(contract_, plan)) {
      say_unclear(resource, plan.why);
      return std::nullopt;
    }
    // If only one operation changes the record, no other one shows the change.
    const bool is_alone = resource.of_one.size() + resource.of_all.size() < 2 &&
                          (shown.empty() || !is_alike(contract_, shown, plan.record)) &&
                          !is_listed_below(resource);
    if (is_alone || !choose_name(plan)) {
      return std::nullopt;
    }
    return plan;
  }

  // "/orders/{id}" beside "/customers/{id}/orders", where "/customers" lists who has orders.
  bool is_listed_below(const Resource& resource) const {
    return std::ranges::any_of(resources_, [&](const auto& one) {
      const auto& [form, other] = one;
      const auto above = resources_.find(other.parents.empty() ? form : other.parents.back());
      return other.name == resource.name && resource.parents.empty() && !other.parents.empty() &&
             other.all("GET") != nullptr && above != resources_.end() &&
             above->second.all("GET") != nullptr;
    });
  }

  // "GET /currencies" alone: a list of records that others may name. Not below a record, of which
  // each has others, nor what shows some of the records of the path above it, or has to be asked
  // for them by parameters.
  bool is_list_alone(const Resource& resource) const {
    const Operation* const list = resource.all("GET");
    const auto above = plans_.find(resource.form.substr(0, resource.form.rfind('/')));
    const bool is_of_some = above != plans_.end() && above->second.resource->is_collection();
    return list != nullptr && resource.of_one.empty() && resource.of_all.size() == 1 &&
           resource.parents.empty() && !plans_.contains(resource.form) && !known_.contains(list) &&
           !is_of_some && !is_word_for_some(text::plain_name(resource.name)) &&
           std::ranges::none_of(list->parameters, [](const Parameter& parameter) {
             return parameter.required && parameter.location == Location::kQuery;
           });
  }

  std::optional<Plan> plan_of_list_alone(const Resource& resource) {
    Plan plan;
    plan.resource = &resource;
    return find_listed(contract_, plan) && choose_name(plan) ? std::optional(std::move(plan))
                                                             : std::nullopt;
  }

  // The objects that the parent's record lists under the name of the resource: the `items` of a
  // cart for "POST /carts/{id}/items". Empty if there are none.
  Schemas elements_in_parent(const Resource& resource) const {
    const auto parent =
        resource.parents.empty() ? plans_.end() : plans_.find(resource.parents.back());
    if (parent == plans_.end() || resource.all("POST") == nullptr) {
      return {};
    }
    for (const auto& [name, inner] : summary_of(contract_, parent->second.record).properties) {
      const Schemas& elements = summary_of(contract_, inner).elements;
      if (text::plain_name(name) == text::plain_name(resource.name) && !elements.empty() &&
          !summary_of(contract_, elements).properties.empty()) {
        return elements;
      }
    }
    return {};
  }

  // Chooses the collection that operations.yaml gives to an operation of the resource, else a new
  // name. False if the records are in a file or a match, which is another kind of binding.
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
      name += is_of_name(c) ? c : '_';
    }
    std::string free = name;
    for (int number = 2; taken_.contains(free); ++number) {
      free = name + '_' + std::to_string(number);
    }
    return free;
  }

  static bool is_of_name(char c) { return text::is_letter_or_digit(c) || c == '_' || c == '-'; }

  void add_bindings(const Plan& plan) {
    const Resource& resource = *plan.resource;
    if (!plan.is_known) {
      found_.collections.emplace(plan.collection, collection_entry(plan));
    }
    const auto add_as = [&](const Operation* operation, auto make) {
      if (operation != nullptr && !known_.contains(operation)) {
        (this->*make)(plan, *operation);
      }
    };
    if (plan.is_single) {
      add_as(resource.all("GET"), &Inferrer::add_read);
      add_as(resource.all("PUT"), &Inferrer::add_replace);
      add_as(resource.all("PATCH"), &Inferrer::add_update);
      add_as(resource.all("DELETE"), &Inferrer::add_delete);
      return;
    }
    add_as(resource.all("GET"), &Inferrer::add_list);
    add_as(resource.all("POST"), &Inferrer::add_create);
    add_as(resource.one("GET"), &Inferrer::add_read);
    add_as(resource.one("PUT"), &Inferrer::add_replace);
    add_as(resource.one("PATCH"), &Inferrer::add_update);
    add_as(resource.one("DELETE"), &Inferrer::add_delete);
    if (resource.one("PUT") == nullptr && resource.one("PATCH") == nullptr) {
      add_as(resource.one("POST"), &Inferrer::add_update);
      add_as(resource.all("PUT"), &Inferrer::add_replace_by_body);
      add_as(resource.all("PATCH"), &Inferrer::add_update_by_body);
    }
  }

  ordered_json collection_entry(const Plan& plan) const {
    ordered_json entry = ordered_json::object();
    if (plan.is_single) {
      entry["single"] = true;
    } else if (!plan.key.empty()) {
      entry["id"] = pointer_of(plan.key);
    }
    if (plan.is_scoped) {
      entry["scoped"] = true;
    }
    entry["until_changed"] = "examples";
    ordered_json defaults = ordered_json::object();
    for (const auto& [member, inner] : summary_of(contract_, plan.record).properties) {
      if (summary_of(contract_, inner).format == "date-time" &&
          is_time_of_record(text::plain_name(member))) {
        defaults[member] = {{"now", true}};
        if (is_time_of_change(text::plain_name(member))) {
          defaults[member]["on_change"] = true;
        }
      }
    }
    if (!defaults.empty()) {
      entry["defaults"] = std::move(defaults);
    }
    return entry;
  }

  void add(const Plan& plan, const Operation& operation, ordered_json entry, bool is_certain) {
    found_.bindings.push_back(bound_to(contract_, plan, operation, std::move(entry), is_certain));
  }

  void say_unclear(const Operation& operation, const std::string& why) {
    found_.unclear.emplace(&operation, why);
  }

  void add_list(const Plan& plan, const Operation& operation) {
    auto list = find_list(contract_, response_body(contract_, operation), plan.resource->name);
    if (!list) {
      return say_unclear(operation, "its response has no list of objects");
    }
    const std::string inside = member_with_view(contract_, plan, list->schemas);
    if (inside.empty() && !is_view(contract_, plan, list->schemas)) {
      return say_unclear(operation,
                         "the elements of its list are not like the records of " + plan.collection);
    }
    ordered_json entry = entry_of(plan, "list");
    if (!inside.empty()) {
      entry["element"] = pointer_of({inside});
      list->schemas = Schemas(*summary_of(contract_, list->schemas).property(inside));
    }
    RecordPlace whole = *list;  // filters know members that the list does not show
    for (const auto schema : plan.record) {
      if (std::ranges::find(whole.schemas, schema) == whole.schemas.end()) {
        whole.schemas.push_back(schema);
      }
    }
    add_list_plan(contract_, operation, whole, entry);
    add_names(contract_, plan, list->schemas, entry);
    add(plan, operation, std::move(entry), has_member(contract_, list->schemas, plan.key));
  }

  // Adds the member of the request that is the key, where the record calls it otherwise.
  void add_given_key(const Plan& plan, const Operation& operation, ordered_json& entry) const {
    const Schemas body = request_body(operation);
    if (body.empty() || plan.key.empty() || plan.parameter.empty() || entry.contains("from") ||
        summary_of(contract_, body).property(plan.key.front()) != nullptr) {
      return;
    }
    const std::string one = text::plain_name(text::singular(plan.resource->name));
    for (const auto& [member, inner] : summary_of(contract_, body).properties) {
      const std::string plain = text::plain_name(member);
      if ((plain == text::plain_name(plan.parameter) || plain == one + "id") &&
          summary_of(contract_, inner).is_scalar()) {
        entry["key"] = pointer_of({"body", member});
        return;
      }
    }
  }

  void add_create(const Plan& plan, const Operation& operation) {
    const Schemas body = request_body(operation);
    const Schemas& sent = of_one(contract_, body);
    const bool is_list_of_others = &sent == &body && !body.empty() &&
                                   !summary_of(contract_, body).elements.empty() &&
                                   summary_of(contract_, body).properties.empty();
    const bool has_record =
        operation.body ? may_be_object(contract_, sent) : shows_one(contract_, plan, operation);
    if (!has_record || is_list_of_others) {
      return say_unclear(operation, "its request has no object to make a record of");
    }
    const Schemas response = response_body(contract_, operation);
    const bool is_list = !response.empty() && find_list(contract_, response, plan.resource->name) &&
                         !shows_one(contract_, plan, operation);
    if (is_list && !is_alike(contract_, plan.record, sent) &&
        !reads_lists_of_one(contract_, plan) &&
        member_with_record(contract_, sent, plan.record).empty()) {
      return say_unclear(operation, "its response is a list of something else");
    }
    ordered_json entry = entry_of(plan, "create");
    const bool is_clear = add_from(contract_, plan, operation, entry);
    add_given_key(plan, operation, entry);
    const bool is_shown = add_shown(contract_, plan, operation, entry);
    add(plan, operation, std::move(entry), is_clear && is_shown);
  }

  void add_read(const Plan& plan, const Operation& operation) {
    if (has_no_body(operation)) {
      return say_unclear(operation, "its response does not show the records of " + plan.collection);
    }
    ordered_json entry = entry_of_one(plan, operation, "read");
    const bool is_shown = add_shown(contract_, plan, operation, entry);
    add(plan, operation, std::move(entry), is_shown);
  }

  void add_replace(const Plan& plan, const Operation& operation) {
    add_replace_entry(plan, operation, entry_of_one(plan, operation, "replace"));
  }

  // "PUT /pets" whose body names the pet.
  void add_replace_by_body(const Plan& plan, const Operation& operation) {
    if (auto entry = entry_by_body(plan, operation, "replace")) {
      add_replace_entry(plan, operation, std::move(*entry));
    }
  }

  void add_update_by_body(const Plan& plan, const Operation& operation) {
    if (auto entry = entry_by_body(plan, operation, "update")) {
      add_update_entry(plan, operation, std::move(*entry));
    }
  }

  // None if the request's body is not the record with its key.
  std::optional<ordered_json> entry_by_body(const Plan& plan, const Operation& operation,
                                            std::string_view behaviour) {
    const Schemas body = request_body(operation);
    const bool has_key =
        !body.empty() && plan.key.size() == 1 &&
        contract_.summaries().summary_of(body).property(plan.key.front()) != nullptr;
    if (plan.parameter.empty() || !has_key || !is_alike(contract_, plan.record, body)) {
      say_unclear(operation, "its request does not name one of the records of " + plan.collection);
      return std::nullopt;
    }
    ordered_json entry = entry_of(plan, behaviour);
    entry["key"] = pointer_of({"body", plan.key.front()});
    return entry;
  }

  void add_replace_entry(const Plan& plan, const Operation& operation, ordered_json entry) {
    if (!may_be_object(contract_, request_body(operation))) {
      return say_unclear(operation, "its request has no object to make a record of");
    }
    const bool is_clear = add_from(contract_, plan, operation, entry);
    constexpr int kCreated = 201;
    const bool creates =
        plan.is_single || plan.resource->all("POST") == nullptr || operation.declares(kCreated);
    if (creates) {
      entry["creates"] = true;
    }
    const bool is_shown = add_shown(contract_, plan, operation, entry);
    add(plan, operation, std::move(entry), is_clear && is_shown);
  }

  void add_update(const Plan& plan, const Operation& operation) {
    add_update_entry(plan, operation, entry_of_one(plan, operation, "update"));
  }

  void add_update_entry(const Plan& plan, const Operation& operation, ordered_json entry) {
    if (!may_be_object(contract_, request_body(operation))) {
      return say_unclear(operation, "its request has no object that could change a record");
    }
    const bool is_clear = add_from(contract_, plan, operation, entry);
    entry["fields"] = "all";
    const bool is_shown = add_shown(contract_, plan, operation, entry);
    add(plan, operation, std::move(entry), is_clear && is_shown && operation.method == "PATCH");
  }

  // True if the response is the deleted record: it requires only members that the record has.
  bool shows_deleted(const Plan& plan, const Operation& operation) const {
    const auto found = shown_by(contract_, plan, operation);
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
    ordered_json entry = entry_of_one(plan, operation, "delete");
    if (!has_no_body(operation) && shows_deleted(plan, operation)) {
      add_shown(contract_, plan, operation, entry);
      entry["shows"] = "record";
    }
    add(plan, operation, std::move(entry), true);
  }

  // "GET /pets/findByStatus" that lists pets: a part of those of "/pets".
  void add_list_of_some(const Resource& resource) {
    const std::size_t end = resource.form.rfind('/');
    const auto whole = plans_.find(resource.form.substr(0, end));
    const Operation* const operation = resource.all("GET");
    const bool is_named = is_word_for_some(text::plain_name(resource.name));
    if (!is_named || operation == nullptr || plans_.contains(resource.form) ||
        known_.contains(operation) || whole == plans_.end() || whole->second.is_single) {
      return;
    }
    const Plan& plan = whole->second;
    const auto list =
        find_list(contract_, response_body(contract_, *operation), plan.resource->name);
    if (!list || !is_alike(contract_, plan.record, list->schemas) ||
        !has_member(contract_, list->schemas, plan.key)) {
      return say_unclear(*operation,
                         "its response has no list of the records of " + plan.collection);
    }
    ordered_json entry = entry_of(plan, "list");
    add_list_plan(contract_, *operation, *list, entry);
    const auto filters = entry.find("filters");
    const bool is_clear =
        filters != entry.end() && std::ranges::none_of(*filters, [](const ordered_json& filter) {
          return filter.at("is") == "contains";
        });
    if (!is_clear) {
      return say_unclear(*operation, "its parameters name no member of the records of " +
                                         plan.collection + " to choose them by");
    }
    add(plan, *operation, std::move(entry), true);
  }

  // Other lists: filters, order and pages of what the contract's example or a generated one has.
  void add_lists_of_examples() {
    for (const Operation& operation : contract_.operations()) {
      const auto is_its = [&](const InferredBinding& one) { return one.operation == &operation; };
      const auto list = operation.method != "GET" || operation.path.ends_with('}') ||
                                known_.contains(&operation) ||
                                std::ranges::any_of(found_.bindings, is_its)
                            ? std::nullopt
                            : find_list(contract_, response_body(contract_, operation),
                                        operation.path.substr(operation.path.rfind('/') + 1));
      if (list) {
        ordered_json entry{{"behaviour", "example"}};
        add_list_plan(contract_, operation, *list, entry);
        found_.bindings.push_back(
            {&operation, "", false, "it lists what no other operation is about", std::move(entry)});
      }
    }
  }

  const Contract& contract_;
  const KnownBindings& known_;
  std::set<std::string> taken_;
  std::map<std::string, Resource> resources_;
  std::map<std::string, Plan> plans_;  // by form
  Inference found_;
};

}  // namespace

Inference infer(const Contract& contract, const KnownBindings& known,
                const std::vector<std::string>& taken) {
  return Inferrer(contract, known, taken).run();
}

}  // namespace spec::contract::resources
