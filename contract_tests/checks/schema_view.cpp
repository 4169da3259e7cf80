#include "contract_tests/checks/schema_view.hpp"

#include "contract_tests/checks/documented.hpp"
#include "spec/json/number.hpp"
#include "spec/json/pointer.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace contract_tests::checks {

using spec::document::Node;

namespace {

constexpr int kMaxDepth = 16;  // a chain of references longer than this says nothing to a plan

// "#/components/schemas/X" in the same document; an empty handle for anything else.
Node follow(const Node& from, std::string_view reference) {
  if (!reference.starts_with('#')) {
    return {};
  }
  auto node = from;
  while (const auto parent = node.parent()) {
    node = parent;
  }
  const auto tokens = spec::json::split_pointer(reference.substr(1));
  if (!tokens) {
    return {};
  }
  for (const auto& token : *tokens) {
    node = node.find(token);
    if (!node) {
      return {};
    }
  }
  return node;
}

std::optional<double> number(const Node& node) {
  if (!node || !node.is_number()) {
    return std::nullopt;
  }
  return spec::json::to_double(node.value());
}

bool is_null_branch(const Node& schema) {
  const auto type = schema.find("type");
  return type && type.is_string() && type.string() == "null";
}

void look(const Node& schema, SchemaView& seen, int depth);

// anyOf and oneOf are looked through when all but one branch are null.
void look_through(const Node& branches, SchemaView& seen, int depth) {
  std::vector<Node> real;
  for (const auto& branch : branches.elements()) {
    if (is_null_branch(branch)) {
      seen.nullable = true;
    } else {
      real.push_back(branch);
    }
  }
  if (real.size() == 1) {
    look(real.front(), seen, depth + 1);
  }
}

void look_at_type(const Node& type, SchemaView& seen) {
  if (!type) {
    return;
  }
  seen.type_node = type;
  const auto take = [&seen](const Node& name) {
    if (name.is_string() && name.string() == "null") {
      seen.nullable = true;
    } else if (name.is_string()) {
      seen.types.emplace_back(name.string());
    }
  };
  if (type.is_array()) {
    std::ranges::for_each(type.elements(), take);
  } else {
    take(type);
  }
}

void look_at_object(const Node& schema, SchemaView& seen) {
  if (const auto properties = schema.find("properties")) {
    for (const auto& member : properties.members()) {
      seen.properties.emplace_back(member.key, member.value);
    }
  }
  if (const auto required = schema.find("required"); required && required.is_array()) {
    seen.required_node = required;
    for (const auto& name : required.elements()) {
      seen.required.emplace_back(name.string());
    }
  }
}

void look(const Node& schema, SchemaView& seen, int depth) {
  if (!schema || !schema.is_object() || depth > kMaxDepth) {
    return;
  }
  if (const auto reference = schema.find("$ref"); reference && reference.is_string()) {
    look(follow(schema, reference.string()), seen, depth + 1);
  }
  look_at_type(schema.find("type"), seen);
  if (const auto format = schema.find("format"); format && format.is_string()) {
    seen.format = format.string();
    seen.format_node = format;
  }
  seen.minimum = seen.minimum ? seen.minimum : number(schema.find("minimum"));
  seen.maximum = seen.maximum ? seen.maximum : number(schema.find("maximum"));
  if (const auto values = schema.find("enum")) {
    seen.values = values.elements();
  }
  if (const auto items = schema.find("items")) {
    seen.items = items;
  }
  if (const auto unique = schema.find("uniqueItems"); unique && unique.is_boolean()) {
    seen.unique_items = seen.unique_items || unique.boolean();
  }
  if (const auto nullable = schema.find("nullable"); nullable && nullable.is_boolean()) {
    seen.nullable = seen.nullable || nullable.boolean();
  }
  look_at_object(schema, seen);
  for (const auto* joined : {"anyOf", "oneOf"}) {
    if (const auto branches = schema.find(joined)) {
      look_through(branches, seen, depth);
    }
  }
  if (const auto all = schema.find("allOf")) {
    for (const auto& branch : all.elements()) {
      look(branch, seen, depth + 1);
    }
  }
}

bool is_open(const Node& schema, int depth) {
  if (!schema || !schema.is_object() || depth > kMaxDepth) {
    return false;
  }
  for (const auto* keyword : {"additionalProperties", "patternProperties", "then", "else",
                              "dependentSchemas", "unevaluatedProperties"}) {
    if (schema.find(keyword).is_object()) {
      return true;
    }
  }
  for (const auto* choice : {"anyOf", "oneOf"}) {
    std::size_t real = 0;
    for (const auto& branch : schema.find(choice).elements()) {
      real += is_null_branch(branch) ? 0U : 1U;
      if (is_open(branch, depth + 1)) {
        return true;
      }
    }
    if (real > 1) {
      return true;
    }
  }
  const auto branches = schema.find("allOf").elements();
  const auto reference = schema.find("$ref");
  return std::ranges::any_of(branches,
                             [depth](const Node& branch) { return is_open(branch, depth + 1); }) ||
         (reference && reference.is_string() &&
          is_open(follow(schema, reference.string()), depth + 1));
}

}  // namespace

bool leaves_names_open(const Node& schema) {
  return is_open(schema, 0);
}

bool SchemaView::is(std::string_view type) const {
  return std::ranges::find(types, type) != types.end();
}

SchemaView view(const Node& schema) {
  SchemaView seen;
  look(schema, seen, 0);
  return seen;
}

}  // namespace contract_tests::checks
