#pragma once

// What a schema says about the form of its instances, as far as a reader of text needs it:
// parameter values, form fields and text bodies carry no types of their own, so the schema's decide
// how they are read. An approximation that is never narrower than the schema; the verdict stays
// with spec/schema. Built at load; immutable afterwards.

#include "spec/contract/version.hpp"
#include "spec/document/document.hpp"
#include "spec/document/load.hpp"

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace spec::contract {

using ShapeId = std::uint32_t;

// A set of JSON types.
enum TypeBit : std::uint8_t {
  kNullBit = 1,
  kBooleanBit = 2,
  kIntegerBit = 4,
  kNumberBit = 8,  // always with kIntegerBit
  kStringBit = 16,
  kArrayBit = 32,
  kObjectBit = 64,
  kEveryBit = 127
};

constexpr std::uint8_t kScalarBits = kBooleanBit | kIntegerBit | kNumberBit | kStringBit;

struct Shape {
  std::uint8_t types = kEveryBit;
  bool is_typed = false;  // the schema says anything about types at all
  bool is_binary = false;
  std::optional<ShapeId> items;
  std::vector<ShapeId> prefix_items;
  std::vector<std::pair<std::string, ShapeId>> properties;
  std::optional<ShapeId> additional;  // of properties that are not listed
  bool allows_additional = true;

  bool allows(std::uint8_t bits) const { return (types & bits) != 0; }

  const ShapeId* property(std::string_view name) const;
};

class Shapes {
 public:
  explicit Shapes(Version version) : version_(version) {}

  // The shape of the schema at `node`, which may use others through references.
  ShapeId of(document::Library& library, const document::Node& node);

  const Shape& operator[](ShapeId id) const { return shapes_[id]; }

 private:
  friend class ShapeReader;

  Version version_;
  std::deque<Shape> shapes_;  // so that a shape stays where it is while others are read
  std::map<std::vector<std::pair<const void*, std::uint32_t>>, ShapeId> known_;
};

}  // namespace spec::contract
