// The conditions of a request (plan.hpp).

#include "mock_server/fixtures/place.hpp"
#include "mock_server/record/bodies.hpp"
#include "mock_server/record/plan.hpp"
#include "spec/json/pointer.hpp"
#include "spec/json/value.hpp"
#include "spec/schema/summary.hpp"

#include <algorithm>

namespace mock_server::record {
namespace {

using nlohmann::json;
using spec::contract::Location;

// Whether a replacement of the redaction is in it: the next request has another value there.
bool has_redacted(const json& value) {
  return spec::json::write(value).find("redacted-") != std::string::npos;
}

std::string place_of(std::string_view root, std::string_view name) {
  std::string place = "/" + std::string(root);
  spec::json::append_token(place, name);
  return place;
}

void add_condition(json& conditions, const std::string& place, const json* value) {
  if (value == nullptr || value->is_null()) {
    conditions.push_back({{"at", place}, {"absent", true}});
  } else if (has_redacted(*value)) {
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

json conditions_of(const fixtures::LoadedApi& api, const ValidatedCall& call) {
  json conditions = json::array();
  for (const auto& parameter : call.operation->parameters) {
    if (parameter.location == Location::kPath) {
      add_condition(conditions, place_of("path", parameter.name),
                    value_of(call.reading.path, parameter.name));
    } else if (parameter.location == Location::kQuery) {
      add_condition(conditions, place_of("query", parameter.name),
                    value_of(call.reading.query, parameter.name));
    }
  }
  const auto schema = request_schema(call.operation, call.call.request);
  if (!call.reading.body || !schema) {
    return conditions;
  }
  const json& body = *call.reading.body;
  const auto& properties = api.contract.summaries().of(*schema).properties;
  for (const auto& [name, schemas] : properties) {
    if (body.is_object()) {
      add_condition(conditions, place_of("body", name), value_of(body, name));
    }
  }
  if (properties.empty() && !has_redacted(body)) {
    conditions.push_back({{"at", "/body"}, {"equals", body}});
  }
  return conditions;
}

}  // namespace mock_server::record
