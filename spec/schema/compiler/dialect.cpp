#include "spec/schema/compiler/dialect.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace spec::schema::compiler {
namespace {

constexpr std::string_view kStandard = "https://json-schema.org/draft/2020-12/schema";
constexpr std::string_view kVocabularyPrefix = "https://json-schema.org/draft/2020-12/vocab/";
constexpr std::string_view kOpenApiDialect = "https://spec.openapis.org/oas/3.1/dialect/base";
constexpr std::string_view kOpenApiVocabulary = "https://spec.openapis.org/oas/3.1/vocab/base";

constexpr Vocabularies kStandardVocabularies =
    kCore | kApplicator | kUnevaluated | kValidation | kMetaData | kFormatAnnotation | kContent;

constexpr Vocabularies k30 = kOpenApi30Word;

constexpr std::array kKeywords = std::to_array<KeywordEntry>({
    {"$anchor", kCore},
    {"$comment", kCore},
    {"$defs", kCore, Shape::kSchemaMap},
    {"$dynamicAnchor", kCore},
    {"$dynamicRef", kCore},
    {"$id", kCore},
    {"$ref", kCore | k30},
    {"$schema", kCore},
    {"$vocabulary", kCore},
    {"additionalProperties", kApplicator | k30, Shape::kSchema},
    {"allOf", kApplicator | k30, Shape::kSchemas},
    {"anyOf", kApplicator | k30, Shape::kSchemas},
    {"const", kValidation},
    {"contains", kApplicator, Shape::kSchema},
    {"contentEncoding", kContent},
    {"contentMediaType", kContent},
    {"contentSchema", kContent, Shape::kSchema},
    {"default", kMetaData | k30},
    {"definitions", kCore, Shape::kSchemaMap},
    {"dependencies", kApplicator, Shape::kDependencies},
    {"dependentRequired", kValidation},
    {"dependentSchemas", kApplicator, Shape::kSchemaMap},
    {"deprecated", kMetaData | k30},
    {"description", kMetaData | k30},
    {"discriminator", kOpenApiBase | k30},
    {"else", kApplicator, Shape::kSchema},
    {"enum", kValidation | k30},
    {"example", kOpenApiBase | k30},
    {"examples", kMetaData},
    {"exclusiveMaximum", kValidation | k30},
    {"exclusiveMinimum", kValidation | k30},
    {"externalDocs", kOpenApiBase | k30},
    {"format", kFormatAnnotation | kFormatAssertion | k30},
    {"if", kApplicator, Shape::kSchema},
    {"items", kApplicator | k30, Shape::kSchema},
    {"maxContains", kValidation},
    {"maxItems", kValidation | k30},
    {"maxLength", kValidation | k30},
    {"maxProperties", kValidation | k30},
    {"maximum", kValidation | k30},
    {"minContains", kValidation},
    {"minItems", kValidation | k30},
    {"minLength", kValidation | k30},
    {"minProperties", kValidation | k30},
    {"minimum", kValidation | k30},
    {"multipleOf", kValidation | k30},
    {"not", kApplicator | k30, Shape::kSchema},
    {"nullable", k30},
    {"oneOf", kApplicator | k30, Shape::kSchemas},
    {"pattern", kValidation | k30},
    {"patternProperties", kApplicator, Shape::kSchemaMap},
    {"prefixItems", kApplicator, Shape::kSchemas},
    {"properties", kApplicator | k30, Shape::kSchemaMap},
    {"propertyNames", kApplicator, Shape::kSchema},
    {"readOnly", kMetaData | k30},
    {"required", kValidation | k30},
    {"then", kApplicator, Shape::kSchema},
    {"title", kMetaData | k30},
    {"type", kValidation | k30},
    {"unevaluatedItems", kUnevaluated, Shape::kSchema},
    {"unevaluatedProperties", kUnevaluated, Shape::kSchema},
    {"uniqueItems", kValidation | k30},
    {"writeOnly", kMetaData | k30},
    {"xml", kOpenApiBase | k30},
});

}  // namespace

DialectRules rules_of(Dialect dialect, bool assert_format) {
  switch (dialect) {
    case Dialect::kOpenApi30:
      return {.vocabularies = kOpenApi30Word,
              .assert_format = assert_format,
              .open_api = true,
              .open_api_30 = true};
    case Dialect::kOpenApi31:
      return {.vocabularies = kStandardVocabularies | kOpenApiBase,
              .assert_format = assert_format,
              .open_api = true};
    case Dialect::k2020_12: break;
  }
  return {.vocabularies = kStandardVocabularies, .assert_format = assert_format};
}

std::optional<Dialect> dialect_of(std::string_view uri) {
  if (uri.ends_with('#')) {
    uri.remove_suffix(1);
  }
  if (uri == kStandard) {
    return Dialect::k2020_12;
  }
  return uri == kOpenApiDialect ? std::optional(Dialect::kOpenApi31) : std::nullopt;
}

std::optional<Vocabularies> vocabulary_of(std::string_view uri) {
  using Name = std::pair<std::string_view, Vocabularies>;
  constexpr std::array kNames = std::to_array<Name>({
      {"core", kCore},
      {"applicator", kApplicator},
      {"unevaluated", kUnevaluated},
      {"validation", kValidation},
      {"meta-data", kMetaData},
      {"format-annotation", kFormatAnnotation},
      {"format-assertion", kFormatAssertion},
      {"content", kContent},
  });
  if (uri == kOpenApiVocabulary) {
    return kOpenApiBase;
  }
  if (!uri.starts_with(kVocabularyPrefix)) {
    return std::nullopt;
  }
  const auto* const found =
      std::ranges::find(kNames, uri.substr(kVocabularyPrefix.size()), &Name::first);
  return found == kNames.end() ? std::nullopt : std::optional(found->second);
}

const KeywordEntry* find_keyword(std::string_view name) {
  const auto* const found = std::ranges::lower_bound(kKeywords, name, {}, &KeywordEntry::name);
  return found != kKeywords.end() && found->name == name ? found : nullptr;
}

bool is_known(const KeywordEntry& entry, const DialectRules& rules) {
  return (entry.vocabularies & rules.vocabularies) != 0;
}

std::vector<std::string_view> known_names(const DialectRules& rules) {
  std::vector<std::string_view> names;
  for (const KeywordEntry& entry : kKeywords) {
    if (is_known(entry, rules)) {
      names.push_back(entry.name);
    }
  }
  return names;
}

}  // namespace spec::schema::compiler
