// OpenAPI's discriminator beside oneOf or anyOf: a text that means none of the alternatives is
// wrong. Source: OpenAPI 3.1.0 §4.8.25.

#include "spec/schema/tests/twin/outcome.hpp"

#include <set>
#include <string>

namespace spec::schema::twin {

namespace {

using nlohmann::json;

// Collects the values of one property that select an alternative.
class Meanings {
 public:
  Meanings(const Documents& documents, std::string property)
      : documents_(documents), property_(std::move(property)) {}

  // The mapping of a schema, and its alternatives.
  void add_choices(const Place& place) {
    const json& schema = *place.schema;
    const json discriminator = schema.value("discriminator", json::object());
    if (discriminator.value("propertyName", json()) == property_) {
      const json mapping = discriminator.value("mapping", json::object());
      for (const auto& [name, target] : mapping.items()) {
        known_.insert(name);
      }
    }
    for (const char* keyword : {"oneOf", "anyOf"}) {
      if (schema.contains(keyword)) {
        for (const json& alternative : schema[keyword]) {
          add_alternative({&alternative, place.base});
        }
      }
    }
  }

  bool has(const std::string& text) const { return known_.contains(text); }

 private:
  void add_alternative(const Place& place) {
    if (place.schema->is_object() && place.schema->contains("$ref")) {
      const auto reference = (*place.schema)["$ref"].get<std::string>();
      known_.insert(reference.substr(reference.find_last_of("/#") + 1));
    }
    add_part(place);
  }

  // An alternative, or what it refers to or is composed of.
  void add_part(const Place& given) {
    if (!given.schema->is_object()) {
      return;
    }
    const json& schema = *given.schema;
    const Place place{&schema, documents_.base_of(schema, given.base)};
    if (schema.contains("properties") && schema["properties"].contains(property_)) {
      add_constants({&schema["properties"][property_], place.base});
    }
    add_choices(place);
    each_part(place, [this](const Place& part) { add_part(part); });
  }

  void add_constants(const Place& given) {
    if (!given.schema->is_object()) {
      return;
    }
    const json& schema = *given.schema;
    json values = schema.value("enum", json::array());
    if (schema.contains("const")) {
      values.push_back(schema["const"]);
    }
    for (const json& value : values) {
      if (value.is_string()) {
        known_.insert(value.get<std::string>());
      }
    }
    each_part({&schema, documents_.base_of(schema, given.base)},
              [this](const Place& part) { add_constants(part); });
  }

  template <typename Visit>
  void each_part(const Place& place, const Visit& visit) {
    const json& schema = *place.schema;
    if (schema.contains("$ref")) {
      visit(documents_.resolve(schema["$ref"].get<std::string>(), place.base));
    }
    if (schema.contains("allOf")) {
      for (const json& part : schema["allOf"]) {
        visit(Place{&part, place.base});
      }
    }
  }

  const Documents& documents_;
  std::string property_;
  std::set<std::string> known_;
};

}  // namespace

bool tag_selects_an_alternative(const Documents& documents, const Place& place,
                                const json& object) {
  const json& schema = *place.schema;
  const auto property = schema["discriminator"]["propertyName"].get<std::string>();
  const bool is_beside_alternatives = schema.contains("oneOf") || schema.contains("anyOf");
  if (!is_beside_alternatives || !object.contains(property) || !object[property].is_string()) {
    return true;
  }
  Meanings meanings(documents, property);
  meanings.add_choices(place);
  return meanings.has(object[property].get<std::string>());
}

}  // namespace spec::schema::twin
