// readOnly and writeOnly: a required property may be missing on the side that does not send it.
// Source: OpenAPI 3.1.0 §4.8.24, 3.0.3 Schema Object (Fixed Fields).

#include "spec/schema/compiler/loops.hpp"
#include "spec/schema/judge/judge.hpp"

namespace spec::schema::judge {

// Any schema that is applied to the same instance may declare the property, not only the one that
// requires it: allOf puts the two apart.
Verdict Judge::absence(std::string_view name, const Frame& frame) {
  if (options_.direction == Direction::kNone) {
    return Verdict::kInvalid;
  }
  const Frame* outermost = &frame;
  while (outermost->outer != nullptr && outermost->outer->instance == frame.instance) {
    outermost = outermost->outer;
  }
  return declares_absent(outermost->schema, name);
}

Verdict Judge::declares_absent(SchemaId id, std::string_view name) {
  if (!spend(1)) {
    return Verdict::kInvalid;
  }
  const Schema& schema = program_.schemas[id];
  Verdict verdict = schema.is_side_unclear ? Verdict::kUndecided : Verdict::kInvalid;
  if (schema.object != kNoId) {
    for (const Property& property : program_.objects[schema.object].properties) {
      if (property.name == name) {
        verdict = better(verdict, is_one_sided(property.schema));
      }
    }
  }
  for (const Rule& rule : schema.rules) {
    if (verdict != Verdict::kValid && rule.keyword != Keyword::kNot) {
      for (const SchemaId at : compiler::in_place_schemas(program_, rule)) {
        verdict = better(verdict, declares_absent(at, name));
      }
    }
  }
  return verdict;
}

// Whether the property's schema, or one it refers to or is composed of, is for the other side.
Verdict Judge::is_one_sided(SchemaId id) {
  if (!spend(1)) {
    return Verdict::kInvalid;
  }
  const Schema& schema = program_.schemas[id];
  if (options_.direction == Direction::kRequest ? schema.read_only : schema.write_only) {
    return Verdict::kValid;
  }
  Verdict verdict = schema.is_side_unclear ? Verdict::kUndecided : Verdict::kInvalid;
  for (const Rule& rule : schema.rules) {
    if (verdict != Verdict::kValid &&
        (rule.keyword == Keyword::kRef || rule.keyword == Keyword::kAllOf)) {
      for (const SchemaId at : compiler::in_place_schemas(program_, rule)) {
        verdict = better(verdict, is_one_sided(at));
      }
    }
  }
  return verdict;
}

}  // namespace spec::schema::judge
