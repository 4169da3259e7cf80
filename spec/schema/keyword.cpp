#include "spec/schema/keyword.hpp"

#include "spec/schema/compiler/handlers.hpp"

#include <algorithm>
#include <array>

namespace spec::schema {

namespace compiler {
namespace {

using enum Keyword;
using enum Subschemas;

constexpr Vocabularies k30 = kOpenApi30Schema;
constexpr bool kStatement = true;
constexpr bool kNoStatement = false;
constexpr Keyword kNoRule = kNotUnderstood;

constexpr std::array kKeywords = std::to_array<KeywordRow>({
    {"$anchor", kCore},
    {"$comment", kCore},
    {"$defs", kCore, kMap, kNoStatement, kNoRule, kEveryType, compile_definitions},
    {"$dynamicAnchor", kCore},
    {"$dynamicRef", kCore, kNone, kNoStatement, kDynamicRef, kEveryType, compile_dynamic_ref},
    {"$id", kCore},
    {"$ref", kCore | k30, kNone, kNoStatement, kRef, kEveryType, compile_ref},
    {"$schema", kCore},
    {"$vocabulary", kCore},
    {"additionalProperties", kApplicator | k30, kOne, kStatement, kAdditionalProperties,
     kObjectType, compile_additional_properties},
    {"allOf", kApplicator | k30, kList, kStatement, kAllOf, kEveryType, compile_list},
    {"anyOf", kApplicator | k30, kList, kStatement, kAnyOf, kEveryType, compile_list},
    {"const", kValidation, kNone, kStatement, kConst, kEveryType, compile_const},
    {"contains", kApplicator, kOne, kStatement, kContains, kArrayType, compile_contains},
    {"contentEncoding", kContent, kNone, kStatement},
    {"contentMediaType", kContent, kNone, kStatement},
    {"contentSchema", kContent, kOne, kNoStatement, kNoRule, kEveryType, compile_unapplied},
    {"default", kMetaData | k30, kNone, kStatement},
    {"definitions", kCore, kMap},
    {"dependencies", kApplicator, kDependencies, kNoStatement, kNoRule, kObjectType,
     compile_dependencies},
    {"dependentRequired", kValidation, kNone, kStatement, kDependentRequired, kObjectType,
     compile_dependent_required},
    {"dependentSchemas", kApplicator, kMap, kNoStatement, kDependentSchemas, kObjectType,
     compile_dependent_schemas},
    {"deprecated", kMetaData | k30},
    {"description", kMetaData | k30},
    {"discriminator", kOpenApiBase | k30, kNone, kStatement, kDiscriminator, kObjectType,
     compile_discriminator},
    {"else", kApplicator, kOne, kStatement, kNoRule, kEveryType, compile_unapplied},
    {"enum", kValidation | k30, kNone, kStatement, kEnum, kEveryType, compile_enum},
    {"example", kOpenApiBase | k30},
    {"examples", kMetaData},
    {"exclusiveMaximum", kValidation | k30, kNone, kStatement, kExclusiveMaximum, kNumberType,
     compile_exclusive_bound},
    {"exclusiveMinimum", kValidation | k30, kNone, kStatement, kExclusiveMinimum, kNumberType,
     compile_exclusive_bound},
    {"externalDocs", kOpenApiBase | k30},
    {"format", kFormatAnnotation | kFormatAssertion | k30, kNone, kStatement, kFormat, kEveryType,
     compile_format},
    {"if", kApplicator, kOne, kNoStatement, kIf, kEveryType, compile_if},
    {"items", kApplicator | k30, kOne, kStatement, kItems, kArrayType, compile_items},
    {"maxContains", kValidation, kNone, kStatement, kNoRule, kArrayType, check_contains_bound},
    {"maxItems", kValidation | k30, kNone, kStatement, kMaxItems, kArrayType, compile_count},
    {"maxLength", kValidation | k30, kNone, kStatement, kMaxLength, kStringType, compile_count},
    {"maxProperties", kValidation | k30, kNone, kStatement, kMaxProperties, kObjectType,
     compile_count},
    {"maximum", kValidation | k30, kNone, kStatement, kMaximum, kNumberType, compile_bound},
    {"minContains", kValidation, kNone, kStatement, kNoRule, kArrayType, check_contains_bound},
    {"minItems", kValidation | k30, kNone, kStatement, kMinItems, kArrayType, compile_count},
    {"minLength", kValidation | k30, kNone, kStatement, kMinLength, kStringType, compile_count},
    {"minProperties", kValidation | k30, kNone, kStatement, kMinProperties, kObjectType,
     compile_count},
    {"minimum", kValidation | k30, kNone, kStatement, kMinimum, kNumberType, compile_bound},
    {"multipleOf", kValidation | k30, kNone, kStatement, kMultipleOf, kNumberType,
     compile_multiple_of},
    {"not", kApplicator | k30, kOne, kStatement, kNot, kEveryType, compile_subschema},
    {"nullable", k30, kNone, kStatement, kNoRule, kEveryType, compile_flag},
    {"oneOf", kApplicator | k30, kList, kStatement, kOneOf, kEveryType, compile_list},
    {"pattern", kValidation | k30, kNone, kStatement, kPattern, kStringType, compile_pattern},
    {"patternProperties", kApplicator, kMap, kNoStatement, kPatternProperties, kObjectType,
     compile_pattern_properties},
    {"prefixItems", kApplicator, kList, kStatement, kPrefixItems, kArrayType, compile_list},
    {"properties", kApplicator | k30, kMap, kNoStatement, kProperties, kObjectType,
     compile_properties},
    {"propertyNames", kApplicator, kOne, kStatement, kPropertyNames, kObjectType,
     compile_subschema},
    {"readOnly", kMetaData | k30, kNone, kStatement, kNoRule, kEveryType, compile_flag},
    {"required", kValidation | k30, kNone, kStatement, kRequired, kObjectType, compile_required},
    {"then", kApplicator, kOne, kStatement, kNoRule, kEveryType, compile_unapplied},
    {"title", kMetaData | k30},
    {"type", kValidation | k30, kNone, kStatement, kType, kEveryType, compile_type},
    {"unevaluatedItems", kUnevaluated, kOne, kStatement, kUnevaluatedItems, kArrayType,
     compile_unevaluated},
    {"unevaluatedProperties", kUnevaluated, kOne, kStatement, kUnevaluatedProperties, kObjectType,
     compile_unevaluated},
    {"uniqueItems", kValidation | k30, kNone, kStatement, kUniqueItems, kArrayType,
     compile_unique_items},
    {"writeOnly", kMetaData | k30, kNone, kStatement, kNoRule, kEveryType, compile_flag},
    {"xml", kOpenApiBase | k30},
});

}  // namespace
}  // namespace compiler

std::span<const KeywordRow> keywords() {
  return compiler::kKeywords;
}

const KeywordRow* find_keyword(std::string_view name) {
  const auto found = std::ranges::lower_bound(keywords(), name, {}, &KeywordRow::name);
  return found != keywords().end() && found->name == name ? &*found : nullptr;
}

}  // namespace spec::schema
