#pragma once

// Shapes that were merged once, remembered: a sample of a schema takes the same few choices again
// and again, and the next one finds its shape, and the members of its object, made. A tree for each
// schema, which grows with the ways that samples go, up to a bound. Safe from any thread. Used by
// this folder only.

#include "spec/schema/compile.hpp"
#include "spec/schema/samples/shape.hpp"
#include "spec/schema/samples/tags.hpp"
#include "spec/schema/samples/words.hpp"

#include <atomic>
#include <cstddef>
#include <initializer_list>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace spec::schema::samples {

// A member that an object must or may have.
struct Member {
  std::string name;
  NameSense sense;
  std::vector<SchemaId> schemas;  // everything that it must keep
  std::uint64_t depth = 0;        // of nesting, that it needs at least
  bool required = false;
  bool may_be_named = true;  // by propertyNames
  bool welcome = false;      // declared; brings no others with it
  bool read_only = false;
  bool write_only = false;
};

// A shape, and where the choices lead that it leaves open.
struct ShapeNode {
  ShapeNode(ShapeKey made_of, Shape merged) : key(std::move(made_of)), shape(std::move(merged)) {}

  ShapeKey key;
  Shape shape;
  std::vector<Member> members;  // of the object, when no anyOf, oneOf or if is open
  bool is_kept = false;         // by the tree; others keep no further nodes
  mutable std::vector<std::atomic<const ShapeNode*>> ways;
};

// Nodes that are not remembered live as long as this.
using OwnNodes = std::vector<std::unique_ptr<const ShapeNode>>;

class ShapeTree {
 public:
  // Keeps references to all of them.
  ShapeTree(const SchemaSet& schemas, const std::vector<std::uint64_t>& depths,
            const std::vector<TagTable>& tags);

  // What all of `schemas` ask for.
  const ShapeNode& root(const std::vector<SchemaId>& schemas, OwnNodes& own) const;

  // The node that follows when the choice behind the table `taken` is made: the `way`-th, which
  // adds schemas.
  const ShapeNode& next(const ShapeNode& node, std::size_t way, const void* taken,
                        std::initializer_list<SchemaId> added, OwnNodes& own) const;

  // What an object of the shape asks of a member called `name`.
  Member plan_member(const Shape& shape, const std::string& name) const;

 private:
  std::unique_ptr<ShapeNode> make(ShapeKey key) const;
  const ShapeNode& keep(std::atomic<const ShapeNode*>& slot, std::unique_ptr<ShapeNode> made,
                        OwnNodes& own) const;
  std::size_t count_ways(const Shape& shape) const;
  std::vector<Member> plan_members(const Shape& shape) const;
  std::vector<SchemaId> schemas_of(const Shape& shape, const std::string& name) const;
  bool may_be_named(const Shape& shape, const std::string& name) const;

  const SchemaSet& schemas_;
  const Program& program_;
  const std::vector<std::uint64_t>& depths_;
  const std::vector<TagTable>& tags_;
  mutable std::vector<std::atomic<const ShapeNode*>> roots_;  // by schema
  mutable std::mutex mutex_;
  mutable std::vector<std::unique_ptr<const ShapeNode>> kept_;
};

}  // namespace spec::schema::samples
