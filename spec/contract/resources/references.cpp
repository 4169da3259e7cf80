#include "spec/contract/resources/references.hpp"

#include "spec/contract/resources/body_shapes.hpp"
#include "spec/contract/resources/record_plan.hpp"
#include "spec/text/names.hpp"

#include <string>

namespace spec::contract::resources {
namespace {

// How well a member's name fits that of a resource: 0 if it does not.
int fit_of_name(const std::string& member, const Resource& resource) {
  const std::string one = text::plain_name(text::singular(resource.name));
  const std::string many = text::plain_name(resource.name);
  if (one.empty()) {
    return 0;
  }
  for (const std::string& name : {one, one + "id", one + "ids", one + "uuid", many}) {
    if (member == name) {
      return 2;
    }
  }
  return member.ends_with(one + "id") || member.ends_with(one + "ids") ? 1 : 0;
}

// The schemas of a record's key; null if it has none.
const schema::Schemas* key_of(const Contract& contract, const Resource& resource) {
  Plan plan;
  plan.resource = &resource;
  if (!resource.of_one.empty()) {
    plan.parameter = parameter_names(resource.of_one.front()->segments).back();
  }
  return find_key(contract, plan) && plan.key.size() == 1
             ? summary_of(contract, plan.record).property(plan.key.front())
             : nullptr;
}

// True if a value of `schemas` may be the key of a record.
bool may_be_key(const Contract& contract, const Resource& resource,
                const schema::Schemas& schemas) {
  const auto* key = key_of(contract, resource);
  const auto& sent = summary_of(contract, schemas);
  return key != nullptr && sent.listed.empty() &&
         (sent.is_number() ? summary_of(contract, *key).is_number()
                           : sent.is_string() && summary_of(contract, *key).is_string());
}

bool is_shown(const Resource& resource) {
  return resource.all("GET") != nullptr || resource.one("GET") != nullptr;
}

// The only resource whose key is of the same component as the member; null if there is none.
const Resource* resource_of_type(const Contract& contract, const Resources& resources,
                                 const schema::Schemas& schemas) {
  const auto& seen = summary_of(contract, schemas);
  const bool may_refer = (seen.is_string() || seen.is_number()) && seen.listed.empty();
  const auto component = may_refer ? component_of(contract, schemas) : "";
  const Resource* found = nullptr;
  for (const auto& [form, resource] : resources) {
    const auto* key = component.empty() || !resource.parents.empty() || !is_shown(resource)
                          ? nullptr
                          : key_of(contract, resource);
    if (key != nullptr && component_of(contract, *key) == component) {
      if (found != nullptr) {
        return nullptr;
      }
      found = &resource;
    }
  }
  return found;
}

}  // namespace

const Resource* referred_resource(const Contract& contract, const Resources& resources,
                                  std::string_view member, const schema::Schemas& schemas) {
  const auto name = text::plain_name(member);
  const Resource* found = nullptr;
  int best = 0;
  for (const auto& [form, resource] : resources) {
    const int fit = resource.parents.empty() ? fit_of_name(name, resource) : 0;
    if (fit > best && is_shown(resource) && may_be_key(contract, resource, schemas)) {
      found = &resource;
      best = fit;
    }
  }
  return found != nullptr ? found : resource_of_type(contract, resources, schemas);
}

}  // namespace spec::contract::resources
