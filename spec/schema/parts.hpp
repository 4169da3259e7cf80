#pragma once

// What can be told of a schema without running it, since every part of it that applies to the same
// instance must keep: the types it leaves, and its tags, properties of listed values by which the
// branches of a oneOf are told apart ("kind": "cat"). Used by this folder and by the samples.

#include "spec/schema/constants.hpp"
#include "spec/schema/program.hpp"

#include <string>
#include <vector>

namespace spec::schema {

// A property that lists its values.
struct Tag {
  const std::string* name = nullptr;
  const ConstantSet* constants = nullptr;
};

// The types of instances that may keep the schema; others surely break it.
TypeSet possible_types(const Program& program, SchemaId id);

// The properties of which the schema surely takes only listed values, where they are there.
std::vector<Tag> tags_of(const Program& program, SchemaId id);

// The schema that one which is nothing but references leads to, be it in another file.
SchemaId follow_references(const Program& program, SchemaId id);

// The names of members that the schema asks about.
std::vector<std::string_view> named_members(const Program& program, SchemaId id);

}  // namespace spec::schema
