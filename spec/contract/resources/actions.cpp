#include "spec/contract/resources/actions.hpp"

#include "spec/contract/resources/body_shapes.hpp"
#include "spec/contract/resources/record_views.hpp"
#include "spec/contract/resources/state_words.hpp"
#include "spec/contract/resources/states.hpp"
#include "spec/json/pointer.hpp"
#include "spec/text/names.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

namespace spec::contract::resources {
namespace {

using json::pointer_of;
using nlohmann::ordered_json;
using schema::Schemas;

class ActionInferrer {
 public:
  ActionInferrer(const ActionInput& input, Inference& found)
      : contract_(input.contract),
        known_(input.known),
        resources_(input.resources),
        plans_(input.plans),
        found_(found) {}

  void run() {
    for (const auto& [form, resource] : resources_) {
      add_actions_of(resource);
    }
    for (InferredBinding& binding : found_.bindings) {
      add_job(binding);
    }
    for (const Operation& operation : contract_.operations()) {
      add_login(operation);
    }
    for (const auto& [form, resource] : resources_) {
      say_unplayed(resource);
    }
  }

 private:
  // "POST /todos/{id}/complete", "/todos/{id}/actions/complete": changes what the verb names, and
  // the members of the record that the request has.
  void add_actions_of(const Resource& resource) {
    const bool has_records = !resource.of_one.empty();  // "/todos/{id}/steps/{step}": no action
    if (plans_.contains(resource.form) || resource.parents.empty() || has_records) {
      return;
    }
    const std::string one = resource.parents.back() + "/{}/";
    const auto parent = plans_.find(resource.parents.back());
    if (parent == plans_.end() || (resource.form != one + resource.name &&
                                   resource.form != one + "actions/" + resource.name)) {
      return;
    }
    for (const Operation* const operation : resource.of_all) {
      if (operation->method != "GET" && !known_.contains(operation) && !is_bound(*operation)) {
        add_action(parent->second, *operation, resource.name);
      }
    }
  }

  bool is_bound(const Operation& operation) const {
    return std::ranges::find(found_.bindings, &operation, &InferredBinding::operation) !=
           found_.bindings.end();
  }

  // "POST /contacts/bulk": what else changes records, or should.
  void say_unplayed(const Resource& resource) {
    const auto about = std::ranges::find_if(plans_, [&](const auto& one) {
      return (resource.form + '/').starts_with(one.first + '/');
    });
    if (about == plans_.end()) {
      return;
    }
    for (const auto* const operations : {&resource.of_all, &resource.of_one}) {
      for (const Operation* const operation : *operations) {
        if (operation->method != "GET" && operation->method != "HEAD" &&
            !known_.contains(operation) && !is_bound(*operation)) {
          found_.unclear.emplace(
              operation, "no rule says what it does to the records of " + about->second.collection);
        }
      }
    }
  }

  void add_action(const Plan& plan, const Operation& operation, const std::string& verb) {
    const bool is_undone = operation.method == "DELETE";
    const Effect effect = effect_of(contract_, plan.record, verb, plan.resource->name, is_undone);
    const auto shown = shown_by(contract_, plan, operation);
    const std::string other = shown ? component_of(contract_, shown->schemas) : "";
    const std::string own = component_of(contract_, plan.record);
    const bool is_another = !other.empty() && !own.empty() && other != own;
    const bool shows_record = !has_no_body(operation) && shown && !is_another &&
                              is_alike(contract_, plan.record, shown->schemas) &&
                              is_alike(contract_, shown->schemas, plan.record);
    if (plan.is_single || (effect.set.empty() && (!shows_record || is_undone))) {
      return;
    }
    ordered_json entry = entry_of_one(plan, operation, "act");
    if (!effect.set.empty()) {
      entry["set"] = effect.set;
    }
    add_fields(plan, operation, entry);
    add_renamed(plan, operation, verb, entry);
    add_shown(contract_, plan, operation, entry);
    found_.bindings.push_back(bound_to(contract_, plan, operation, std::move(entry), false));
    if (!effect.why.empty()) {
      found_.bindings.back().why += "; " + effect.why;
    }
  }

  // The members of the record that the request of an action can change. An amount beside a state
  // is one of the action: of a refund, not of the order.
  void add_fields(const Plan& plan, const Operation& operation, ordered_json& entry) const {
    const Schemas sent = request_body(operation);
    if (sent.empty()) {
      return;
    }
    if (holds_record_inside(contract_, sent, plan.record)) {
      add_from(contract_, plan, operation, entry);
    }
    const Schemas inner =
        entry.contains("from")
            ? Schemas(
                  *summary_of(contract_, sent).property(entry["from"].get<std::string>().substr(1)))
            : sent;
    for (const auto& [name, schemas] : summary_of(contract_, inner).properties) {
      const bool is_key = !plan.key.empty() && plan.key.front() == name;
      const bool is_of_action = entry.contains("set") && summary_of(contract_, schemas).is_number();
      if (!is_key && !is_of_action &&
          summary_of(contract_, plan.record).property(name) != nullptr) {
        entry["fields"][name] = ordered_json::object();
      }
    }
  }

  // Texts that the record calls otherwise: "cancellation_reason" for the reason of "cancel",
  // "owner_id" for "new_owner_id".
  void add_renamed(const Plan& plan, const Operation& operation, const std::string& verb,
                   ordered_json& entry) const {
    const Schemas body = request_body(operation);
    if (body.empty() || entry.contains("from")) {
      return;
    }
    const auto& record = summary_of(contract_, plan.record);
    const std::string stem = stem_of(verb_in(verb, plan.resource->name));
    for (const auto& [name, sent] : summary_of(contract_, body).properties) {
      const std::string plain = text::plain_name(name);
      const auto means = [&](const auto& member) {
        const std::string own = text::plain_name(member.first);
        return summary_of(contract_, member.second).is_string() &&
               (own == plain || "new" + own == plain ||
                (own.starts_with(stem) && own.ends_with(plain)));
      };
      const auto found = std::ranges::find_if(record.properties, means);
      if (record.property(name) == nullptr && found != record.properties.end()) {
        entry["derive"][found->first] = {{"from", "/body" + pointer_of({name})},
                                         {"template", "{value}"}};
      }
    }
  }

  // What a creation or an action accepts (202), or what has states of work that no request can
  // set, advances by itself.
  void add_job(InferredBinding& binding) const {
    const auto plan = std::ranges::find_if(
        plans_, [&](const auto& one) { return one.second.collection == binding.collection; });
    const std::string behaviour = binding.entry.value("behaviour", "");
    const bool creates = behaviour == "create";
    if (plan == plans_.end() || (!creates && behaviour != "act")) {
      return;
    }
    const auto state = state_member(contract_, plan->second.record);
    const bool is_job =
        state &&
        (binding.operation->success_status() == kAccepted ||
         (creates && state->shows_work && !is_set_by_requests(plan->second, state->member)));
    if (!is_job) {
      return;
    }
    const auto set = binding.entry.value("set", ordered_json::object());
    const std::string from =
        creates ? state->first : set.value(pointer_of({state->member}), std::string{});
    const ordered_json steps = progress_of(contract_, plan->second.record, from);
    if (!steps.empty()) {
      binding.entry["after"] = steps;
      binding.why += "; it goes on by itself, by the states of " + state->member;
    }
  }

  // True if a body or an action of the collection sets the member.
  bool is_set_by_requests(const Plan& plan, const std::string& member) const {
    return std::ranges::any_of(found_.bindings, [&](const InferredBinding& one) {
      if (one.collection != plan.collection) {
        return false;
      }
      const Schemas sent =
          one.entry["behaviour"] != "act" ? request_body(*one.operation) : Schemas{};
      const Resource* const resource = resource_of(resources_, *one.operation);
      const bool is_acted =
          one.entry.value("set", ordered_json::object()).contains(pointer_of({member})) &&
          resource != nullptr && !is_word_for_interruption(resource->name);
      const Schemas* const own =
          sent.empty() ? nullptr : summary_of(contract_, sent).property(member);
      return is_acted || (own != nullptr && !summary_of(contract_, *own).read_only);
    });
  }

  // "POST /login" whose response has a token.
  void add_login(const Operation& operation) {
    const ordered_json issued =
        known_.contains(&operation) ? ordered_json() : issued_token(contract_, operation);
    if (issued.is_null()) {
      return;
    }
    const auto bound = std::ranges::find(found_.bindings, &operation, &InferredBinding::operation);
    if (bound != found_.bindings.end()) {
      bound->entry["issues"] = issued;
      return;
    }
    found_.unclear.erase(&operation);
    found_.bindings.push_back({&operation,
                               "",
                               false,
                               "its response has a token",
                               {{"behaviour", "example"}, {"issues", issued}}});
  }

  static constexpr int kAccepted = 202;

  const Contract& contract_;
  const KnownBindings& known_;
  const Resources& resources_;
  const std::map<std::string, Plan>& plans_;
  Inference& found_;
};

}  // namespace

void add_actions(const ActionInput& input, Inference& found) {
  ActionInferrer(input, found).run();
}

}  // namespace spec::contract::resources
