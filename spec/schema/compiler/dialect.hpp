#pragma once

// Which keywords mean something to a schema: the vocabularies of its dialect. Used only by this
// folder.

#include "spec/schema/compile.hpp"
#include "spec/schema/keyword.hpp"

#include <optional>
#include <string_view>
#include <vector>

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
