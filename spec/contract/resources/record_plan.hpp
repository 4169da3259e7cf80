#pragma once

// The plan of one resource's records: key, schema, and parents.

#include "spec/contract/contract.hpp"
#include "spec/contract/resources/resource.hpp"
#include "spec/schema/schema_summary.hpp"

#include <nlohmann/json.hpp>

#include <map>
#include <string>
#include <vector>

namespace spec::contract::resources {

struct Plan {
  const Resource* resource = nullptr;
  std::string collection;
  bool is_known = false;   // operations.yaml declares the collection
  bool is_single = false;  // one record, without a key of its own
  // The record's member, or one inside; empty for a single one, and for records without a key.
  std::vector<std::string> key;
  std::string parameter;  // of the path, that has the key; "" without operations of one record
  schema::Schemas record;
  bool is_certain = true;
  bool is_scoped = false;
  std::string why;
  nlohmann::ordered_json within = nlohmann::ordered_json::array();
  std::vector<std::string> hidden;  // members that only the mock has
};

// Looks for the record in the responses that should show one, the most specific first: key, schema,
// certainty and reason. False, with the reason, if none has a member for the key.
bool find_key(const Contract& contract, Plan& plan);

// The same where the creation responds with the whole parent, "POST /carts/{id}/items" with the
// cart: its records are `shown`, what the parent lists under that name.
bool find_key_in_parent(const Contract& contract, const schema::Schemas& shown, const Plan& parent,
                        Plan& plan);

// The same of records that a list alone shows, with an identifier.
bool find_listed(const Contract& contract, Plan& plan);

// Adds schema and reason of a resource of one record, "GET /settings" beside "PUT /settings". False
// if it is none.
bool find_single(const Contract& contract, Plan& plan);

// Adds to the plan the meaning of each path parameter before the record's own: a member of the
// record, or a hidden one. `plans` are all, by form.
void add_parents(const Contract& contract, const std::map<std::string, Plan>& plans, Plan& plan);

}  // namespace spec::contract::resources
