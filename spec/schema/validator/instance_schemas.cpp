#include "spec/schema/validator/instance_schemas.hpp"

#include "spec/json/pointer.hpp"
#include "spec/schema/applicable.hpp"
#include "spec/schema/validator/validator.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

namespace spec::schema::validator {

namespace {

class Walk {
 public:
  Walk(Validator& validator, const AppliedVisitor& visit) : validator_(validator), visit_(visit) {}

  void apply(SchemaId id, const Json& value, const Path* path, const Frame* outer) {
    const std::uint32_t depth = outer == nullptr ? 0 : outer->depth + 1;
    if (depth > kMaxDepth || !validator_.spend(1) || !seen_.emplace(id, &value).second ||
        !visit_(id, value, path)) {
      return;
    }
    const Frame frame{.outer = outer, .schema = id, .instance = &value, .depth = depth};
    for (const Rule& rule : program().schemas[id].rules) {
      for (const SchemaId next : in_place_of(rule, frame)) {
        apply(next, value, path, &frame);
      }
    }
    apply_to_parts(frame, path);
  }

 private:
  const Program& program() const { return validator_.program(); }

  std::vector<SchemaId> in_place_of(const Rule& rule, const Frame& frame) {
    switch (rule.keyword) {
      case Keyword::kDynamicRef:
        return {validator_.dynamic_target(program().dynamics[rule.operand], frame)};
      case Keyword::kAnyOf:
      case Keyword::kOneOf: return alternatives_of(program().lists[rule.operand], frame);
      case Keyword::kIf: return alternatives_of(program().conditions[rule.operand], frame);
      case Keyword::kDependentSchemas: {
        std::vector<SchemaId> schemas;
        for (const Property& dependent : program().dependent_schemas[rule.operand]) {
          if (frame.instance->is_object() && frame.instance->contains(dependent.name)) {
            schemas.push_back(dependent.schema);
          }
        }
        return schemas;
      }
      default: return schemas_in_place(program(), rule, Reach::kPossible);
    }
  }

  std::vector<SchemaId> alternatives_of(const std::vector<SchemaId>& alternatives,
                                        const Frame& frame) {
    std::vector<SchemaId> taken;
    std::ranges::copy_if(alternatives, std::back_inserter(taken), [&](SchemaId alternative) {
      return validator_.check(alternative, *frame.instance, &frame) == Verdict::kValid;
    });
    if (!taken.empty()) {
      return taken;
    }
    const SchemaId meant = likely_alternative(program(), alternatives, frame);
    return meant == kNoId ? alternatives : std::vector{meant};
  }

  std::vector<SchemaId> alternatives_of(const ConditionTable& table, const Frame& frame) {
    std::vector<SchemaId> taken;
    switch (validator_.check(table.condition, *frame.instance, &frame)) {
      case Verdict::kValid: taken = {table.condition, table.consequence}; break;
      case Verdict::kInvalid: taken = {table.alternative}; break;
      case Verdict::kUndecided: break;
    }
    std::erase(taken, kNoId);
    return taken;
  }

  void apply_to_parts(const Frame& frame, const Path* path) {
    const Json& whole = *frame.instance;
    const Inner inner = inner_schemas(program(), frame.schema);
    if (const auto* object = whole.get_ptr<const Json::object_t*>()) {
      for (const auto& [name, value] : *object) {
        const Path member{.parent = path, .name = &name};
        apply_to_part(frame, value, member, inner.unevaluated_members,
                      [&, &key = name](SchemaId id) { return member_schemas(program(), id, key); });
      }
    } else if (whole.is_array()) {
      for (std::size_t i = 0; i < whole.size(); ++i) {
        const Path element{.parent = path, .index = i};
        apply_to_part(frame, whole[i], element, inner.unevaluated_elements,
                      [&](SchemaId id) { return element_schemas(program(), id, i); });
      }
    }
  }

  // `schemas_of`: the schemas that a schema applies to the part; `unevaluated`: those that apply if
  // no schema in place applies any to it.
  template <typename SchemasOf>
  void apply_to_part(const Frame& frame, const Json& part, const Path& path,
                     const std::optional<SchemaId>& unevaluated, const SchemasOf& schemas_of) {
    for (const SchemaId schema : schemas_of(frame.schema)) {
      apply(schema, part, &path, &frame);
    }
    if (unevaluated && std::ranges::all_of(applicable(program(), frame.schema, Reach::kPossible),
                                           [&](SchemaId id) { return schemas_of(id).empty(); })) {
      apply(*unevaluated, part, &path, &frame);
    }
  }

  Validator& validator_;
  const AppliedVisitor& visit_;
  std::set<std::pair<SchemaId, const Json*>> seen_;
};

}  // namespace

}  // namespace spec::schema::validator

namespace spec::schema {

std::string to_pointer(const Path* path) {
  std::vector<const Path*> steps;
  for (; path != nullptr; path = path->parent) {
    steps.push_back(path);
  }
  std::string pointer;
  std::for_each(steps.rbegin(), steps.rend(), [&pointer](const Path* step) {
    if (step->name != nullptr) {
      json::append_token(pointer, *step->name);
    } else {
      json::append_token(pointer, step->index);
    }
  });
  return pointer;
}

void visit_applied(const SchemaSet& schemas, SchemaId schema, const nlohmann::json& instance,
                   const ValidateOptions& options, const AppliedVisitor& visit) {
  validator::Validator validator(schemas.program(), options);
  validator::Walk(validator, visit).apply(schema, instance, nullptr, nullptr);
}

}  // namespace spec::schema

namespace spec::schema::validator {

namespace {

// A property with listed values in the alternative: it distinguishes the alternatives ("kind":
// "cat").
struct Tag {
  std::string_view name;
  const ConstantSet* constants = nullptr;
};

std::vector<Tag> tags_of(const Program& program, SchemaId alternative) {
  std::vector<Tag> tags;
  for (const SchemaId part : applicable(program, alternative, Reach::kCertain)) {
    for (const NamedSchema& property : inner_schemas(program, part).properties) {
      for (const ConstantSet* constants : listed_constants(program, property.schema)) {
        tags.push_back({.name = property.name, .constants = constants});
      }
    }
  }
  return tags;
}

enum class Fit : std::uint8_t { kUnknown, kFits, kContradicts };

// Compares the alternative's tags, or the one called `only`, with the object.
Fit fit_of(const Program& program, SchemaId alternative, const Json& object,
           std::string_view only) {
  Fit fit = Fit::kUnknown;
  for (const auto& [name, constants] : tags_of(program, alternative)) {
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

// The only alternative that `test` accepts.
template <typename Test>
SchemaId only_one(const std::vector<SchemaId>& alternatives, const Test& test) {
  SchemaId found = kNoId;
  for (const SchemaId alternative : alternatives) {
    if (test(alternative)) {
      if (found != kNoId) {
        return kNoId;
      }
      found = alternative;
    }
  }
  return found;
}

SchemaId by_tag(const Program& program, const std::vector<SchemaId>& alternatives,
                const Json& object, std::string_view only) {
  return only_one(alternatives, [&](SchemaId alternative) {
    return fit_of(program, alternative, object, only) == Fit::kFits;
  });
}

// The number of members of `object` that the alternative names.
std::size_t count_named(const Program& program, SchemaId alternative, const Json& object) {
  const auto listed = named_members(program, alternative);
  const std::set<std::string_view> names(listed.begin(), listed.end());
  return static_cast<std::size_t>(std::ranges::count_if(
      names, [&object](std::string_view name) { return object.contains(name); }));
}

// The alternative that names more of the object's members than every other.
SchemaId by_members(const Program& program, const std::vector<SchemaId>& alternatives,
                    const Json& object) {
  SchemaId best = kNoId;
  std::size_t max_named = 0;
  for (const SchemaId alternative : alternatives) {
    const std::size_t named = count_named(program, alternative, object);
    if (named > max_named) {
      max_named = named;
      best = alternative;
    } else if (named == max_named) {
      best = kNoId;
    }
  }
  return best;
}

// Constants are more precise than names: an alternative that contradicts the value is not the
// likely one.
SchemaId by_discriminator(const Program& program, const std::vector<SchemaId>& alternatives,
                          const DiscriminatorTable& table, const Json& object) {
  const auto value = object.find(table.property);
  if (value == object.end() || !value->is_string()) {
    return kNoId;
  }
  const SchemaId tagged = by_tag(program, alternatives, object, table.property);
  if (tagged != kNoId) {
    return tagged;
  }
  for (const auto& [name, target] : table.mapping) {
    if (name == *value->get_ptr<const std::string*>()) {
      const SchemaId meant = follow_references(program, target);
      return only_one(alternatives, [&, &property = table.property](SchemaId alternative) {
        return follow_references(program, alternative) == meant &&
               fit_of(program, alternative, object, property) != Fit::kContradicts;
      });
    }
  }
  return kNoId;
}

}  // namespace

SchemaId likely_alternative(const Program& program, const std::vector<SchemaId>& alternatives,
                            const Frame& frame) {
  if (alternatives.size() == 1) {
    return alternatives[0];
  }
  const Json& instance = *frame.instance;
  if (instance.is_object()) {
    const std::uint32_t discriminator = program.schemas[frame.schema].discriminator;
    if (discriminator != kNoId) {
      return by_discriminator(program, alternatives, program.discriminators[discriminator],
                              instance);
    }
    if (const SchemaId tagged = by_tag(program, alternatives, instance, ""); tagged != kNoId) {
      return tagged;
    }
  }
  const TypeSet type = type_of(instance);
  const SchemaId typed = only_one(alternatives, [&](SchemaId alternative) {
    return (possible_types(program, alternative) & type) != 0;
  });
  if (typed != kNoId || instance.is_null()) {
    return typed;
  }
  const SchemaId other = only_one(alternatives, [&](SchemaId alternative) {
    return possible_types(program, alternative) != kNullType;
  });
  return other == kNoId && instance.is_object() ? by_members(program, alternatives, instance)
                                                : other;
}

}  // namespace spec::schema::validator
