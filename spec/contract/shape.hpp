#pragma once

// The form of a schema's instances, as far as a reader of text needs it: parameter values, form
// fields and text bodies carry no types of their own, so the schema's decide how they are read. An
// approximation that is never narrower than the schema; spec/schema decides validity. Built at
// load; immutable afterwards.

#include "spec/schema/keyword.hpp"
#include "spec/schema/schema_set.hpp"

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace spec::contract {

using ShapeId = std::uint32_t;

// The types that a text without structure may spell.
inline constexpr schema::TypeSet kScalarBits =
    schema::kBooleanType | schema::kNumberType | schema::kStringType;

struct Shape {
  schema::TypeSet types = schema::kEveryType;
  bool is_typed = false;  // not every type is allowed
  bool is_binary = false;
  std::optional<ShapeId> items;
  std::vector<ShapeId> prefix_items;
  std::vector<std::pair<std::string, ShapeId>> properties;
  std::optional<ShapeId> additional;  // of properties that are not listed
  bool allows_additional = true;

  bool allows(schema::TypeSet bits) const { return (types & bits) != 0; }

  // True if values of this shape are only arrays or objects.
  bool is_structured() const { return is_typed && !allows(kScalarBits); }

  bool is_list() const { return is_structured() && allows(schema::kArrayType); }

  const ShapeId* property(std::string_view name) const;
};

// True if a deepObject of that shape may be one value under its own name, "a=1". `shape` may be
// null.
inline bool takes_plain(const Shape* shape) {
  return shape == nullptr || !shape->is_typed || shape->allows(kScalarBits | schema::kArrayType);
}

class Shapes {
 public:
  // The shape of instances of the schema, which stays where it is while others are read.
  ShapeId shape_of(const schema::SchemaSet& schemas, schema::SchemaId id) {
    return shape_of(schemas, std::vector{id});
  }

  const Shape& operator[](ShapeId id) const { return shapes_[id]; }

  // Null without an id.
  const Shape* find(std::optional<ShapeId> id) const { return id ? &shapes_[*id] : nullptr; }

  // The shape of the member `name` of objects; none if nothing is known of it.
  std::optional<ShapeId> member(std::optional<ShapeId> object, std::string_view name) const;

 private:
  // The shape of instances of any of the schemas; of any instance if there are none.
  ShapeId shape_of(const schema::SchemaSet& schemas, std::vector<schema::SchemaId> ids);

  std::deque<Shape> shapes_;
  std::size_t depth_ = 0;  // of the shape that is made now; beyond 200 all is one open shape
  std::map<std::vector<schema::SchemaId>, ShapeId> known_;
};

}  // namespace spec::contract
