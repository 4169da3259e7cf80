// Keywords about objects. Source: JSON Schema 2020-12 Core §10.3.2, §11.3, Validation §6.5.

#include "spec/schema/compiler/handlers.hpp"

#include <nlohmann/json.hpp>

#include <utility>

namespace spec::schema::compiler {
namespace {

using document::Member;
using document::Node;

bool expect_object(Draft& draft, const Node& value) {
  if (!value.is_object()) {
    draft.compiler.report(value, wrong_kind("an object", value));
  }
  return value.is_object();
}

std::vector<std::string> read_names(Draft& draft, const Node& value) {
  std::vector<std::string> names;
  if (!value.is_array()) {
    draft.compiler.report(value, wrong_kind("an array of property names", value));
  }
  for (const Node& element : value.elements()) {
    if (element.is_string()) {
      names.emplace_back(element.string());
    } else {
      draft.compiler.report(element, wrong_kind("a property name", element));
    }
  }
  return names;
}

}  // namespace

void compile_required(Draft& draft, const Node& value) {
  std::vector<std::string> names = read_names(draft, value);
  if (!names.empty()) {
    draft.object().required = std::move(names);
    draft.add(draft.schema.object, value);
  }
}

void compile_properties(Draft& draft, const Node& value) {
  if (!expect_object(draft, value)) {
    return;
  }
  std::vector<Property> properties;
  for (const Member& member : value.members()) {
    properties.push_back(
        {.name = std::string(member.key), .schema = draft.compiler.id_of(member.value)});
  }
  draft.object().properties = std::move(properties);
  draft.add(draft.schema.object, value);
}

void compile_pattern_properties(Draft& draft, const Node& value) {
  if (!expect_object(draft, value)) {
    return;
  }
  std::vector<PatternProperty> patterns;
  for (const Member& member : value.members()) {
    const std::uint32_t pattern = draft.compiler.pattern(member.value, member.key);
    const SchemaId schema = draft.compiler.id_of(member.value);
    if (pattern != kNoId) {
      patterns.push_back({.pattern = pattern, .schema = schema});
    }
  }
  draft.object().patterns = std::move(patterns);
  draft.add(draft.schema.object, value);
}

void compile_additional_properties(Draft& draft, const Node& value) {
  const SchemaId schema = draft.compiler.id_of(value);
  draft.object().additional = schema;
  draft.add(draft.schema.object, value);
}

// dependentRequired, dependentSchemas, and `dependencies`, the older keyword that was split in
// these two and is still in use: there an array has names. Source: JSON Schema 2020-12 Core,
// appendix on compatibility; Validation §6.5.4.
void compile_dependents(Draft& draft, const Node& value) {
  if (!expect_object(draft, value)) {
    return;
  }
  const bool is_for_names = draft.row->keyword == Keyword::kDependentRequired;
  const bool is_for_both = draft.row->name == "dependencies";
  std::vector<DependentNames> names;
  std::vector<Property> schemas;
  for (const Member& member : value.members()) {
    const std::string name(member.key);
    if (is_for_names || (is_for_both && member.value.is_array())) {
      names.push_back({.name = name, .required = read_names(draft, member.value)});
    } else {
      schemas.push_back({.name = name, .schema = draft.compiler.id_of(member.value)});
    }
  }
  if (is_for_names || is_for_both) {
    draft.add(Keyword::kDependentRequired, kObjectType,
              append(draft.program().dependent_names, std::move(names)), value);
  }
  if (!is_for_names) {
    draft.add(Keyword::kDependentSchemas, kObjectType,
              append(draft.program().dependent_schemas, std::move(schemas)), value);
  }
}

}  // namespace spec::schema::compiler
