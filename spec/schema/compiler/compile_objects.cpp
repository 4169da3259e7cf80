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

void add_dependent_names(Draft& draft, std::vector<DependentNames> names, const Node& value) {
  draft.add(Keyword::kDependentRequired, kObjectType,
            append(draft.program().dependent_names, std::move(names)), value);
}

void add_dependent_schemas(Draft& draft, std::vector<DependentSchema> schemas, const Node& value) {
  draft.add(Keyword::kDependentSchemas, kObjectType,
            append(draft.program().dependent_schemas, std::move(schemas)), value);
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

void compile_dependent_required(Draft& draft, const Node& value) {
  if (!expect_object(draft, value)) {
    return;
  }
  std::vector<DependentNames> names;
  for (const Member& member : value.members()) {
    names.push_back({.name = std::string(member.key), .required = read_names(draft, member.value)});
  }
  add_dependent_names(draft, std::move(names), value);
}

void compile_dependent_schemas(Draft& draft, const Node& value) {
  if (!expect_object(draft, value)) {
    return;
  }
  std::vector<DependentSchema> schemas;
  for (const Member& member : value.members()) {
    schemas.push_back(
        {.name = std::string(member.key), .schema = draft.compiler.id_of(member.value)});
  }
  add_dependent_schemas(draft, std::move(schemas), value);
}

// The older keyword that was split in two; still in use.
// Source: JSON Schema 2020-12 Core, appendix on compatibility; Validation §6.5.4.
void compile_dependencies(Draft& draft, const Node& value) {
  if (!expect_object(draft, value)) {
    return;
  }
  std::vector<DependentNames> names;
  std::vector<DependentSchema> schemas;
  for (const Member& member : value.members()) {
    if (member.value.is_array()) {
      names.push_back(
          {.name = std::string(member.key), .required = read_names(draft, member.value)});
    } else {
      schemas.push_back(
          {.name = std::string(member.key), .schema = draft.compiler.id_of(member.value)});
    }
  }
  add_dependent_names(draft, std::move(names), value);
  add_dependent_schemas(draft, std::move(schemas), value);
}

}  // namespace spec::schema::compiler
