#include "spec/contract/shape.hpp"

#include <algorithm>
#include <string_view>

namespace spec::contract {

namespace {

using document::Member;
using document::Node;

constexpr int kDeepest = 64;  // of references and compositions at one place

std::uint8_t bits_of_name(std::string_view type) {
  if (type == "null") {
    return kNullBit;
  }
  if (type == "boolean") {
    return kBooleanBit;
  }
  if (type == "integer") {
    return kIntegerBit;
  }
  if (type == "number") {
    return kIntegerBit | kNumberBit;
  }
  if (type == "string") {
    return kStringBit;
  }
  if (type == "array") {
    return kArrayBit;
  }
  return type == "object" ? kObjectBit : 0;
}

std::uint8_t bits_of_value(const Node& value) {
  switch (value.kind()) {
    case document::Kind::kNull: return kNullBit;
    case document::Kind::kBoolean: return kBooleanBit;
    case document::Kind::kNumber: return kIntegerBit | kNumberBit;
    case document::Kind::kString: return kStringBit;
    case document::Kind::kArray: return kArrayBit;
    case document::Kind::kObject: return kObjectBit;
  }
  return 0;
}

// The schemas that hold for one place, before they become a Shape: children are kept as the nodes
// that describe them, several when several schemas do.
struct Draft {
  std::uint8_t types = kEveryBit;
  bool is_typed = false;
  bool is_binary = false;
  std::vector<Node> items;
  std::vector<Node> prefix_items;
  std::vector<std::pair<std::string, std::vector<Node>>> properties;
  std::vector<Node> additional;
  bool allows_additional = true;
};

void add(std::vector<Node>& nodes, const Node& node) {
  if (std::find(nodes.begin(), nodes.end(), node) == nodes.end()) {
    nodes.push_back(node);
  }
}

void add_property(Draft& draft, std::string_view name, const std::vector<Node>& nodes) {
  const auto same = std::find_if(draft.properties.begin(), draft.properties.end(),
                                 [name](const auto& property) { return property.first == name; });
  auto& known = same == draft.properties.end()
                    ? draft.properties.emplace_back(name, std::vector<Node>()).second
                    : same->second;
  for (const Node& node : nodes) {
    add(known, node);
  }
}

// Takes what `other` knows of children; types are combined by the caller.
void take_children(Draft& draft, const Draft& other) {
  for (const Node& node : other.items) {
    add(draft.items, node);
  }
  for (const Node& node : other.additional) {
    add(draft.additional, node);
  }
  for (const Node& node : other.prefix_items) {
    add(draft.prefix_items, node);
  }
  for (const auto& [name, nodes] : other.properties) {
    add_property(draft, name, nodes);
  }
  draft.is_binary = draft.is_binary || other.is_binary;
}

}  // namespace

class ShapeReader {
 public:
  ShapeReader(document::Library& library, Shapes& shapes) : library_(library), shapes_(shapes) {}

  ShapeId read(const std::vector<Node>& nodes) {
    std::vector<std::pair<const void*, std::uint32_t>> key;
    for (const Node& node : nodes) {
      key.emplace_back(&node.document(), node.index());
    }
    const auto id = static_cast<ShapeId>(shapes_.shapes_.size());
    const auto [entry, is_new] = shapes_.known_.try_emplace(key, id);
    if (!is_new) {
      return entry->second;
    }
    shapes_.shapes_.emplace_back();
    // Several schemas for one place come from alternatives or from parts of a whole: be wide.
    Draft draft;
    draft.types = nodes.size() == 1 ? kEveryBit : 0;
    for (const Node& node : nodes) {
      if (nodes.size() == 1) {
        apply(draft, node, 0);
      } else {
        widen(draft, {node}, 0);
      }
    }
    Shape shape = finish(draft);
    shapes_.shapes_[id] = std::move(shape);
    return id;
  }

 private:
  Shape finish(const Draft& draft) {
    Shape shape{.types = draft.types,
                .is_typed = draft.is_typed,
                .is_binary = draft.is_binary,
                .items = {},
                .prefix_items = {},
                .properties = {},
                .additional = {},
                .allows_additional = draft.allows_additional};
    if (!draft.items.empty()) {
      shape.items = read(draft.items);
    }
    for (const Node& node : draft.prefix_items) {
      shape.prefix_items.push_back(read({node}));
    }
    for (const auto& [name, nodes] : draft.properties) {
      shape.properties.emplace_back(name, read(nodes));
    }
    if (!draft.additional.empty()) {
      shape.additional = read(draft.additional);
    }
    return shape;
  }

  // Narrows `draft` by the schema at `node`.
  void apply(Draft& draft, const Node& node, int depth) {
    if (depth > kDeepest || !node.is_object()) {
      return;
    }
    const Node reference = node.find("$ref");
    if (reference && reference.is_string()) {
      apply_reference(draft, node, reference.string(), depth);
      if (shapes_.version_ == Version::k30) {
        return;
      }
    }
    apply_types(draft, node);
    apply_children(draft, node);
    for (const Node& part : node.find("allOf").elements()) {
      apply(draft, part, depth + 1);
    }
    for (const std::string_view keyword : {"anyOf", "oneOf"}) {
      const std::vector<Node> branches = node.find(keyword).elements();
      if (!branches.empty()) {
        Draft wide;
        wide.types = 0;
        widen(wide, branches, depth + 1);
        draft.types = static_cast<std::uint8_t>(draft.types & wide.types);
        draft.is_typed = draft.is_typed || wide.is_typed;
        take_children(draft, wide);
      }
    }
  }

  // Adds what each of `branches` allows.
  void widen(Draft& wide, const std::vector<Node>& branches, int depth) {
    for (const Node& branch : branches) {
      Draft narrow;
      apply(narrow, branch, depth);
      wide.types = static_cast<std::uint8_t>(wide.types | narrow.types);
      wide.is_typed = wide.is_typed || narrow.is_typed;
      take_children(wide, narrow);
    }
  }

  void apply_reference(Draft& draft, const Node& node, std::string_view reference, int depth) {
    try {
      apply(draft, library_.resolve(node, reference), depth + 1);
    } catch (const LoadError&) {
      // By anchor or under an $id: nothing is known here, so anything is allowed.
    }
  }

  void apply_types(Draft& draft, const Node& node) {
    std::uint8_t types = 0;
    const Node type = node.find("type");
    if (type && type.is_string()) {
      types = bits_of_name(type.string());
    }
    for (const Node& element : type.elements()) {
      types |= element.is_string() ? bits_of_name(element.string()) : std::uint8_t{0};
    }
    const Node nullable = node.find("nullable");
    if (types != 0 && shapes_.version_ == Version::k30 && nullable && nullable.is_boolean() &&
        nullable.boolean()) {
      types |= kNullBit;
    }
    std::uint8_t values = 0;
    if (const Node constant = node.find("const")) {
      values = bits_of_value(constant);
    }
    for (const Node& value : node.find("enum").elements()) {
      values |= bits_of_value(value);
    }
    for (const std::uint8_t bits : {types, values}) {
      if (bits != 0) {
        draft.types = static_cast<std::uint8_t>(draft.types & bits);
        draft.is_typed = true;
      }
    }
    const Node format = node.find("format");
    const bool has_binary_format = format && format.is_string() && format.string() == "binary";
    draft.is_binary = draft.is_binary || has_binary_format ||
                      (node.find("contentMediaType") && !node.find("contentEncoding"));
  }

  void apply_children(Draft& draft, const Node& node) {
    if (const Node items = node.find("items")) {
      add(draft.items, items);
    }
    for (const Node& item : node.find("prefixItems").elements()) {
      add(draft.prefix_items, item);
    }
    for (const Member& property : node.find("properties").members()) {
      add_property(draft, property.key, {property.value});
    }
    const Node additional = node.find("additionalProperties");
    if (additional && additional.is_boolean() && !additional.boolean()) {
      draft.allows_additional = false;
    } else if (additional && additional.is_object()) {
      add(draft.additional, additional);
    }
  }

  document::Library& library_;
  Shapes& shapes_;
};

const ShapeId* Shape::property(std::string_view name) const {
  const auto found = std::find_if(properties.begin(), properties.end(),
                                  [name](const auto& property) { return property.first == name; });
  return found == properties.end() ? nullptr : &found->second;
}

ShapeId Shapes::of(document::Library& library, const document::Node& node) {
  return ShapeReader(library, *this).read({node});
}

}  // namespace spec::contract
