#include "spec/schema/compiler/handlers.hpp"

#include <algorithm>
#include <array>

namespace spec::schema::compiler {
namespace {

struct Entry {
  std::string_view name;
  Handler handler = nullptr;
};

constexpr std::array kHandlers = std::to_array<Entry>({
    {"$defs", compile_definitions},
    {"$dynamicRef", compile_dynamic_ref},
    {"$ref", compile_ref},
    {"additionalProperties", compile_additional_properties},
    {"allOf", compile_list},
    {"anyOf", compile_list},
    {"const", compile_const},
    {"contains", compile_contains},
    {"contentSchema", compile_unapplied},
    {"dependencies", compile_dependencies},
    {"dependentRequired", compile_dependent_required},
    {"dependentSchemas", compile_dependent_schemas},
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
    {"not", compile_not},
    {"nullable", compile_flag},
    {"oneOf", compile_list},
    {"pattern", compile_pattern},
    {"patternProperties", compile_pattern_properties},
    {"prefixItems", compile_prefix_items},
    {"properties", compile_properties},
    {"propertyNames", compile_property_names},
    {"readOnly", compile_flag},
    {"required", compile_required},
    {"then", compile_unapplied},
    {"type", compile_type},
    {"unevaluatedItems", compile_unevaluated_items},
    {"unevaluatedProperties", compile_unevaluated_properties},
    {"uniqueItems", compile_unique_items},
    {"writeOnly", compile_flag},
});

}  // namespace

document::Node Draft::sibling(std::string_view name) const {
  const KeywordEntry* entry = find_keyword(name);
  return entry != nullptr && is_known(*entry, rules) ? node.find(name) : document::Node();
}

ObjectTable& Draft::object() {
  if (schema.object == kNoId) {
    schema.object = append(program().objects, ObjectTable{});
  }
  return program().objects[schema.object];
}

Handler find_handler(std::string_view name) {
  const auto* const found = std::ranges::lower_bound(kHandlers, name, {}, &Entry::name);
  return found != kHandlers.end() && found->name == name ? found->handler : nullptr;
}

}  // namespace spec::schema::compiler
