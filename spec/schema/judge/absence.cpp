// readOnly and writeOnly: a required property may be missing on the side that does not send it.
// Source: OpenAPI 3.1.0 §4.8.24, 3.0.3 Schema Object (Fixed Fields).

#include "spec/schema/compiler/loops.hpp"
#include "spec/schema/judge/judge.hpp"

#include <algorithm>

namespace spec::schema::judge {

// Any schema that is applied to the same instance may declare the property, not only the one that
// requires it: allOf puts the two apart.
bool Judge::may_be_absent(std::string_view name, const Frame& frame) {
  if (options_.direction == Direction::kNone) {
    return false;
  }
  const Frame* outermost = &frame;
  while (outermost->outer != nullptr && outermost->outer->instance == frame.instance) {
    outermost = outermost->outer;
  }
  return declares_absent(outermost->schema, name);
}

bool Judge::declares_absent(SchemaId id, std::string_view name) {
  if (!spend(1)) {
    return false;
  }
  const Schema& schema = program_.schemas[id];
  if (schema.object != kNoId) {
    for (const Property& property : program_.objects[schema.object].properties) {
      if (property.name == name && is_one_sided(property.schema)) {
        return true;
      }
    }
  }
  return std::ranges::any_of(schema.rules, [&](const Rule& rule) {
    const auto inner = compiler::in_place_schemas(program_, rule);
    return rule.keyword != Keyword::kNot &&
           std::ranges::any_of(inner, [&](SchemaId at) { return declares_absent(at, name); });
  });
}

// Whether the property's schema, or one it refers to or is composed of, is for the other side.
bool Judge::is_one_sided(SchemaId id) {
  if (!spend(1)) {
    return false;
  }
  const Schema& schema = program_.schemas[id];
  if (options_.direction == Direction::kRequest ? schema.read_only : schema.write_only) {
    return true;
  }
  return std::ranges::any_of(schema.rules, [&](const Rule& rule) {
    if (rule.keyword != Keyword::kRef && rule.keyword != Keyword::kAllOf) {
      return false;
    }
    return std::ranges::any_of(compiler::in_place_schemas(program_, rule),
                               [&](SchemaId at) { return is_one_sided(at); });
  });
}

}  // namespace spec::schema::judge
