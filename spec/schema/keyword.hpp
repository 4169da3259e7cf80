#pragma once

// The keywords of all dialects: the rules of a compiled schema, and the one table of each keyword's
// dialects and of the schemas in its value. Used by this folder and its sub-folders, and by
// spec/contract where it walks schemas as text.

#include <cstdint>
#include <span>
#include <string_view>

namespace spec::schema {

enum class Keyword : std::uint8_t {
  kFalse,  // the boolean schema `false`
  kType,
  kEnum,
  kConst,
  kMultipleOf,
  kMaximum,
  kExclusiveMaximum,
  kMinimum,
  kExclusiveMinimum,
  kMaxLength,
  kMinLength,
  kPattern,
  kFormat,
  kMaxItems,
  kMinItems,
  kUniqueItems,
  kMaxProperties,
  kMinProperties,
  kNotUnderstood,  // a keyword whose value is not understood and tolerated: undecided
  kRequired,
  kProperties,
  kPatternProperties,
  kAdditionalProperties,
  kObject,  // the four before it at once, in a yes/no run
  kPropertyNames,
  kDependentRequired,
  kPrefixItems,
  kItems,
  kContains,       // with minContains and maxContains
  kDiscriminator,  // beside oneOf or anyOf
  kRef,
  kDynamicRef,
  kAllOf,
  kAnyOf,
  kOneOf,
  kNot,
  kIf,  // with then and else
  kDependentSchemas,
  kUnevaluatedItems,
  kUnevaluatedProperties,
};

// A set of instance types; whole numbers and others have a bit each, so that "integer" is one.
using TypeSet = std::uint8_t;

inline constexpr TypeSet kNullType = 1;
inline constexpr TypeSet kBooleanType = 2;
inline constexpr TypeSet kIntegerType = 4;
inline constexpr TypeSet kFractionType = 8;
inline constexpr TypeSet kStringType = 16;
inline constexpr TypeSet kArrayType = 32;
inline constexpr TypeSet kObjectType = 64;
inline constexpr TypeSet kNumberType = kIntegerType | kFractionType;
inline constexpr TypeSet kEveryType = 127;

// A set of vocabularies. Source: JSON Schema 2020-12 Core §8.1.2, OpenAPI 3.1.0 §4.8.24.1.
using Vocabularies = std::uint16_t;

inline constexpr Vocabularies kCore = 1;
inline constexpr Vocabularies kApplicator = 2;
inline constexpr Vocabularies kUnevaluated = 4;
inline constexpr Vocabularies kValidation = 8;
inline constexpr Vocabularies kMetaData = 16;
inline constexpr Vocabularies kFormatAnnotation = 32;
inline constexpr Vocabularies kFormatAssertion = 64;
inline constexpr Vocabularies kContent = 128;
inline constexpr Vocabularies kOpenApiBase = 256;
// The keywords of OpenAPI 3.0's Schema Object.
inline constexpr Vocabularies kOpenApi30Schema = 512;

// The schemas in a keyword's value: it is one, or it has several as elements or as members; of
// kDependencies the members that are no arrays.
enum class Subschemas : std::uint8_t { kNone, kOne, kList, kMap, kDependencies };

struct KeywordRow {
  std::string_view name;
  Vocabularies vocabularies = 0;  // each that defines it
  Subschemas subschemas = Subschemas::kNone;
  bool is_statement = false;  // an instance can violate it
  // The rule of the keyword, if it has one, and the types of instances that the rule is about.
  Keyword keyword = Keyword::kNotUnderstood;
  TypeSet applies = kEveryType;
};

// All keywords, sorted by name.
std::span<const KeywordRow> keywords();

// The keyword `name`; null if no dialect has it.
const KeywordRow* find_keyword(std::string_view name);

}  // namespace spec::schema
