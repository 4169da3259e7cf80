#include "spec/schema/keyword.hpp"

#include <algorithm>
#include <array>

namespace spec::schema {

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
    {"$defs", kCore, kMap},
    {"$dynamicAnchor", kCore},
    {"$dynamicRef", kCore, kNone, kNoStatement, kDynamicRef},
    {"$id", kCore},
    {"$ref", kCore | k30, kNone, kNoStatement, kRef},
    {"$schema", kCore},
    {"$vocabulary", kCore},
    {"additionalProperties", kApplicator | k30, kOne, kStatement, kAdditionalProperties,
     kObjectType},
    {"allOf", kApplicator | k30, kList, kStatement, kAllOf},
    {"anyOf", kApplicator | k30, kList, kStatement, kAnyOf},
    {"const", kValidation, kNone, kStatement, kConst},
    {"contains", kApplicator, kOne, kStatement, kContains, kArrayType},
    {"contentEncoding", kContent, kNone, kStatement},
    {"contentMediaType", kContent, kNone, kStatement},
    {"contentSchema", kContent, kOne},
    {"default", kMetaData | k30, kNone, kStatement},
    {"definitions", kCore, kMap},
    {"dependencies", kApplicator, kDependencies, kNoStatement, kNoRule, kObjectType},
    {"dependentRequired", kValidation, kNone, kStatement, kDependentRequired, kObjectType},
    {"dependentSchemas", kApplicator, kMap, kNoStatement, kDependentSchemas, kObjectType},
    {"deprecated", kMetaData | k30},
    {"description", kMetaData | k30},
    {"discriminator", kOpenApiBase | k30, kNone, kStatement, kDiscriminator, kObjectType},
    {"else", kApplicator, kOne, kStatement},
    {"enum", kValidation | k30, kNone, kStatement, kEnum},
    {"example", kOpenApiBase | k30},
    {"examples", kMetaData},
    {"exclusiveMaximum", kValidation | k30, kNone, kStatement, kExclusiveMaximum, kNumberType},
    {"exclusiveMinimum", kValidation | k30, kNone, kStatement, kExclusiveMinimum, kNumberType},
    {"externalDocs", kOpenApiBase | k30},
    {"format", kFormatAnnotation | kFormatAssertion | k30, kNone, kStatement, kFormat},
    {"if", kApplicator, kOne, kNoStatement, kIf},
    {"items", kApplicator | k30, kOne, kStatement, kItems, kArrayType},
    {"maxContains", kValidation, kNone, kStatement, kNoRule, kArrayType},
    {"maxItems", kValidation | k30, kNone, kStatement, kMaxItems, kArrayType},
    {"maxLength", kValidation | k30, kNone, kStatement, kMaxLength, kStringType},
    {"maxProperties", kValidation | k30, kNone, kStatement, kMaxProperties, kObjectType},
    {"maximum", kValidation | k30, kNone, kStatement, kMaximum, kNumberType},
    {"minContains", kValidation, kNone, kStatement, kNoRule, kArrayType},
    {"minItems", kValidation | k30, kNone, kStatement, kMinItems, kArrayType},
    {"minLength", kValidation | k30, kNone, kStatement, kMinLength, kStringType},
    {"minProperties", kValidation | k30, kNone, kStatement, kMinProperties, kObjectType},
    {"minimum", kValidation | k30, kNone, kStatement, kMinimum, kNumberType},
    {"multipleOf", kValidation | k30, kNone, kStatement, kMultipleOf, kNumberType},
    {"not", kApplicator | k30, kOne, kStatement, kNot},
    {"nullable", k30, kNone, kStatement},
    {"oneOf", kApplicator | k30, kList, kStatement, kOneOf},
    {"pattern", kValidation | k30, kNone, kStatement, kPattern, kStringType},
    {"patternProperties", kApplicator, kMap, kNoStatement, kPatternProperties, kObjectType},
    {"prefixItems", kApplicator, kList, kStatement, kPrefixItems, kArrayType},
    {"properties", kApplicator | k30, kMap, kNoStatement, kProperties, kObjectType},
    {"propertyNames", kApplicator, kOne, kStatement, kPropertyNames, kObjectType},
    {"readOnly", kMetaData | k30, kNone, kStatement},
    {"required", kValidation | k30, kNone, kStatement, kRequired, kObjectType},
    {"then", kApplicator, kOne, kStatement},
    {"title", kMetaData | k30},
    {"type", kValidation | k30, kNone, kStatement, kType},
    {"unevaluatedItems", kUnevaluated, kOne, kStatement, kUnevaluatedItems, kArrayType},
    {"unevaluatedProperties", kUnevaluated, kOne, kStatement, kUnevaluatedProperties, kObjectType},
    {"uniqueItems", kValidation | k30, kNone, kStatement, kUniqueItems, kArrayType},
    {"writeOnly", kMetaData | k30, kNone, kStatement},
    {"xml", kOpenApiBase | k30},
});

}  // namespace

std::span<const KeywordRow> keywords() {
  return kKeywords;
}

const KeywordRow* find_keyword(std::string_view name) {
  const auto found = std::ranges::lower_bound(keywords(), name, {}, &KeywordRow::name);
  return found != keywords().end() && found->name == name ? &*found : nullptr;
}

}  // namespace spec::schema
