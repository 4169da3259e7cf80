#include "spec/contract/shape.hpp"

#include "spec/schema/applicable.hpp"

#include <algorithm>
#include <string_view>

namespace spec::contract {

namespace {

using schema::NamedSchema;
using schema::Reach;
using schema::SchemaId;
using schema::SchemaSet;

// The schemas of each child, by all that describe the instance together: prefer too many to too
// few.
struct Children {
  std::vector<SchemaId> items;
  std::vector<std::vector<SchemaId>> prefix;
  std::vector<std::pair<std::string, std::vector<SchemaId>>> properties;
  std::vector<SchemaId> additional;
  bool is_open = false;  // names that no pattern matches may have any value
};

void add(Children& children, const NamedSchema& property) {
  const auto known = std::ranges::find(children.properties, property.name,
                                       &decltype(children.properties)::value_type::first);
  if (known != children.properties.end()) {
    known->second.push_back(property.schema);
  } else {
    children.properties.emplace_back(property.name, std::vector{property.schema});
  }
}

void add(Children& children, const SchemaSet& schemas, const schema::Inner& inner) {
  for (const NamedSchema& property : inner.properties) {
    add(children, property);
  }
  for (const NamedSchema& pattern : inner.patterns) {
    children.additional.push_back(pattern.schema);
  }
  const bool is_plain = inner.additional && schemas.source(*inner.additional).is_boolean();
  if (inner.additional && !is_plain) {
    children.additional.push_back(*inner.additional);
  } else if (!inner.patterns.empty()) {
    children.is_open = true;
  }
  children.prefix.resize(std::max(children.prefix.size(), inner.prefix.size()));
  for (std::size_t i = 0; i < inner.prefix.size(); ++i) {
    children.prefix[i].push_back(inner.prefix[i]);
  }
  if (inner.elements) {
    children.items.push_back(*inner.elements);
  }
}

Children children_of(const SchemaSet& schemas, const std::vector<SchemaId>& ids) {
  Children children;
  for (const SchemaId id : ids) {
    for (const SchemaId part : applicable(schemas.program(), id, Reach::kPossible)) {
      add(children, schemas, inner_schemas(schemas.program(), part));
    }
  }
  return children;
}

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

// Whether the schema rejects members that it does not name.
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
  return types == 0 ? schema::kEveryType : types;  // what nothing keeps is read as it comes
}

}  // namespace

ShapeId Shapes::of(const SchemaSet& schemas, std::vector<SchemaId> ids) {
  std::ranges::sort(ids);
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  if (const auto found = known_.find(ids); found != known_.end()) {
    return found->second;
  }
  constexpr std::size_t kMaxDepth = 200;
  constexpr std::size_t kMaxShapes = 10'000;
  if (!ids.empty() && (depth_ >= kMaxDepth || shapes_.size() >= kMaxShapes)) {
    return of(schemas, {});
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
  Children children = children_of(schemas, ids);
  if (!children.items.empty()) {
    shape.items = of(schemas, std::move(children.items));
  }
  for (std::vector<SchemaId>& each : children.prefix) {
    shape.prefix_items.push_back(of(schemas, std::move(each)));
  }
  for (auto& [name, each] : children.properties) {
    shape.properties.emplace_back(name, of(schemas, std::move(each)));
  }
  if (children.is_open) {
    shape.additional = of(schemas, std::vector<SchemaId>{});
  } else if (!children.additional.empty()) {
    shape.additional = of(schemas, std::move(children.additional));
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
