#include "spec/contract/shape.hpp"

#include "spec/schema/applicable.hpp"
#include "spec/schema/schema_summary.hpp"

#include <algorithm>
#include <string_view>

namespace spec::contract {

namespace {

using schema::Reach;
using schema::SchemaId;
using schema::SchemaSet;

bool describes_bytes(const SchemaSet& schemas, SchemaId id) {
  const auto says_so = [&schemas](SchemaId part) {
    const auto keyword = [&](std::string_view name) {
      return keyword_value(schemas.program(), part, name);
    };
    const document::Node format = keyword("format");
    return (format.is_string() && format.string() == "binary") ||
           (keyword("contentMediaType") && !keyword("contentEncoding"));
  };
  return std::ranges::any_of(applicable(schemas.program(), id, Reach::kPossible), says_so);
}

// True if the schema rejects members that it does not name.
bool is_closed(const SchemaSet& schemas, SchemaId id) {
  return std::ranges::any_of(
      applicable(schemas.program(), id, Reach::kCertain), [&schemas](SchemaId part) {
        const auto value = keyword_value(schemas.program(), part, "additionalProperties");
        return value.is_boolean() && !value.boolean();
      });
}

schema::TypeSet types_of(const SchemaSet& schemas, const std::vector<SchemaId>& ids) {
  schema::TypeSet types = 0;
  for (const SchemaId id : ids) {
    types |= possible_types(schemas.program(), id);
  }
  return types == 0 ? schema::kEveryType : types;  // without a valid type, any is read
}

}  // namespace

ShapeId Shapes::shape_of(const SchemaSet& schemas, std::vector<SchemaId> ids) {
  std::ranges::sort(ids);
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  if (const auto found = known_.find(ids); found != known_.end()) {
    return found->second;
  }
  constexpr std::size_t kMaxDepth = 200;
  constexpr std::size_t kMaxShapes = 10'000;
  if (!ids.empty() && (depth_ >= kMaxDepth || shapes_.size() >= kMaxShapes)) {
    return shape_of(schemas, {});
  }
  const auto id = static_cast<ShapeId>(shapes_.size());
  known_.emplace(ids, id);
  shapes_.emplace_back();
  ++depth_;
  Shape shape{.types = types_of(schemas, ids)};
  shape.is_typed = shape.types != schema::kEveryType;
  shape.is_binary = std::ranges::any_of(
      ids, [&schemas](SchemaId each) { return describes_bytes(schemas, each); });
  shape.allows_additional = ids.empty() || !std::ranges::all_of(ids, [&schemas](SchemaId each) {
                              return is_closed(schemas, each);
                            });
  // Uses all schemas that may describe the instance: too many are better than too few.
  const schema::Children children = children_of(schemas.program(), ids, Reach::kPossible);
  if (!children.elements.empty()) {
    shape.items = shape_of(schemas, children.elements);
  }
  for (const schema::Schemas& each : children.prefix) {
    shape.prefix_items.push_back(shape_of(schemas, each));
  }
  for (const auto& [name, each] : children.properties) {
    shape.properties.emplace_back(name, shape_of(schemas, each));
  }
  if (!children.patterns.empty() && children.additional.empty()) {
    shape.additional = shape_of(schemas, schema::Schemas());  // names that no pattern matches
  } else if (!children.others.empty()) {
    shape.additional = shape_of(schemas, children.others);
  }
  --depth_;
  shapes_[id] = std::move(shape);
  return id;
}

std::optional<ShapeId> Shapes::member(std::optional<ShapeId> object, std::string_view name) const {
  const Shape* shape = find(object);
  const ShapeId* property = shape != nullptr ? shape->property(name) : nullptr;
  return property != nullptr ? std::optional(*property)
         : shape != nullptr  ? shape->additional
                             : std::nullopt;
}

const ShapeId* Shape::property(std::string_view name) const {
  const auto found = std::find_if(properties.begin(), properties.end(),
                                  [name](const auto& property) { return property.first == name; });
  return found == properties.end() ? nullptr : &found->second;
}

}  // namespace spec::contract
