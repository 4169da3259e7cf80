#pragma once

// Which keywords mean something to a schema: the vocabularies of its dialect.

#include "spec/document/document.hpp"
#include "spec/result.hpp"
#include "spec/schema/keyword.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace spec::schema {

// The rules that a schema without `$schema` is read by.
enum class Dialect : std::uint8_t { k2020_12, kOpenApi31, kOpenApi30 };

// The dialect of the schemas in an OpenAPI document, by its version and its jsonSchemaDialect. The
// error is what is wrong with the latter.
Result<Dialect, std::string> dialect_of_document(const document::Node& root);

struct CompileOptions {
  Dialect dialect = Dialect::k2020_12;
  // `format` as an assertion (JSON Schema 2020-12 Validation §7.2.2) or an annotation.
  bool assert_format = true;
  // A keyword that is not understood leaves undecided what reaches it, instead of the compile being
  // rejected: see SchemaSet::not_understood().
  bool tolerate = false;
};

}  // namespace spec::schema

// For this folder only.
namespace spec::schema::compiler {

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

// Whether the keyword means something under `rules`.
bool is_known(const KeywordRow& row, const DialectRules& rules);

// The names of all that do.
std::vector<std::string_view> known_names(const DialectRules& rules);

}  // namespace spec::schema::compiler
