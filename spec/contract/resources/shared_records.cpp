#include "spec/contract/resources/shared_records.hpp"

#include "spec/contract/resources/body_shapes.hpp"
#include "spec/contract/resources/record_views.hpp"
#include "spec/text/names.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace spec::contract::resources {
namespace {

using schema::Schemas;

class Sharer {
 public:
  Sharer(const Contract& contract, const Resources& resources, std::map<std::string, Plan>& plans)
      : contract_(contract), resources_(resources), plans_(plans) {}

  std::map<std::string, Plan> run() {
    for (const auto& [form, resource] : resources_) {
      if (Plan* const whole = whole_of(resource)) {
        wholes_.emplace(form, whole);
      }
    }
    for (const auto& [form, whole] : wholes_) {
      take_name(form, *whole);
    }
    std::map<std::string, Plan> shared;
    for (const auto& [form, whole] : wholes_) {
      Plan& plan = shared.emplace(form, *whole).first->second;
      plan.resource = &resources_.at(form);
      plan.is_known = false;
      const bool is_named =
          text::plain_name(plan.resource->name) == text::plain_name(whole->resource->name);
      if (is_named || names_parent(*plan.resource, *whole)) {
        add_parents(contract_, plans_, plan);
      }
      plan.is_scoped = false;
      plan.is_known = true;  // the collection is that of the other
      whole->hidden = plan.hidden;
    }
    for (auto& [form, plan] : shared) {
      plan.hidden = wholes_.at(form)->hidden;
    }
    return shared;
  }

 private:
  // The collection is called as what is nested, where both have the name.
  void take_name(const std::string& form, Plan& whole) {
    const auto own = plans_.find(form);
    if (own != plans_.end()) {
      if (!whole.is_known && whole.collection.starts_with(own->second.collection)) {
        whole.collection = own->second.collection;
      }
      plans_.erase(own);
    }
  }

  // What the operations of the resource show; empty if that is no record.
  Schemas shown(const Resource& resource) const {
    if (const auto own = plans_.find(resource.form); own != plans_.end()) {
      return own->second.record;
    }
    if (const Operation* const list = resource.all("GET")) {
      const auto found = find_list(contract_, response_body(contract_, *list), resource.name);
      return found ? found->schemas : Schemas{};
    }
    const Operation* const create = resource.all("POST");
    return create != nullptr ? of_one(contract_, response_body(contract_, *create)) : Schemas{};
  }

  bool has_children(const std::string& form) const {
    return std::ranges::any_of(plans_, [&](const auto& one) {
      const auto& parents = one.second.resource->parents;
      return std::ranges::find(parents, form) != parents.end();
    });
  }

  // Null if its records are its own.
  Plan* whole_of(const Resource& resource) {
    const auto own = plans_.find(resource.form);
    const bool is_own =
        own != plans_.end() && (resource.parents.empty() || own->second.is_known ||
                                own->second.is_single || has_children(resource.form));
    const Schemas record = is_own ? Schemas{} : shown(resource);
    if (record.empty()) {
      return nullptr;
    }
    const Known own_names{nullptr, text::plain_name(resource.name),
                          component_of(contract_, record)};
    Plan* found = nullptr;
    for (const Known& other : candidates()) {
      const bool is_named = other.name == own_names.name;
      if (other.plan->resource != &resource && (is_named || found == nullptr) &&
          shows_records_of(resource, own_names, record, other)) {
        found = other.plan;
      }
    }
    return found;
  }

  // A collection, by the plain name of its resource and the component of its records.
  struct Known {
    Plan* plan = nullptr;
    std::string name;
    std::string component;
  };

  const std::vector<Known>& candidates() {
    if (candidates_.empty()) {
      for (auto& [form, plan] : plans_) {
        if (plan.resource->parents.empty() && !plan.is_single && !plan.key.empty()) {
          candidates_.push_back(
              {&plan, text::plain_name(plan.resource->name), component_of(contract_, plan.record)});
        }
      }
    }
    return candidates_;
  }

  bool shows_records_of(const Resource& resource, const Known& own, const Schemas& record,
                        const Known& other) const {
    const bool is_same = !own.component.empty() && own.component == other.component;
    const bool is_list_alone =
        resource.all("GET") != nullptr && resource.of_all.size() == 1 && resource.of_one.empty();
    if (own.name != other.name) {
      const Resource& listed = *other.plan->resource;
      const bool is_some = resource.form.substr(0, resource.form.rfind('/')) == listed.form;
      const bool is_shown = resource.parents.empty() ? is_some : listed.all("GET") != nullptr;
      return is_same && ((is_list_alone && is_shown) || makes_others(resource, listed));
    }
    if (is_same || resource.parents.empty()) {
      return is_same && (is_list_alone || !resource.parents.empty());
    }
    const bool is_another = !own.component.empty() && !other.component.empty() && !is_list_alone;
    return !is_another && is_view(contract_, *other.plan, record);
  }

  // "POST /carts/{id}/checkout" responds with 201 and an order.
  static bool makes_others(const Resource& resource, const Resource& listed) {
    constexpr int kCreated = 201;
    const Operation* const create = resource.all("POST");
    return create != nullptr && create->success_status() == kCreated && resource.of_one.empty() &&
           resource.of_all.size() == 1 && !resource.parents.empty() &&
           resource.parents.back() != listed.form;
  }

  // True if a member of the records says to which parent each belongs.
  bool names_parent(const Resource& resource, const Plan& plan) const {
    Plan tried = plan;
    tried.resource = &resource;
    tried.is_known = false;
    add_parents(contract_, plans_, tried);
    return tried.hidden.size() == plan.hidden.size();
  }

  const Contract& contract_;
  const Resources& resources_;
  std::map<std::string, Plan>& plans_;
  std::vector<Known> candidates_;
  std::map<std::string, Plan*> wholes_;  // by form of what shares their records
};

}  // namespace

std::map<std::string, Plan> share_records(const Contract& contract, const Resources& resources,
                                          std::map<std::string, Plan>& plans) {
  return Sharer(contract, resources, plans).run();
}

}  // namespace spec::contract::resources
