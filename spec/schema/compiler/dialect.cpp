#include "spec/json/value.hpp"
#include "spec/schema/compiler/schema_resources.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <utility>

namespace spec::schema::compiler {
namespace {

constexpr std::string_view kStandard = "https://json-schema.org/draft/2020-12/schema";
constexpr std::string_view kVocabularyPrefix = "https://json-schema.org/draft/2020-12/vocab/";
constexpr std::string_view kOpenApiDialect = "https://spec.openapis.org/oas/3.1/dialect/base";
constexpr std::string_view kOpenApiVocabulary = "https://spec.openapis.org/oas/3.1/vocab/base";
// The dialects of 3.2, each named by its date. Source: OpenAPI 3.2.0, JSON Schema Keywords.
constexpr std::string_view kOpenApi32Dialects = "https://spec.openapis.org/oas/3.2/dialect/";
constexpr std::string_view kOpenApi32Vocabularies = "https://spec.openapis.org/oas/3.2/vocab/";

constexpr Vocabularies kStandardVocabularies =
    kCore | kApplicator | kUnevaluated | kValidation | kMetaData | kFormatAnnotation | kContent;

}  // namespace

DialectRules rules_of(Dialect dialect, bool assert_format) {
  switch (dialect) {
    case Dialect::kOpenApi30:
      return {.vocabularies = kOpenApi30Schema,
              .assert_format = assert_format,
              .open_api = true,
              .open_api_30 = true};
    case Dialect::kOpenApi32:
    case Dialect::kOpenApi31:
      return {.vocabularies = kStandardVocabularies | kOpenApiBase,
              .assert_format = assert_format,
              .open_api = true,
              .open_api_32 = dialect == Dialect::kOpenApi32};
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
  if (uri.starts_with(kOpenApi32Dialects)) {
    return Dialect::kOpenApi32;
  }
  return uri == kOpenApiDialect ? std::optional(Dialect::kOpenApi31) : std::nullopt;
}

}  // namespace spec::schema::compiler

namespace spec::schema {

Result<Dialect, std::string> dialect_of_document(const document::Node& root) {
  const document::Node version = root.find("openapi");
  if (version.is_string() && version.string().starts_with("3.0")) {
    return Dialect::kOpenApi30;
  }
  const document::Node named = root.find("jsonSchemaDialect");
  if (!named) {
    const bool is_32 = version.is_string() && version.string().starts_with("3.2");
    return is_32 ? Dialect::kOpenApi32 : Dialect::kOpenApi31;
  }
  const auto dialect = named.is_string() ? compiler::dialect_of(named.string()) : std::nullopt;
  if (dialect) {
    return *dialect;
  }
  return Unexpected{"unknown dialect " + json::write(named.value()) + "; the known ones are " +
                    std::string(compiler::kOpenApiDialect) + " and " +
                    std::string(compiler::kStandard)};
}

}  // namespace spec::schema

namespace spec::schema::compiler {

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
  if (uri == kOpenApiVocabulary || uri.starts_with(kOpenApi32Vocabularies)) {
    return kOpenApiBase;
  }
  if (!uri.starts_with(kVocabularyPrefix)) {
    return std::nullopt;
  }
  const auto* const found =
      std::ranges::find(kNames, uri.substr(kVocabularyPrefix.size()), &Name::first);
  return found == kNames.end() ? std::nullopt : std::optional(found->second);
}

bool is_known(const KeywordRow& row, const DialectRules& rules) {
  return (row.vocabularies & rules.vocabularies) != 0;
}

std::vector<std::string_view> known_names(const DialectRules& rules) {
  std::vector<std::string_view> names;
  for (const KeywordRow& row : keywords()) {
    if (is_known(row, rules)) {
      names.push_back(row.name);
    }
  }
  return names;
}

}  // namespace spec::schema::compiler
