// readOnly and writeOnly: a required property may be missing on the side that does not send it.
// Source: OpenAPI 3.1.0 §4.8.24, 3.0.3 Schema Object (Fixed Fields).

#include "spec/schema/validator/absence.hpp"

#include "spec/schema/applicable.hpp"
#include "spec/schema/validator/validator.hpp"

namespace spec::schema::validator {

// Any schema that is applied to the same instance may declare the property, not only the one that
// requires it: allOf puts the two apart.
Verdict Validator::absence(std::string_view name, const Frame& frame) {
  if (options_.direction == Direction::kNone) {
    return Verdict::kInvalid;
  }
  const Frame* outermost = &frame;
  while (outermost->outer != nullptr && outermost->outer->instance == frame.instance) {
    outermost = outermost->outer;
  }
  return declares_absent(outermost->schema, name);
}

Verdict Validator::declares_absent(SchemaId id, std::string_view name) {
  const std::vector<SchemaId> schemas = applicable(program_, id, Reach::kPossible);
  const bool is_cut = !spend(schemas.size()) || schemas.size() == kMaxApplicable;
  Verdict verdict = is_cut ? Verdict::kUndecided : Verdict::kInvalid;
  for (const SchemaId schema : schemas) {
    if (program_.schemas[schema].is_side_unclear) {
      verdict = Verdict::kUndecided;
    }
    for (const SchemaId member : member_schemas(program_, schema, name)) {
      verdict = better(verdict, is_one_sided(member));
    }
    if (verdict == Verdict::kValid) {
      break;
    }
  }
  return verdict;
}

// Whether the member's schema, or one it refers to or is composed of, is for the other side.
Verdict Validator::is_one_sided(SchemaId id) {
  Verdict verdict = Verdict::kInvalid;
  for (const SchemaId part : applicable(program_, id, Reach::kCertain)) {
    const Schema& schema = program_.schemas[part];
    if (options_.direction == Direction::kRequest ? schema.read_only : schema.write_only) {
      return Verdict::kValid;
    }
    verdict = schema.is_side_unclear ? Verdict::kUndecided : verdict;
  }
  return verdict;
}

}  // namespace spec::schema::validator

namespace spec::schema {

Verdict declares_absent(const SchemaSet& schemas, SchemaId schema, std::string_view name,
                        Direction direction) {
  return validator::Validator(schemas.program(), {.direction = direction})
      .declares_absent(schema, name);
}

}  // namespace spec::schema
