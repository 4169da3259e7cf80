// Which function reads which keyword. The keywords themselves are spec/schema/keyword.cpp's.

#include "spec/schema/compiler/handlers.hpp"

#include <algorithm>
#include <array>

namespace spec::schema::compiler {
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

}  // namespace spec::schema::compiler
