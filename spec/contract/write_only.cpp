#include "spec/contract/write_only.hpp"

#include "spec/contract/state.hpp"
#include "spec/schema/validate.hpp"

#include <nlohmann/json.hpp>

namespace spec::contract {

using Json = nlohmann::json;

bool has_write_only(const Contract& contract) {
  return contract.schemas().has_write_only();
}

Json without_write_only(const Contract& contract, std::optional<schema::SchemaId> schema,
                        Json value) {
  return schema ? without_write_only(contract.schemas(), *schema, std::move(value)) : value;
}

Json without_write_only(const schema::SchemaSet& schemas, schema::SchemaId schema, Json value) {
  for (const schema::Complaint& complaint : write_only_members(schemas, schema, value)) {
    const Json::json_pointer pointer(complaint.instance);
    Json& parent = value[pointer.parent_pointer()];
    if (parent.is_object()) {
      parent.erase(pointer.back());
    }
  }
  return value;
}

}  // namespace spec::contract
