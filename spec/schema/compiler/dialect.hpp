#pragma once

// Which keywords mean something to a schema: the vocabularies of its dialect, and the table of all
// keywords. Used only by this folder.

#include "spec/schema/compile.hpp"

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace spec::schema::compiler {

using Vocabularies = std::uint16_t;

// Source: JSON Schema 2020-12 Core §8.1.2, OpenAPI 3.1.0 §4.8.24.1.
inline constexpr Vocabularies kCore = 1;
inline constexpr Vocabularies kApplicator = 2;
inline constexpr Vocabularies kUnevaluated = 4;
inline constexpr Vocabularies kValidation = 8;
inline constexpr Vocabularies kMetaData = 16;
inline constexpr Vocabularies kFormatAnnotation = 32;
inline constexpr Vocabularies kFormatAssertion = 64;
inline constexpr Vocabularies kContent = 128;
inline constexpr Vocabularies kOpenApiBase = 256;
// Keywords of OpenAPI 3.0's Schema Object; a mark of the table, not a vocabulary.
inline constexpr Vocabularies kOpenApi30Word = 512;

// The rules that a schema resource is read by.
struct DialectRules {
  Vocabularies vocabularies = 0;
  bool assert_format = false;
  bool open_api = false;     // OpenAPI's formats and annotations
  bool open_api_30 = false;  // nullable, boolean exclusive bounds, a $ref alone
};

DialectRules rules_of(Dialect dialect, bool assert_format);

// The dialect that `$schema` or `jsonSchemaDialect` names, if it is built in.
std::optional<Dialect> dialect_of(std::string_view uri);

// The bit of a vocabulary's URI; nothing if the vocabulary is unknown here.
std::optional<Vocabularies> vocabulary_of(std::string_view uri);

// Where the subschemas are in a keyword's value.
enum class Shape : std::uint8_t { kNone, kSchema, kSchemas, kSchemaMap, kDependencies };

struct KeywordEntry {
  std::string_view name;
  Vocabularies vocabularies = 0;  // the ones that define it, kOpenApi30Word with them
  Shape shape = Shape::kNone;
};

// The keyword `name`; null if no dialect has it.
const KeywordEntry* find_keyword(std::string_view name);

// Whether `entry` means something under `rules`.
bool is_known(const KeywordEntry& entry, const DialectRules& rules);

// The names of all that do.
std::vector<std::string_view> known_names(const DialectRules& rules);

}  // namespace spec::schema::compiler
