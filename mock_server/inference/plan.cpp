#include "mock_server/inference/plan.hpp"

#include "mock_server/inference/names.hpp"
#include "mock_server/inference/shapes.hpp"

#include <algorithm>

namespace mock_server::inference {
namespace {

using spec::contract::Contract;
using spec::contract::Operation;
using spec::schema::Schemas;

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
  plan.is_certain = is_linked || name == "id" || plain_name(name) == plain_name(parameter) ||
                    plain_name(singular(plan.resource->name) + name) == plain_name(parameter);
  plan.is_certain = plan.is_certain && !is_choice(contract, schemas);
  return true;
}

// A record inside of the response, {"data": {...}}.
bool try_inner_records(const Contract& contract, Plan& plan, const Schemas& body,
                       const std::string& linked, const std::string& parameter) {
  if (body.empty()) {
    return false;
  }
  const std::string one = plain_name(singular(plan.resource->name));
  for (const auto& [member, inner] : summary_of(contract, body).properties) {
    const std::string plain = plain_name(member);
    if ((record_rank(plain) != kNoRank || plain == one) &&
        summary_of(contract, inner).elements.empty() &&
        try_record(contract, plan, inner, linked, parameter)) {
      return true;
    }
  }
  return false;
}

// A response of one shape shows more of the record than one of several.
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

}  // namespace

bool find_key(const Contract& contract, Plan& plan) {
  const Resource& resource = *plan.resource;
  const std::string parameter =
      plan.parameter.empty() ? singular(resource.name) + "_id" : plan.parameter;
  const std::string linked = linked_member(contract, resource);
  bool has_shape = false;
  for (const Operation* const operation : telling_operations(contract, resource)) {
    const Schemas body = response_body(contract, *operation);
    has_shape = has_shape || !body.empty();
    if (try_record(contract, plan, body, linked, parameter) ||
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
  plan.why = has_shape ? "no response has a member that holds the key {" + parameter + '}'
                       : "no response shows a record as JSON with named members";
  return false;
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
    const Schemas sent = change != nullptr ? request_body(*change) : Schemas{};
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

}  // namespace mock_server::inference
