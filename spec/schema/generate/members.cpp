#include "spec/schema/generate/members.hpp"

#include "spec/schema/applicable.hpp"
#include "spec/schema/validator/validate.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <iterator>

namespace spec::schema::generate {

namespace {

bool has_name(const auto& lists, const std::string& name) {
  return std::ranges::any_of(lists, [&](const auto* list) {
    return std::ranges::any_of(*list, [&](const auto& each) { return each.name == name; });
  });
}

}  // namespace

std::vector<SchemaId> schemas_of_member(const Program& program, const Constraints& constraints,
                                        const std::string& name) {
  std::vector<SchemaId> schemas;
  for (const SchemaId id : constraints.merged) {
    std::ranges::copy(member_schemas(program, id, name), std::back_inserter(schemas));
  }
  return schemas.empty() ? constraints.unevaluated_members : schemas;
}

Member make_member(const SchemaSet& schemas, const std::vector<std::uint64_t>& depths,
                   const Constraints& constraints, const std::string& name) {
  const Program& program = schemas.program();
  Member member{.name = name, .schemas = schemas_of_member(program, constraints, name)};
  member.may_be_named = std::ranges::all_of(constraints.property_names, [&](SchemaId id) {
    return fits(schemas, id, nlohmann::json(name));
  });
  member.brings_none = !has_name(constraints.dependent_names, name) &&
                       !has_name(constraints.dependent_schemas, name);
  for (const SchemaId id : member.schemas) {
    member.depth = std::max(member.depth, depths[id]);
    member.read_only |= program.schemas[id].read_only;
    member.write_only |= program.schemas[id].write_only;
  }
  return member;
}

std::vector<Member> members_of(const SchemaSet& schemas, const std::vector<std::uint64_t>& depths,
                               const Constraints& constraints) {
  std::vector<std::string> names = required_names(constraints);
  const std::size_t required = names.size();
  for (const ObjectTable* table : constraints.objects) {
    for (const Property& property : table->properties) {
      if (std::ranges::find(names, property.name) == names.end()) {
        names.push_back(property.name);
      }
    }
  }
  std::vector<Member> members;
  for (const std::string& name : names) {
    members.push_back(make_member(schemas, depths, constraints, name));
    members.back().is_required = members.size() <= required;
  }
  return members;
}

}  // namespace spec::schema::generate
