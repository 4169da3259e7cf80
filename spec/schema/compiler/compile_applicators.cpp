// Keywords that apply schemas to the instance itself, and annotations that steer the validator.
// Source: JSON Schema 2020-12 Core §8.2.3, §10.2; OpenAPI 3.1.0 §4.8.25, 3.0.3 Schema Object.

#include "spec/json/number.hpp"
#include "spec/schema/compiler/handlers.hpp"

#include <nlohmann/json.hpp>

namespace spec::schema::compiler {

using document::Member;
using document::Node;

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

// The bound of contains that `value` spells; `otherwise` if it is not there or is wrong, which its
// own handler reports about.
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

}  // namespace spec::schema::compiler
