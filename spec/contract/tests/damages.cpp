#include "spec/contract/tests/damages.hpp"

#include "spec/json/value.hpp"

#include <nlohmann/json.hpp>

#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace spec::contract {

namespace {

using nlohmann::json;
using Pointer = json::json_pointer;

struct Damage {
  std::string name;
  // True if the value at the pointer is a place for it.
  std::function<bool(const Pointer&, const json&)> is_place;
  std::function<void(json& value)> apply;
};

std::string owner_of(const Pointer& at) {
  return at.empty() || at.parent_pointer().empty() ? "" : at.parent_pointer().back();
}

bool is_schema(const Pointer& at, const json& value) {
  if (!value.is_object() || at.empty()) {
    return false;
  }
  const std::string owner = owner_of(at);
  return at.back() == "schema" || at.back() == "items" || owner == "schemas" ||
         owner == "properties" || owner == "allOf" || owner == "anyOf" || owner == "oneOf";
}

bool is_map(const Pointer& at, const json& value, std::string_view name) {
  return !at.empty() && at.back() == name && value.is_object() && !value.empty();
}

bool is_parameter(const Pointer& at, const json& value) {
  return value.is_object() && owner_of(at) == "parameters" && value.contains("in");
}

bool is_operation(const Pointer& /*at*/, const json& value) {
  return value.is_object() && value.contains("responses") && value["responses"].is_object();
}

void rename_first(json& map, const std::string& name) {
  json value = map.begin().value();
  map.erase(map.begin());
  map[name] = std::move(value);
}

void add_keywords(std::vector<Damage>& all) {
  const std::vector<std::pair<std::string, json>> kWrong{
      {"type", "strnig"},
      {"type", 5},
      {"enum", "a"},
      {"multipleOf", 0},
      {"maximum", "9"},
      {"minimum", json::array()},
      {"exclusiveMinimum", "1"},
      {"exclusiveMaximum", "x"},
      {"maxLength", -1},
      {"minLength", "1"},
      {"pattern", 5},
      {"format", 5},
      {"maxItems", 1.5},
      {"minItems", nullptr},
      {"uniqueItems", "true"},
      {"maxProperties", "x"},
      {"minProperties", -2},
      {"required", true},
      {"properties", json::array()},
      {"properties", {{"a", 5}}},
      {"patternProperties", 5},
      {"patternProperties", {{"\\A", json::object()}}},
      {"additionalProperties", "no"},
      {"propertyNames", 5},
      {"dependentRequired", 5},
      {"dependentSchemas", 5},
      {"prefixItems", 5},
      {"items", 5},
      {"contains", 5},
      {"minContains", "x"},
      {"discriminator", "kind"},
      {"discriminator", {{"propertyName", "k"}, {"mapping", 5}}},
      {"discriminator", {{"propertyName", "k"}, {"mapping", {{"a", 5}, {"b", "#/gone"}}}}},
      {"allOf", json::object()},
      {"anyOf", json::array()},
      {"oneOf", 5},
      {"not", "x"},
      {"if", 5},
      {"nullable", "true"},
      {"readOnly", "true"},
      {"writeOnly", 1},
      {"unevaluatedProperties", "no"},
      {"unevaluatedItems", 5},
      {"$ref", 5},
      {"$dynamicRef", 5},
      {"$id", 5},
      {"$anchor", "not an anchor"},
      {"$schema", "http://json-schema.org/draft-04/schema#"},
      {"$defs", 5},
      {"$defs", {{"a", 5}}}};
  for (const auto& [keyword, value] : kWrong) {
    all.push_back({"keyword_" + keyword, is_schema,
                   [keyword = keyword, value = value](json& schema) { schema[keyword] = value; }});
  }
  for (const std::string pattern :
       {"\\A[a-z]+\\z", "\\p{Print}+", "^[[:alpha:]]+$", "(?i)abc", "\\Qa.b\\E", "(?P<year>\\d{4})",
        "[a-z&&[^b]]", "\\07", "a++", "(", "[z-a]", "/^a$/i(", "(?<=a+)b"}) {
    all.push_back({"pattern", is_schema, [pattern](json& schema) {
                     schema = {{"type", "string"}, {"pattern", pattern}};
                   }});
  }
  all.push_back({"schema", is_schema, [](json& schema) { schema = 5; }});
  all.push_back({"loop", is_schema, [](json& schema) { schema["allOf"] = {{{"$ref", "#"}}}; }});
}

void add_messages(std::vector<Damage>& all) {
  const auto content = [](const Pointer& at, const json& value) {
    return is_map(at, value, "content");
  };
  for (const std::string key : {"*", "json", "application/json, text/xml", "", "a/b/c"}) {
    all.push_back({"content_key", content, [key](json& map) { rename_first(map, key); }});
  }
  all.push_back({"content", content, [](json& map) { map = json::array({1}); }});
  all.push_back({"media_type", content, [](json& map) { map.begin().value() = 5; }});
  const auto responses = [](const Pointer& at, const json& value) {
    return is_map(at, value, "responses");
  };
  for (const std::string key : {"20X", "ok", "2xx", "600", "", "200 "}) {
    all.push_back({"status", responses, [key](json& map) { rename_first(map, key); }});
  }
  all.push_back({"responses", responses, [](json& map) { map = json::array(); }});
  all.push_back({"response", responses, [](json& map) { map.begin().value() = "ok"; }});
  const auto headers = [](const Pointer& at, const json& value) {
    return is_map(at, value, "headers");
  };
  all.push_back({"header", headers, [](json& map) { map.begin().value() = 5; }});
  all.push_back({"headers", headers, [](json& map) { map = 5; }});
  for (const std::string key : {"name", "in", "schema"}) {
    all.push_back({"parameter_without_" + key, is_parameter,
                   [key](json& parameter) { parameter.erase(key); }});
  }
  const std::vector<std::pair<std::string, json>> kWrong{{"in", "body"},
                                                         {"style", "weird"},
                                                         {"name", 5},
                                                         {"required", "true"},
                                                         {"explode", "x"},
                                                         {"schema", 5},
                                                         {"content", {{"json", json::object()}}},
                                                         {"examples", "none"},
                                                         {"content", 5}};
  for (const auto& [field, value] : kWrong) {
    all.push_back({"parameter_" + field, is_parameter,
                   [field = field, value = value](json& parameter) { parameter[field] = value; }});
  }
  all.push_back({"reference",
                 [](const Pointer& at, const json& value) {
                   return !at.empty() && at.back() == "$ref" && value.is_string();
                 },
                 [](json& reference) { reference = reference.get<std::string>() + "/gone"; }});
}

void add_operations(std::vector<Damage>& all) {
  const std::vector<std::pair<std::string, json>> kWrong{
      {"security", {{{"nobody", json::array()}}}},
      {"security", json::object()},
      {"security", {5}},
      {"parameters", json::object()},
      {"parameters", {5, {{"name", "a"}, {"in", "query"}}, {{"name", "a"}, {"in", "query"}}}},
      {"requestBody", 5},
      {"requestBody",
       {{"content", {{"multipart/form-data", {{"encoding", {{"a", {{"style", "odd"}}}}}}}}}}},
      {"operationId", 5},
      {"responses", 5},
      {"servers", 5},
      {"tags", 5}};
  for (const auto& [field, value] : kWrong) {
    all.push_back({"operation_" + field, is_operation,
                   [field = field, value = value](json& operation) { operation[field] = value; }});
  }
  const auto paths = [](const Pointer& at, const json& value) {
    return is_map(at, value, "paths");
  };
  for (const std::string key : {"no-slash", "/{open", "/{}", "/a}"}) {
    all.push_back({"path", paths, [key](json& map) { rename_first(map, key); }});
  }
  all.push_back({"path_item", paths, [](json& map) { map.begin().value() = 5; }});
  all.push_back({"two_ids", paths, [](json& map) {
                   const json get = {{"operationId", "twice"}, {"responses", json::object()}};
                   map["/twice"] = {{"get", get}, {"post", get}};
                 }});
  for (const std::string field : {"info", "servers", "tags", "security", "components"}) {
    all.push_back({"root_" + field, [](const Pointer& at, const json&) { return at.empty(); },
                   [field](json& root) { root[field] = 5; }});
  }
  all.push_back({"dialect", [](const Pointer& at, const json&) { return at.empty(); },
                 [](json& root) { root["jsonSchemaDialect"] = "http://example.com/none"; }});
  all.push_back(
      {"scheme",
       [](const Pointer& at, const json& value) { return is_map(at, value, "securitySchemes"); },
       [](json& map) {
         map.begin().value() = {{"type", "magic"}};
       }});
}

std::vector<Damage> damages() {
  std::vector<Damage> all;
  add_keywords(all);
  add_messages(all);
  add_operations(all);
  return all;
}

void collect(const json& value, const Pointer& at, const Damage& damage,
             std::vector<Pointer>& places) {
  if (damage.is_place(at, value)) {
    places.push_back(at);
  }
  const json members = value.is_object() ? value : json::object();
  for (const auto& [key, member] : members.items()) {
    if (key != "example" && key != "examples" && !key.starts_with("x-")) {
      collect(member, at / key, damage, places);
    }
  }
  for (std::size_t i = 0; value.is_array() && i < value.size(); ++i) {
    collect(value[i], at / i, damage, places);
  }
}

}  // namespace

std::vector<DamagedDescription> damaged_texts(const std::filesystem::path& file) {
  document::Library library;
  const json whole = library.open(file).value();
  std::vector<DamagedDescription> all;
  std::size_t turn = 0;
  for (const Damage& damage : damages()) {
    std::vector<Pointer> places;
    collect(whole, Pointer(), damage, places);
    if (places.empty()) {
      continue;
    }
    const Pointer place = places[turn++ * 7 % places.size()];
    json damaged = whole;
    damage.apply(damaged[place]);
    all.push_back({.what = damage.name + " at " + place.to_string(),
                   .text = spec::json::write(damaged),
                   .path_count = damaged["paths"].size()});
  }
  return all;
}

}  // namespace spec::contract
