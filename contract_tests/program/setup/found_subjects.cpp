#include "contract_tests/program/setup/found_subjects.hpp"

#include "contract_tests/plan/own_record.hpp"
#include "contract_tests/plan/request_plan.hpp"
#include "contract_tests/run/pace.hpp"
#include "contract_tests/run/sender.hpp"
#include "spec/json/read.hpp"
#include "spec/schema/summary.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <optional>

namespace contract_tests::program::setup {

using nlohmann::json;
using spec::contract::Operation;
using spec::contract::Parameter;

namespace {

bool is_in_path(const Parameter& parameter) {
  return parameter.location == spec::contract::Location::kPath;
}

bool is_list(const Operation& operation) {
  return operation.method == "GET" && !operation.path.ends_with('}') &&
         std::ranges::none_of(operation.parameters, [](const Parameter& parameter) {
           return parameter.required && !is_in_path(parameter);
         });
}

// The first object in a list, at the root or in a member; null where there is none.
const json* first_object(const json& body) {
  if (body.is_array()) {
    return !body.empty() && body.front().is_object() ? &body.front() : nullptr;
  }
  if (body.is_object()) {
    for (const auto& [name, value] : body.items()) {
      if (const auto* found = value.is_array() ? first_object(value) : nullptr) {
        return found;
      }
    }
  }
  return nullptr;
}

// The path of the collection that the path parameter names an element of; "" where there is none.
std::string collection_of(const Operation& operation, const Parameter& parameter) {
  const auto at = operation.path.find("/{" + parameter.name + '}');
  return at == std::string::npos ? "" : operation.path.substr(0, at);
}

class Finder {
 public:
  Finder(const run::Settings& settings, const Documents& documents)
      : documents_(documents), pace_(settings.pace, settings.started), sender_(settings, pace_) {}

  std::map<std::string, std::string> find() {
    for (const auto& operation : documents_.contract->operations()) {
      for (const auto& parameter : operation.parameters) {
        find_value(operation, parameter);
      }
    }
    return std::move(found_);
  }

 private:
  // Of a parameter for which the plan has a made-up value.
  void find_value(const Operation& operation, const Parameter& parameter) {
    const auto name = operation.id + '.' + parameter.name;
    if (!documents_.plan.made_up.contains(name)) {
      return;
    }
    if (auto value = value_of(operation, parameter)) {
      found_[name] = std::move(*value);
    }
  }

  std::optional<std::string> value_of(const Operation& operation, const Parameter& parameter) {
    const auto collection = collection_of(operation, parameter);
    for (const auto& list : documents_.contract->operations()) {
      if (!is_list(list) || list.path != collection) {
        continue;
      }
      const auto& object = object_of(list);
      for (const auto& member : {parameter.name, std::string("id")}) {
        if (auto value = fitting(object, member, parameter)) {
          return value;
        }
      }
    }
    // A name of its own, which means the same in every list: "customer_id", not "id".
    for (const auto& list : documents_.contract->operations()) {
      const bool own = parameter.name.size() > 2 &&
                       (parameter.name.ends_with("id") || parameter.name.ends_with("Id"));
      if (own && is_list(list) && std::ranges::none_of(list.parameters, is_in_path)) {
        if (auto value = fitting(object_of(list), parameter.name, parameter)) {
          return value;
        }
      }
    }
    return std::nullopt;
  }

  // The member of `object` as a text, if it has the type of the parameter.
  std::optional<std::string> fitting(const json& object, const std::string& member,
                                     const Parameter& parameter) const {
    const auto found = object.is_object() ? object.find(member) : object.end();
    if (found == object.end() || !parameter.schema) {
      return std::nullopt;
    }
    const auto& seen = documents_.contract->summaries().of(*parameter.schema);
    return found->is_string() && seen.is_number() ? std::nullopt : plan::identifier_text(*found);
  }

  // With the parents of the list that other lists show; nothing where one is not found.
  std::optional<plan::RequestPlan> plan_of(const Operation& list) {
    plan::RequestPlan plan;
    for (const auto& parameter : list.parameters) {
      if (!is_in_path(parameter)) {
        continue;
      }
      auto value = value_of(list, parameter);
      if (!value) {
        return std::nullopt;
      }
      plan.path[parameter.name] = std::move(*value);
    }
    return plan;
  }

  // The first object that a list responds with, read once; null where there is none, and meanwhile,
  // should a list need its own elements.
  const json& object_of(const Operation& list) {
    const auto known = objects_.find(list.id);
    if (known != objects_.end()) {
      return known->second;
    }
    auto& object = objects_[list.id];
    const auto plan = plan_of(list);
    if (!plan) {
      return object;
    }
    const auto exchange = sender_.send(list, *plan);
    const bool found = exchange && exchange->status() / 100 == 2;
    const auto body = spec::json::read(found ? exchange->response.body : "");
    const auto* first = body ? first_object(body.value()) : nullptr;
    if (first != nullptr) {
      object = *first;
    }
    return object;
  }

  const Documents& documents_;
  run::Pace pace_;
  run::Sender sender_;
  std::map<std::string, json> objects_;  // by id of the list
  std::map<std::string, std::string> found_;
};

}  // namespace

std::map<std::string, std::string> find_subjects(const run::Settings& settings,
                                                 const Documents& documents) {
  return Finder(settings, documents).find();
}

}  // namespace contract_tests::program::setup
