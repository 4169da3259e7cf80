#include "spec/contract/write_only.hpp"

#include "spec/contract/state.hpp"
#include "spec/schema/validator/validate.hpp"

#include <nlohmann/json.hpp>

namespace spec::contract {

nlohmann::json without_write_only(const Contract& contract, std::optional<schema::SchemaId> schema,
                                  nlohmann::json value) {
  return schema ? without_write_only(contract.schemas(), *schema, std::move(value)) : value;
}

nlohmann::json without_write_only(const schema::SchemaSet& schemas, schema::SchemaId schema,
                                  nlohmann::json value) {
  for (const schema::Violation& violation : write_only_members(schemas, schema, value)) {
    const nlohmann::json::json_pointer pointer(violation.instance);
    if (!value.contains(pointer)) {
      continue;  // it went with the member that it was in
    }
    nlohmann::json& parent = value[pointer.parent_pointer()];
    if (parent.is_object()) {
      parent.erase(pointer.back());
    }
  }
  return value;
}

}  // namespace spec::contract
