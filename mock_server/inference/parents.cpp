#include "mock_server/inference/parents.hpp"

#include "mock_server/inference/list_parameters.hpp"
#include "mock_server/inference/names.hpp"
#include "mock_server/inference/shapes.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace mock_server::inference {
namespace {

using nlohmann::ordered_json;
using spec::contract::Contract;
using spec::contract::Operation;

// The scalar member of the object under `outer` that has the name of the parent's key.
std::vector<std::string> named_member(const Contract& contract, const Plan& plan,
                                      const std::vector<std::string>& outer,
                                      const std::vector<std::string>& names) {
  spec::schema::Schemas object = plan.record;
  for (const std::string& token : outer) {
    object = *summary_of(contract, object).property(token);
  }
  for (const std::string& name : names) {
    for (const auto& [member, inner] : summary_of(contract, object).properties) {
      std::vector<std::string> at = outer;
      at.push_back(member);
      if (plain_name(member) == name && name != "id" && at != plan.key &&
          summary_of(contract, inner).is_scalar()) {
        return at;
      }
    }
  }
  return {};
}

std::string hidden_member(const Contract& contract, Plan& plan, std::string name) {
  const auto& properties = summary_of(contract, plan.record).properties;
  const auto is_used = [&](const std::string& one) {
    return std::ranges::any_of(properties,
                               [&](const auto& property) { return property.first == one; }) ||
           std::ranges::find(plan.hidden, one) != plan.hidden.end();
  };
  while (is_used(name)) {
    name = "parent_" + name;
  }
  plan.hidden.push_back(name);
  return name;
}

// `parent` is "" where the path has several parameters in a row, "/repos/{owner}/{repo}".
std::vector<std::string> parent_member(const Contract& contract, Plan& plan,
                                       const std::string& parameter, const std::string& parent) {
  const std::string one = singular(parent);
  const std::vector<std::string> names{plain_name(parameter), plain_name(one + "_id")};
  auto member = named_member(contract, plan, {}, names);
  if (member.empty() && plan.key.size() > 1) {  // beside the key, in the record's metadata
    member = named_member(contract, plan, {plan.key.begin(), plan.key.end() - 1}, names);
  }
  return member.empty()
             ? std::vector{hidden_member(contract, plan, parent.empty() ? parameter : one + "_id")}
             : member;
}

}  // namespace

void add_parents(const Contract& contract, const std::map<std::string, Plan>& plans, Plan& plan) {
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
    ordered_json entry{{"at", pointer_to(parent_member(contract, plan, parameters[i], name))},
                       {"given", pointer_to({"path", parameters[i]})}};
    if (const auto parent = plans.find(form); parent != plans.end()) {
      entry["in"] = parent->second.collection;
    }
    plan.within.push_back(std::move(entry));
  }
  plan.is_scoped = !plan.within.empty() && (plan.is_single || !resource.of_one.empty());
}

}  // namespace mock_server::inference
