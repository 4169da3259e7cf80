// The conditions of a request (fixture_plan.hpp).

#include "mock_server/api/condition.hpp"
#include "mock_server/record/call_verdict.hpp"
#include "mock_server/record/fixture_plan.hpp"
#include "mock_server/record/secret_forms.hpp"
#include "spec/json/pointer.hpp"
#include "spec/json/value.hpp"
#include "spec/schema/schema_summary.hpp"

#include <algorithm>

namespace mock_server::record {
namespace {

using nlohmann::json;
using spec::contract::Location;

// True if a replacement of the redaction is there: the next request has another value.
bool is_redacted(const ValidatedCall& call, const std::string& place, const json& value) {
  return std::ranges::find(call.redacted, place) != call.redacted.end() ||
         spec::json::write(value).find(kReplaced) != std::string::npos;
}

std::string place_of(std::string_view root, std::string_view name) {
  std::string place = "/" + std::string(root);
  spec::json::append_token(place, name);
  return place;
}

void add_condition(const ValidatedCall& call, const PathSecrets& secrets, json& conditions,
                   const std::string& place, const json* value) {
  if (value == nullptr || value->is_null()) {
    conditions.push_back({{"at", place}, {"absent", true}});
  } else if (is_redacted(call, place, *value) && !secrets.has_several(call, place)) {
    conditions.push_back({{"at", place}, {"exists", true}});
  } else {
    conditions.push_back({{"at", place}, {"equals", *value}});
  }
}

const json* value_of(const json& values, const std::string& name) {
  const auto found = values.find(name);
  return found == values.end() ? nullptr : &*found;
}

}  // namespace

void PathSecrets::add(const ValidatedCall& call) {
  if (call.operation == nullptr || !call.reading.path.is_object()) {
    return;
  }
  for (const auto& [name, value] : call.reading.path.items()) {
    const std::string place = place_of("path", name);
    if (std::ranges::find(call.redacted, place) != call.redacted.end()) {
      values_[call.operation->id + place].insert(spec::json::write(value));
    }
  }
}

bool PathSecrets::has_several(const ValidatedCall& call, const std::string& place) const {
  const auto found = values_.find(call.operation->id + place);
  return found != values_.end() && found->second.size() > 1;
}

json conditions_of(const api::LoadedApi& api, const ValidatedCall& call,
                   const PathSecrets& secrets) {
  json conditions = json::array();
  for (const auto& parameter : call.operation->parameters) {
    if (parameter.location == Location::kPath) {
      add_condition(call, secrets, conditions, place_of("path", parameter.name),
                    value_of(call.reading.path, parameter.name));
    } else if (parameter.location == Location::kQuery) {
      add_condition(call, secrets, conditions, place_of("query", parameter.name),
                    value_of(call.reading.query, parameter.name));
    }
  }
  const auto schema = request_schema(call.operation, call.call.request);
  if (!call.reading.body || !schema) {
    return conditions;
  }
  const json& body = *call.reading.body;
  const auto& properties = api.contract.summaries().summary_of(*schema).properties;
  for (const auto& [name, schemas] : properties) {
    if (body.is_object()) {
      add_condition(call, secrets, conditions, place_of("body", name), value_of(body, name));
    }
  }
  if (properties.empty() && !is_redacted(call, "/body", body)) {
    conditions.push_back({{"at", "/body"}, {"equals", body}});
  }
  return conditions;
}

}  // namespace mock_server::record
