#pragma once

// The schemas that apply to an instance, to its members and to its elements, by the compiled
// schemas: the one implementation for the compiler, the validator, generated examples, coverage,
// parameters and the suite's planning. Callers outside of spec/schema pass SchemaSet::program().
// validator/validate.hpp decides validity. Pure functions of const data, safe from any thread. One
// rule for cycles and one limit: a schema is listed once, and kMaxApplicable at most; the rest is
// left out.

#include "spec/document/document.hpp"
#include "spec/schema/keyword.hpp"
#include "spec/schema/schema_set.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace spec::schema {

class ConstantSet;
struct Rule;

inline constexpr std::size_t kMaxApplicable = 10'000;

// The keywords that are followed in place, that is, to schemas for the same instance. Each value
// includes those before it.
enum class Reach : std::uint8_t {
  // $ref, a $dynamicRef that can resolve to only one schema, allOf: every valid instance is valid
  // against each of these schemas.
  kCertain,
  // anyOf and oneOf that have only one alternative beside those for null: every instance but null
  // is valid against it.
  kUnlessNull,
  // Every alternative of anyOf and oneOf, if, then, else, dependentSchemas and all schemas that a
  // $dynamicRef can resolve to: they apply to some instances.
  kPossible,
  // not.
  kEvery
};

// The schema and all that it applies in place, directly or not: itself first, then in the order of
// the text, each before what it applies.
std::vector<SchemaId> applicable(const Program& program, SchemaId id, Reach reach);

// True if a valid instance needs only one of the schemas that the keyword applies in place.
bool is_choice(Keyword keyword);

// The schemas that one keyword applies in place, directly.
std::vector<SchemaId> schemas_in_place(const Program& program, const Rule& rule, Reach reach);

struct NamedSchema {
  std::string_view name;  // lives as long as the program
  SchemaId schema{};
};

// The schemas that a schema by itself, without those that it applies in place, applies to the
// members and the elements of its instance.
struct Inner {
  std::vector<NamedSchema> properties;  // in the order of the text
  std::vector<NamedSchema> patterns;    // of patternProperties, by the pattern's text
  std::optional<SchemaId> additional;   // of members that are in none of the two
  std::optional<SchemaId> unevaluated_members;
  std::vector<SchemaId> prefix;      // of the first elements
  std::optional<SchemaId> elements;  // of those after them
  std::optional<SchemaId> unevaluated_elements;
};

Inner inner_schemas(const Program& program, SchemaId id);

// The schemas that it applies to the member `name`, or to the element at `index`, by other keywords
// than the unevaluated ones. A pattern whose search reaches a limit counts as matching.
std::vector<SchemaId> member_schemas(const Program& program, SchemaId id, std::string_view name);
std::vector<SchemaId> element_schemas(const Program& program, SchemaId id, std::size_t index);

// The value of the keyword `name` of the schema itself; an empty handle if it has none, or if the
// keyword means nothing there (not in the schema's dialect; in OpenAPI 3.0 beside $ref).
document::Node keyword_value(const Program& program, SchemaId id, std::string_view name);

// The first value of the keyword among all that the schemas apply in place; an empty handle if none
// has it.
document::Node keyword_value(const Program& program, const std::vector<SchemaId>& schemas,
                             Reach reach, std::string_view name);

// The first `default` that is an integer, of all that the schemas certainly apply in place.
std::optional<std::int64_t> default_integer(const Program& program,
                                            const std::vector<SchemaId>& schemas);

// The values that each const and enum of applicable(kCertain) lists.
std::vector<const ConstantSet*> listed_constants(const Program& program, SchemaId id);

// The names of properties, required ones included, of applicable(kCertain).
std::vector<std::string_view> named_members(const Program& program, SchemaId id);

// The types that valid instances may have.
TypeSet possible_types(const Program& program, SchemaId id);

// The schema that the schema's $ref refers to, whatever is beside it.
std::optional<SchemaId> reference_of(const Program& program, SchemaId id);

// The schema at the end of a chain of schemas that are only references, also in other files.
SchemaId follow_references(const Program& program, SchemaId id);

// The name of a referenced schema: "Dog" for "#/components/schemas/Dog" and for "Dog.yaml"; "" for
// a whole document. Source: OpenAPI 3.1.0 §4.8.25.
std::string component_name(std::string_view reference);

}  // namespace spec::schema
