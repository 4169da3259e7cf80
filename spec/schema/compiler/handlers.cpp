// The table of handlers by keyword; spec/schema/keyword.cpp has the table of keywords.

#include "spec/schema/compiler/handlers.hpp"

#include "spec/json/number.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <utility>

namespace spec::schema::compiler {

using document::Member;
using document::Node;

namespace {

struct HandlerRow {
  std::string_view keyword;
  Handler handler;
};

constexpr std::array kHandlers = std::to_array<HandlerRow>({
    {"$defs", compile_definitions},
    {"$dynamicRef", compile_dynamic_ref},
    {"$ref", compile_ref},
    {"additionalProperties", compile_additional_properties},
    {"allOf", compile_list},
    {"anyOf", compile_list},
    {"const", compile_const},
    {"contains", compile_contains},
    {"contentSchema", compile_unapplied},
    {"dependencies", compile_dependents},
    {"dependentRequired", compile_dependents},
    {"dependentSchemas", compile_dependents},
    {"discriminator", compile_discriminator},
    {"else", compile_unapplied},
    {"enum", compile_enum},
    {"exclusiveMaximum", compile_exclusive_bound},
    {"exclusiveMinimum", compile_exclusive_bound},
    {"format", compile_format},
    {"if", compile_if},
    {"items", compile_items},
    {"maxContains", check_contains_bound},
    {"maxItems", compile_count},
    {"maxLength", compile_count},
    {"maxProperties", compile_count},
    {"maximum", compile_bound},
    {"minContains", check_contains_bound},
    {"minItems", compile_count},
    {"minLength", compile_count},
    {"minProperties", compile_count},
    {"minimum", compile_bound},
    {"multipleOf", compile_multiple_of},
    {"not", compile_subschema},
    {"nullable", compile_flag},
    {"oneOf", compile_list},
    {"pattern", compile_pattern},
    {"patternProperties", compile_pattern_properties},
    {"prefixItems", compile_list},
    {"properties", compile_properties},
    {"propertyNames", compile_subschema},
    {"readOnly", compile_flag},
    {"required", compile_required},
    {"then", compile_unapplied},
    {"type", compile_type},
    {"unevaluatedItems", compile_unevaluated},
    {"unevaluatedProperties", compile_unevaluated},
    {"uniqueItems", compile_unique_items},
    {"writeOnly", compile_flag},
});

static_assert(std::ranges::is_sorted(kHandlers, {}, &HandlerRow::keyword));

}  // namespace

Handler handler_of(std::string_view keyword) {
  const auto* const found = std::ranges::lower_bound(kHandlers, keyword, {}, &HandlerRow::keyword);
  return found != kHandlers.end() && found->keyword == keyword ? found->handler : nullptr;
}

// Keywords that apply schemas to the instance itself, and annotations that steer the validator.
// Source: JSON Schema 2020-12 Core §8.2.3, §10.2; OpenAPI 3.1.0 §4.8.25, 3.0.3 Schema Object.

void compile_ref(Draft& draft, const Node& value) {
  if (!value.is_string()) {
    draft.compiler.report(value, wrong_kind("a URI reference", value));
    return;
  }
  const SchemaId target = draft.compiler.resolve(value, draft.schema.resource);
  if (target != kNoId) {
    draft.add(target, value);
  }
}

void compile_dynamic_ref(Draft& draft, const Node& value) {
  if (!value.is_string()) {
    draft.compiler.report(value, wrong_kind("a URI reference", value));
    return;
  }
  SchemaId target = kNoId;
  const std::uint32_t table = draft.compiler.resolve_dynamic(value, draft.schema.resource, target);
  if (table != kNoId) {
    draft.add(table, value);
  } else if (target != kNoId) {
    draft.add(Keyword::kRef, kEveryType, target, value);
  }
}

// allOf, anyOf, oneOf, prefixItems.
void compile_list(Draft& draft, const Node& value) {
  if (!value.is_array() || value.size() == 0) {
    draft.compiler.report(value, wrong_kind("an array of at least one schema", value));
    return;
  }
  std::vector<SchemaId> schemas;
  for (const Node& element : value.elements()) {
    schemas.push_back(draft.compiler.id_of(element));
  }
  draft.add(append(draft.program().lists, std::move(schemas)), value);
}

// not, propertyNames.
void compile_subschema(Draft& draft, const Node& value) {
  draft.add(draft.compiler.id_of(value), value);
}

void compile_unevaluated(Draft& draft, const Node& value) {
  draft.schema.tracks = true;
  draft.add(draft.compiler.id_of(value), value);
}

void compile_if(Draft& draft, const Node& value) {
  ConditionTable table;
  table.condition = draft.compiler.id_of(value);
  if (const Node consequence = draft.sibling("then")) {
    table.consequence = draft.compiler.id_of(consequence);
  }
  if (const Node alternative = draft.sibling("else")) {
    table.alternative = draft.compiler.id_of(alternative);
  }
  draft.add(append(draft.program().conditions, table), value);
}

// $defs: compiled although nothing may refer to them, so that errors in them are found.
void compile_definitions(Draft& draft, const Node& value) {
  if (!value.is_object()) {
    draft.compiler.report(value, wrong_kind("an object", value));
    return;
  }
  for (const Member& member : value.members()) {
    draft.compiler.id_of(member.value);
  }
}

// contentSchema, an annotation, and a then or else without its if.
void compile_unapplied(Draft& draft, const Node& value) {
  draft.compiler.id_of(value);
}

void compile_flag(Draft& draft, const Node& value) {
  if (!value.is_boolean()) {
    draft.compiler.report(value, wrong_kind("true or false", value));
    return;
  }
  if (draft.row->name == "readOnly") {
    draft.schema.read_only = value.boolean();
  } else if (draft.row->name == "writeOnly") {
    draft.schema.write_only = value.boolean();
    draft.program().has_write_only = draft.program().has_write_only || value.boolean();
  }
}

namespace {

// The bound of contains at `value`; `otherwise` if it is missing or invalid, which its own handler
// reports.
std::uint64_t contains_bound(const Node& value, std::uint64_t otherwise) {
  if (!value || !value.is_number()) {
    return otherwise;
  }
  const auto count = json::to_int64(value.value());
  return count && *count >= 0 ? static_cast<std::uint64_t>(*count) : otherwise;
}

}  // namespace

void compile_items(Draft& draft, const Node& value) {
  const Node prefix = draft.sibling("prefixItems");
  const auto first = static_cast<std::uint32_t>(prefix.is_array() ? prefix.size() : 0);
  const SchemaId schema = draft.compiler.id_of(value);
  draft.add(append(draft.program().items, ItemsTable{.schema = schema, .first = first}), value);
}

void compile_contains(Draft& draft, const Node& value) {
  ContainsTable table;
  table.schema = draft.compiler.id_of(value);
  table.min_node = draft.sibling("minContains");
  table.max_node = draft.sibling("maxContains");
  table.min = contains_bound(table.min_node, table.min);
  table.max = contains_bound(table.max_node, table.max);
  draft.add(append(draft.program().contains, table), value);
}

// Keywords about objects. Source: JSON Schema 2020-12 Core §10.3.2, §11.3, Validation §6.5.

namespace {

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

// dependentRequired, dependentSchemas, and `dependencies`, the older keyword that was split into
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
