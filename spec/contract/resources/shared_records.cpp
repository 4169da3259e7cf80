#include "spec/contract/resources/shared_records.hpp"

#include "spec/contract/resources/body_shapes.hpp"
#include "spec/contract/resources/record_views.hpp"
#include "spec/text/names.hpp"

#include <algorithm>
#include <utility>

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
      if (is_named(*plan.resource, *whole) || names_parent(*plan.resource, *whole)) {
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
    Plan* found = nullptr;
    for (auto& [form, plan] : plans_) {
      const bool may_be = form != resource.form && plan.resource->parents.empty() &&
                          !plan.is_single && !plan.key.empty() &&
                          (is_named(resource, plan) || found == nullptr);
      if (may_be && shows_records_of(resource, record, plan)) {
        found = &plan;
      }
    }
    return found;
  }

  static bool is_named(const Resource& resource, const Plan& plan) {
    return text::plain_name(plan.resource->name) == text::plain_name(resource.name);
  }

  bool shows_records_of(const Resource& resource, const Schemas& record, const Plan& plan) const {
    const std::string component = component_of(contract_, record);
    const bool is_same = !component.empty() && component == component_of(contract_, plan.record);
    const bool is_list_alone =
        resource.all("GET") != nullptr && resource.of_all.size() == 1 && resource.of_one.empty();
    if (resource.parents.empty()) {
      const bool is_some = resource.form.substr(0, resource.form.rfind('/')) == plan.resource->form;
      return is_same && is_list_alone && (is_named(resource, plan) || is_some);
    }
    const bool is_another = !component.empty() && !component_of(contract_, plan.record).empty();
    const bool is_summary = is_view(contract_, plan, record) && (is_list_alone || !is_another);
    const bool is_listed = plan.resource->all("GET") != nullptr;
    return is_named(resource, plan) ? is_same || is_summary : is_same && is_list_alone && is_listed;
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
  std::map<std::string, Plan*> wholes_;  // by form of what shares their records
};

}  // namespace

std::map<std::string, Plan> share_records(const Contract& contract, const Resources& resources,
                                          std::map<std::string, Plan>& plans) {
  return Sharer(contract, resources, plans).run();
}

}  // namespace spec::contract::resources
