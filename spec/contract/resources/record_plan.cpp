#include "spec/contract/resources/record_plan.hpp"

#include "spec/contract/resources/body_shapes.hpp"
#include "spec/contract/resources/usual_names.hpp"
#include "spec/json/pointer.hpp"
#include "spec/text/names.hpp"

#include <algorithm>
#include <utility>

namespace spec::contract::resources {
namespace {

using json::pointer_of;
using nlohmann::ordered_json;
using schema::Schemas;
using schema::Summary;

// "metadata.name".
std::string name_of(const std::vector<std::string>& tokens) {
  std::string name;
  for (const std::string& token : tokens) {
    name += (name.empty() ? "" : ".") + token;
  }
  return name;
}

bool try_record(const Contract& contract, Plan& plan, const Schemas& schemas,
                const std::string& linked, const std::string& parameter) {
  if (schemas.empty()) {
    return false;
  }
  const bool is_linked =
      !linked.empty() && summary_of(contract, schemas).property(linked) != nullptr;
  plan.key = is_linked ? std::vector{linked}
                       : key_member(contract, schemas, parameter, plan.resource->name);
  if (plan.key.empty()) {
    return false;
  }
  const std::string& name = plan.key.back();
  plan.record = schemas;
  plan.is_certain =
      is_linked || name == "id" || text::plain_name(name) == text::plain_name(parameter) ||
      text::plain_name(text::singular(plan.resource->name) + name) == text::plain_name(parameter);
  plan.is_certain = plan.is_certain && !is_choice(contract, schemas);
  return true;
}

// Looks for a record inside of the response, {"data": {...}}.
bool try_inner_records(const Contract& contract, Plan& plan, const Schemas& body,
                       const std::string& linked, const std::string& parameter) {
  if (body.empty()) {
    return false;
  }
  const std::string one = text::plain_name(text::singular(plan.resource->name));
  const auto& members = summary_of(contract, body).properties;
  for (const auto& [member, inner] : members) {
    const std::string plain = text::plain_name(member);
    const bool is_named = plain == one || plain == text::plain_name(plan.resource->name);
    if ((record_rank(plain) != kNoRank || is_named || members.size() == 1) &&
        try_record(contract, plan, of_one(contract, inner), linked, parameter)) {
      return true;
    }
  }
  return false;
}

// Responses of one shape come first: they show more of the record than one of several shapes.
std::vector<const Operation*> telling_operations(const Contract& contract,
                                                 const Resource& resource) {
  std::vector<const Operation*> all;
  for (const Operation* const operation :
       {resource.one("GET"), resource.all("POST"), resource.one("PUT"), resource.one("PATCH"),
        resource.one("POST")}) {
    if (operation != nullptr) {
      all.push_back(operation);
    }
  }
  std::stable_partition(all.begin(), all.end(), [&](const Operation* operation) {
    return !is_choice(contract, response_body(contract, *operation));
  });
  return all;
}

// The scalar member of the object under `outer` that has the name of the parent's key.
std::vector<std::string> named_member(const Contract& contract, const Plan& plan,
                                      const std::vector<std::string>& outer,
                                      const std::vector<std::string>& names) {
  schema::Schemas object = plan.record;
  for (const std::string& token : outer) {
    object = *summary_of(contract, object).property(token);
  }
  for (const std::string& name : names) {
    for (const auto& [member, inner] : summary_of(contract, object).properties) {
      std::vector<std::string> at = outer;
      at.push_back(member);
      if (text::plain_name(member) == name && name != "id" && at != plan.key &&
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

// `parent` is "" if the path has several parameters in a row, "/repos/{owner}/{repo}".
std::vector<std::string> parent_member(const Contract& contract, Plan& plan,
                                       const std::string& parameter, const std::string& parent) {
  const std::string one = text::singular(parent);
  const std::vector<std::string> names{text::plain_name(parameter), text::plain_name(one + "_id")};
  auto member = named_member(contract, plan, {}, names);
  if (member.empty() && plan.key.size() > 1) {  // beside the key, in the record's metadata
    member = named_member(contract, plan, {plan.key.begin(), plan.key.end() - 1}, names);
  }
  return member.empty()
             ? std::vector{hidden_member(contract, plan, parent.empty() ? parameter : one + "_id")}
             : member;
}

}  // namespace

namespace {

// The record that what the service makes of a request is, inside of a response that has its key as
// well: {"id": 1, "result": {"id": 1, "name": ...}}.
bool try_record_in_envelope(const Contract& contract, Plan& plan, const Schemas& body,
                            const std::string& linked, const std::string& parameter) {
  const Operation* const create = plan.resource->all("POST");
  const Schemas sent = create != nullptr ? request_body(*create) : Schemas{};
  if (body.empty() || sent.empty() || summary_of(contract, sent).properties.empty() ||
      is_alike(contract, body, sent)) {
    return false;
  }
  for (const auto& [member, inner] : summary_of(contract, body).properties) {
    const Summary& summary = summary_of(contract, inner);
    if (!summary.properties.empty() && is_alike(contract, inner, sent) &&
        try_record(contract, plan, inner, linked, parameter)) {
      return true;
    }
  }
  return false;
}

// A record that is read by a key that it does not show: the creation shows it, or has it sent.
bool try_hidden_key(const Contract& contract, Plan& plan, const std::string& parameter) {
  const Operation* const read = plan.resource->one("GET");
  const Operation* const create = plan.resource->all("POST");
  const Schemas shown = read != nullptr ? response_body(contract, *read) : Schemas{};
  if (create == nullptr || shown.empty() || summary_of(contract, shown).properties.empty()) {
    return false;
  }
  const Schemas made = response_body(contract, *create);
  for (const Schemas& schemas : {made, request_body(*create)}) {
    auto key = schemas.empty() || summary_of(contract, schemas).properties.empty()
                   ? std::vector<std::string>{}
                   : key_member(contract, schemas, parameter, plan.resource->name);
    if (key.size() == 1 && summary_of(contract, shown).property(key.front()) == nullptr) {
      plan.hidden = key;
      plan.key = std::move(key);
      plan.record = shown;
      plan.is_certain = false;
      plan.why = "its records are those of " + read->name + ", by the " + plan.key.front() +
                 " of " + create->name;
      return true;
    }
  }
  return false;
}

// The records of a list that have no key: nothing reads, changes or deletes one.
bool find_without_key(const Contract& contract, Plan& plan) {
  const Operation* const list = plan.resource->all("GET");
  const Operation* const create = plan.resource->all("POST");
  if (!plan.resource->of_one.empty() || list == nullptr || create == nullptr) {
    return false;
  }
  const auto found = find_list(contract, response_body(contract, *list), plan.resource->name);
  const Schemas sent = request_body(*create);
  if (!found || sent.empty() || summary_of(contract, sent).properties.empty() ||
      !is_alike(contract, found->schemas, sent)) {
    return false;
  }
  plan.key.clear();
  plan.record = found->schemas;
  plan.is_certain = false;
  plan.why = "its records are the elements of " + list->name + ", which have no key";
  return true;
}

}  // namespace

bool find_key(const Contract& contract, Plan& plan) {
  const Resource& resource = *plan.resource;
  const std::string parameter =
      plan.parameter.empty() ? text::singular(resource.name) + "_id" : plan.parameter;
  const std::string linked = linked_member(contract, resource);
  bool has_shape = false;
  for (const Operation* const operation : telling_operations(contract, resource)) {
    const Schemas body = of_one(contract, response_body(contract, *operation));
    has_shape = has_shape || !body.empty();
    if (operation->method != "GET" && try_hidden_key(contract, plan, parameter)) {
      return true;
    }
    if (try_record_in_envelope(contract, plan, body, linked, parameter) ||
        try_record(contract, plan, body, linked, parameter) ||
        try_inner_records(contract, plan, body, linked, parameter)) {
      plan.why = "its records are those of " + operation->name + ", by their " + name_of(plan.key);
      return true;
    }
  }
  if (const Operation* const list = resource.all("GET")) {
    const auto found = find_list(contract, response_body(contract, *list), resource.name);
    if (found && try_record(contract, plan, found->schemas, linked, parameter)) {
      plan.is_certain = false;
      plan.why =
          "its records are the elements of " + list->name + ", by their " + name_of(plan.key);
      return true;
    }
  }
  if (find_without_key(contract, plan)) {
    return true;
  }
  plan.why = has_shape ? "no response has a member that holds the key {" + parameter + '}'
                       : "no response shows a record as JSON with named members";
  return false;
}

bool find_key_in_parent(const Contract& contract, const Schemas& shown, const Plan& parent,
                        Plan& plan) {
  const std::string& name = plan.resource->name;
  const Operation& create = *plan.resource->all("POST");
  const Schemas body = response_body(contract, create);
  const auto list = body.empty() ? std::nullopt : find_list(contract, body, name);
  if (plan.resource->one("GET") != nullptr || !list || list->at.empty() || list->schemas != shown ||
      !is_alike(contract, body, parent.record)) {
    return false;
  }
  const std::string parameter =
      plan.parameter.empty() ? text::singular(name) + "_id" : plan.parameter;
  plan.key = key_member(contract, shown, parameter, name);
  plan.record = shown;
  plan.is_certain = false;
  plan.why = "its records are the " + list->at.back() + " in the response of " + create.name;
  return !plan.key.empty();
}

bool find_listed(const Contract& contract, Plan& plan) {
  const Operation& list = *plan.resource->all("GET");
  const auto found = find_list(contract, response_body(contract, list), plan.resource->name);
  const bool is_sent_whole =
      found && !json_content(success_of(list)->contents)->examples.empty();  // the example
  if (!found || is_sent_whole || is_choice(contract, found->schemas)) {
    return false;
  }
  plan.key = key_member(contract, found->schemas, "id", plan.resource->name);
  plan.record = found->schemas;
  plan.is_certain = false;
  plan.why = "its records are the elements of " + list.name + ", which nothing changes";
  return plan.key.size() == 1;
}

bool find_single(const Contract& contract, Plan& plan) {
  const Resource& resource = *plan.resource;
  const Operation* const read = resource.all("GET");
  if (read == nullptr || !resource.of_one.empty()) {
    return false;
  }
  const Schemas shown = response_body(contract, *read);
  if (shown.empty() || summary_of(contract, shown).properties.empty()) {
    return false;
  }
  for (const Operation* const change : {resource.all("PUT"), resource.all("PATCH")}) {
    if (change == nullptr) {
      continue;
    }
    const Schemas sent = request_body(*change);
    if (!sent.empty() && !summary_of(contract, sent).properties.empty() &&
        is_alike(contract, shown, sent)) {
      plan.is_single = true;
      plan.record = shown;
      plan.why = "its record is that of " + read->name + ", which " + change->name + " changes";
      return true;
    }
  }
  return false;
}

void add_parents(const Contract& contract, const std::map<std::string, Plan>& plans, Plan& plan) {
  const Resource& resource = *plan.resource;
  if (plan.is_known) {
    return;
  }
  const Operation& any =
      resource.of_one.empty() ? *resource.of_all.front() : *resource.of_one.front();
  const auto parameters = parameter_names(any.segments);
  for (std::size_t i = 0; i < resource.parents.size() && i < parameters.size(); ++i) {
    const std::string& form = resource.parents[i];
    const bool is_one_of_several =
        form.ends_with("{}") ||
        (i + 1 < resource.parents.size() && resource.parents[i + 1] == form + "/{}");
    const std::string name = is_one_of_several ? "" : form.substr(form.rfind('/') + 1);
    ordered_json entry{{"at", pointer_of(parent_member(contract, plan, parameters[i], name))},
                       {"given", pointer_of({"path", parameters[i]})}};
    if (const auto parent = plans.find(form); parent != plans.end()) {
      entry["in"] = parent->second.collection;
    }
    plan.within.push_back(std::move(entry));
  }
  plan.is_scoped = !plan.within.empty() && (plan.is_single || !resource.of_one.empty());
}

}  // namespace spec::contract::resources
