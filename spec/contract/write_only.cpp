#include "spec/contract/write_only.hpp"

#include "spec/contract/state.hpp"
#include "spec/json/pointer.hpp"
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
    json::erase_member(value, violation.instance);  // unless it went with what it was in
  }
  return value;
}

}  // namespace spec::contract
