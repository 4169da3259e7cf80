#pragma once

// A summary of the schemas that apply to one instance: types, names, listed values, and the schemas
// of its members and elements. For planning, comparing and counting; validation decides whether an
// instance is valid.

#include "spec/document/document.hpp"
#include "spec/schema/applicable.hpp"
#include "spec/schema/keyword.hpp"
#include "spec/schema/schema_set.hpp"

#include <map>
#include <optional>
#include <shared_mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace spec::schema::patterns {
class Pattern;
}

namespace spec::schema {

class ConstantSet;

// All schemas that the text has for one instance: two, if two parts of an allOf name the same
// property.
using Schemas = std::vector<SchemaId>;

// The schemas that all schemas of an instance apply to its members and elements, by the text.
struct Children {
  std::vector<std::pair<std::string, Schemas>> properties;              // in the order of the text
  std::vector<std::pair<const patterns::Pattern*, SchemaId>> patterns;  // of patternProperties
  Schemas additional;           // of the members that are neither, but for true and false
  Schemas others;               // of the members that are no property, by any keyword
  std::vector<Schemas> prefix;  // of the first elements
  Schemas elements;             // of those after them; of a summary by kPossible, of any
  bool is_closed = false;       // members without a name are rejected

  // The schemas of a property; null if there is none of this name.
  const Schemas* property(std::string_view name) const;
};

// The children of `schemas` and of the schemas that they apply in place.
Children children_of(const Program& program, const Schemas& schemas, Reach reach);

struct Summary : Children {
  TypeSet types = kEveryType;              // that `type` allows; 0 for the schema `false`
  bool nullable = false;                   // null is valid, and something is not
  std::string_view format;                 // as written; "" if there is none
  std::optional<double> minimum;           // the largest of all; of `minimum` alone
  std::optional<double> maximum;           // the smallest of all; of `maximum` alone
  std::vector<const ConstantSet*> listed;  // the values of each `enum` and `const`
  std::vector<std::string> required;
  bool unique_items = false;
  bool read_only = false;
  bool write_only = false;
  // True if members other than the properties are allowed for: a map, a choice of shapes.
  bool open_names = false;
  // The node of the keyword; empty if there is none.
  document::Node type_node;
  document::Node format_node;
  document::Node required_node;

  // True if `type` names it: one of kStringType, kIntegerType (no "number"), kNumberType ...
  bool is(TypeSet type) const;

  bool is_string() const { return is(kStringType); }

  bool is_boolean() const { return is(kBooleanType); }

  bool is_object() const { return is(kObjectType); }

  bool is_number() const { return is(kIntegerType) || is(kNumberType); }

  // True if `type` names one of string, boolean, integer and number, and nothing else but null.
  bool is_scalar() const;
  // The schemas of the part that a token of a pointer names: of the property of this name; else,
  // for an index or "*", of the elements; else of the other members. Empty if there are none.
  const Schemas& part(std::string_view token) const;
};

// Follows the keywords of `reach` in place: kUnlessNull gives the statements about any instance but
// null; kPossible also those of any alternative; kEvery also the negated ones. Valid as long as the
// program.
Summary summarize(const Program& program, const Schemas& schemas, Reach reach = Reach::kUnlessNull);

// Summaries, each made when it is first needed. Safe from any thread.
class Summaries {
 public:
  explicit Summaries(const Program& program, Reach reach = Reach::kUnlessNull)
      : program_(program), reach_(reach) {}

  // The reference is valid as long as this object.
  const Summary& summary_of(const Schemas& schemas) const;

  const Summary& summary_of(SchemaId schema) const { return summary_of(Schemas{schema}); }

  const Program& program() const { return program_; }

 private:
  const Program& program_;
  Reach reach_;
  mutable std::shared_mutex mutex_;
  mutable std::map<Schemas, Summary> known_;
};

}  // namespace spec::schema
