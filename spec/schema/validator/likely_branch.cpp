#include "spec/schema/validator/likely_branch.hpp"

#include "spec/schema/applicable.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <set>
#include <string_view>
#include <utility>

namespace spec::schema::validator {
namespace {

// A property with listed values in the branch: it distinguishes the branches ("kind": "cat").
struct Tag {
  std::string_view name;
  const ConstantSet* constants = nullptr;
};

std::vector<Tag> tags_of(const Program& program, SchemaId branch) {
  std::vector<Tag> tags;
  for (const SchemaId part : applicable(program, branch, Reach::kCertain)) {
    for (const NamedSchema& property : inner_schemas(program, part).properties) {
      for (const ConstantSet* constants : listed_constants(program, property.schema)) {
        tags.push_back({.name = property.name, .constants = constants});
      }
    }
  }
  return tags;
}

enum class Fit : std::uint8_t { kUnknown, kFits, kContradicts };

// Whether the branch's tags, or the one called `only`, match the object.
Fit fit_of(const Program& program, SchemaId branch, const Json& object, std::string_view only) {
  Fit fit = Fit::kUnknown;
  for (const auto& [name, constants] : tags_of(program, branch)) {
    const auto found = object.find(name);
    if (found == object.end() || (!only.empty() && only != name)) {
      continue;
    }
    if (!constants->contains(*found)) {
      fit = Fit::kContradicts;
    } else if (fit == Fit::kUnknown) {
      fit = Fit::kFits;
    }
  }
  return fit;
}

// The one branch that `test` is true of.
template <typename Test>
SchemaId only_one(const std::vector<SchemaId>& branches, const Test& test) {
  SchemaId found = kNoId;
  for (const SchemaId branch : branches) {
    if (test(branch)) {
      if (found != kNoId) {
        return kNoId;
      }
      found = branch;
    }
  }
  return found;
}

SchemaId by_tag(const Program& program, const std::vector<SchemaId>& branches, const Json& object,
                std::string_view only) {
  return only_one(branches, [&](SchemaId branch) {
    return fit_of(program, branch, object, only) == Fit::kFits;
  });
}

// How many members of `object` the branch names.
std::size_t count_named(const Program& program, SchemaId branch, const Json& object) {
  const auto listed = named_members(program, branch);
  const std::set<std::string_view> names(listed.begin(), listed.end());
  return static_cast<std::size_t>(std::ranges::count_if(
      names, [&object](std::string_view name) { return object.contains(name); }));
}

// The branch that names more of the object's members than every other.
SchemaId by_members(const Program& program, const std::vector<SchemaId>& branches,
                    const Json& object) {
  SchemaId best = kNoId;
  std::size_t most = 0;
  for (const SchemaId branch : branches) {
    const std::size_t named = count_named(program, branch, object);
    if (named > most) {
      most = named;
      best = branch;
    } else if (named == most) {
      best = kNoId;
    }
  }
  return best;
}

// Constants are more precise than names: a branch that contradicts the value is not the likely one.
SchemaId by_discriminator(const Program& program, const std::vector<SchemaId>& branches,
                          const DiscriminatorTable& table, const Json& object) {
  const auto value = object.find(table.property);
  if (value == object.end() || !value->is_string()) {
    return kNoId;
  }
  const SchemaId tagged = by_tag(program, branches, object, table.property);
  if (tagged != kNoId) {
    return tagged;
  }
  for (const auto& [name, target] : table.mapping) {
    if (name == *value->get_ptr<const std::string*>()) {
      const SchemaId meant = follow_references(program, target);
      return only_one(branches, [&, &property = table.property](SchemaId branch) {
        return follow_references(program, branch) == meant &&
               fit_of(program, branch, object, property) != Fit::kContradicts;
      });
    }
  }
  return kNoId;
}

}  // namespace

SchemaId likely_branch(const Program& program, const std::vector<SchemaId>& branches,
                       const Frame& frame) {
  if (branches.size() == 1) {
    return branches[0];
  }
  const Json& instance = *frame.instance;
  if (instance.is_object()) {
    const std::uint32_t discriminator = program.schemas[frame.schema].discriminator;
    if (discriminator != kNoId) {
      return by_discriminator(program, branches, program.discriminators[discriminator], instance);
    }
    if (const SchemaId tagged = by_tag(program, branches, instance, ""); tagged != kNoId) {
      return tagged;
    }
  }
  const TypeSet type = type_of(instance);
  const SchemaId typed = only_one(
      branches, [&](SchemaId branch) { return (possible_types(program, branch) & type) != 0; });
  if (typed != kNoId || instance.is_null()) {
    return typed;
  }
  const SchemaId other = only_one(
      branches, [&](SchemaId branch) { return possible_types(program, branch) != kNullType; });
  return other == kNoId && instance.is_object() ? by_members(program, branches, instance) : other;
}

}  // namespace spec::schema::validator
