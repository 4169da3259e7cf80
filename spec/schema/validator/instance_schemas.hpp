#pragma once

// The schemas that apply to an instance and to each part of it, by the verdicts of its
// alternatives: annotations (writeOnly, xml) depend on them. applicable.hpp lists schemas without
// an instance. Pure functions of const data, safe from any thread.

#include "spec/schema/schema_set.hpp"
#include "spec/schema/validator/validate.hpp"
#include "spec/schema/validator/validator.hpp"

#include <nlohmann/json_fwd.hpp>

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace spec::schema {

// A place in an instance, on the stack; null is the whole.
struct Path {
  const Path* parent = nullptr;
  const std::string* name = nullptr;  // a member; null for an element
  std::size_t index = 0;
};

// The path as a JSON pointer.
std::string to_pointer(const Path* path);

// Called with a schema that applies to `value`, the part of the instance at `path`. False keeps
// from going on to what the schema applies in turn.
using AppliedVisitor =
    std::function<bool(SchemaId schema, const nlohmann::json& value, const Path* path)>;

// Visits each schema once for each part of the instance that it applies to, itself before those
// that it applies: of anyOf and oneOf the alternatives that the part is valid against, or if there
// are none the one that was probably meant, or all if none is; then or else by `if`. Left out are
// not and contains, and everything beyond the limits of validation (ValidateOptions::max_steps).
void visit_applied(const SchemaSet& schemas, SchemaId schema, const nlohmann::json& instance,
                   const ValidateOptions& options, const AppliedVisitor& visit);

}  // namespace spec::schema

namespace spec::schema::validator {

// The alternative of oneOf or anyOf that an instance probably is of, if it is valid against none:
// by the discriminator, by a property with const or enum that fits, as the only one of the right
// type or, with null aside, at all, or as the one that names most of an object's members. kNoId if
// none is recognized. Used only by this folder.
SchemaId likely_alternative(const Program& program, const std::vector<SchemaId>& alternatives,
                            const Frame& frame);

}  // namespace spec::schema::validator
