#pragma once

// Identifiers: how those of one kind of thing begin, "cus_", by what a contract says of them, else
// by the names of things. Pure functions.

#include "spec/schema/program.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace spec::schema::generate {

// The name of a schema that lies under /components/schemas; "" for others.
std::string component_of(const Schema& schema);

// "cus_" for "Customer", "customers" and "CustomerResponse"; "" for names that say nothing, "data".
std::string id_start_of_thing(std::string_view name);

// The same of a component, "fil_" for "OpenAIFile" where `thing` is "files".
std::string id_start_of_component(std::string_view component, std::string_view thing);

// "cus_" for a description with "e.g. cus_NffrFeUfNV2Hib", "starts with `cus_`" or "cus_..."; "" if
// it shows no identifier.
std::string id_start_in(std::string_view text);

// Of alternatives that are a text or a record with an `id`, the text: the key of that record. kNoId
// for any other alternatives.
SchemaId key_beside_record(const Program& program, const std::vector<SchemaId>& alternatives);

// The record for whose key a text stands to which all of `merged` apply, by such alternatives;
// kNoId if it is none.
SchemaId record_of_key(const Program& program, const std::vector<SchemaId>& merged);

}  // namespace spec::schema::generate
