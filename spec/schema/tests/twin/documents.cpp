#include "spec/schema/tests/twin/documents.hpp"

#include "spec/document/library.hpp"
#include "spec/document/uri.hpp"
#include "spec/json/pointer.hpp"
#include "spec/text/encoding.hpp"

#include <array>
#include <utility>

namespace spec::schema::twin {

namespace {

using nlohmann::json;

// The keywords whose values hold schemas. Source: Core §10, §8.2.4; Validation appendix for the
// compatibility keywords.
constexpr std::array kOneSchema{"additionalProperties",
                                "contains",
                                "else",
                                "if",
                                "items",
                                "not",
                                "propertyNames",
                                "then",
                                "unevaluatedItems",
                                "unevaluatedProperties",
                                "contentSchema"};
constexpr std::array kListOfSchemas{"allOf", "anyOf", "oneOf", "prefixItems"};
constexpr std::array kMapOfSchemas{
    "$defs", "definitions", "dependentSchemas", "patternProperties", "properties", "dependencies"};

std::pair<std::string, std::string> split_fragment(const std::string& uri) {
  const auto hash = uri.find('#');
  return hash == std::string::npos ? std::pair{uri, std::string()}
                                   : std::pair{uri.substr(0, hash), uri.substr(hash + 1)};
}

template <typename Visit>
void each_subschema(const json& schema, const Visit& visit) {
  for (const char* key : kOneSchema) {
    if (schema.contains(key)) {
      visit(schema[key]);
    }
  }
  for (const char* key : kListOfSchemas) {
    if (schema.contains(key) && schema[key].is_array()) {
      for (const json& each : schema[key]) {
        visit(each);
      }
    }
  }
  for (const char* key : kMapOfSchemas) {
    if (schema.contains(key) && schema[key].is_object()) {
      for (const json& each : schema[key]) {
        visit(each);
      }
    }
  }
}

}  // namespace

Place Documents::add(const std::string& uri, json document) {
  const json& kept = documents_[uri] = std::move(document);
  resources_[uri] = &kept;
  index(kept, uri);
  return {&kept, uri};
}

std::string Documents::base_of(const json& at, const std::string& base) const {
  if (const auto known = bases_.find(&at); known != bases_.end()) {
    return known->second;
  }
  if (!at.is_object() || !at.contains("$id") || !at["$id"].is_string()) {
    return base;
  }
  return split_fragment(document::resolve_uri(base, at["$id"].get<std::string>())).first;
}

void Documents::index(const json& schema, const std::string& base) {
  if (!schema.is_object()) {
    return;
  }
  const std::string inner = base_of(schema, base);
  bases_[&schema] = inner;
  if (inner != base) {
    resources_.emplace(inner, &schema);
  }
  if (schema.contains("$anchor") && schema["$anchor"].is_string()) {
    anchors_.emplace(inner + '#' + schema["$anchor"].get<std::string>(), &schema);
  }
  if (schema.contains("$dynamicAnchor") && schema["$dynamicAnchor"].is_string()) {
    const std::string name = inner + '#' + schema["$dynamicAnchor"].get<std::string>();
    anchors_.emplace(name, &schema);
    dynamic_anchors_.emplace(name, &schema);
  }
  each_subschema(schema, [&](const json& each) { index(each, inner); });
}

Place Documents::walk(const json& from, std::string base, std::string_view pointer) const {
  const json* at = &from;
  const auto split = spec::json::split_pointer(pointer);
  for (const std::string& token : *split) {
    if (at != &from) {
      base = base_of(*at, base);
    }
    std::string step;
    spec::json::append_token(step, token);
    at = spec::json::find(*at, step);
    if (at == nullptr) {
      throw ReferenceError("no such place: " + std::string(pointer));
    }
  }
  return {at, base};
}

Place Documents::resolve(std::string_view reference, const std::string& base) const {
  const auto [uri, raw_fragment] = split_fragment(document::resolve_uri(base, reference));
  const auto resource = resources_.find(uri);
  if (resource == resources_.end()) {
    throw ReferenceError("no such resource: " + uri);
  }
  const auto fragment = text::percent_decode(raw_fragment);
  if (!fragment) {
    throw ReferenceError("malformed fragment: " + raw_fragment);
  }
  if (fragment->empty() || fragment->front() == '/') {
    return walk(*resource->second, uri, *fragment);
  }
  const auto anchor = anchors_.find(uri + '#' + *fragment);
  if (anchor == anchors_.end()) {
    throw ReferenceError("no such anchor: " + uri + '#' + *fragment);
  }
  return {anchor->second, uri};
}

Place Documents::dynamic_anchor(const std::string& base, std::string_view name) const {
  const auto found = dynamic_anchors_.find(base + '#' + std::string(name));
  return found == dynamic_anchors_.end() ? Place{} : Place{found->second, base};
}

bool Documents::uses_vocabulary(const std::string& base, std::string_view name) const {
  const auto resource = resources_.find(base);
  if (resource == resources_.end() || !resource->second->is_object() ||
      !resource->second->contains("$schema")) {
    return true;
  }
  const auto metaschema = resources_.find((*resource->second)["$schema"].get<std::string>());
  if (metaschema == resources_.end() || !metaschema->second->contains("$vocabulary")) {
    return true;
  }
  for (const auto& [uri, required] : (*metaschema->second)["$vocabulary"].items()) {
    if (uri.ends_with("/vocab/" + std::string(name))) {
      return true;
    }
  }
  return false;
}

}  // namespace spec::schema::twin
