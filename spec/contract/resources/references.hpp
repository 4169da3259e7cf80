#pragma once

// Members of request bodies that name records of another resource.

#include "spec/contract/contract.hpp"
#include "spec/contract/resources/resource.hpp"
#include "spec/schema/schema_summary.hpp"

#include <string_view>

namespace spec::contract::resources {

// The resource to whose records a member of a request body refers: by its name ("author",
// "author_id", "authorIds", "main_author_id" of /authors) and by its type, which is that of their
// key; or, of any name, by a component of the contract that only their key has too. Null if there
// is none. Of a list, `schemas` are those of the elements.
const Resource* referred_resource(const Contract& contract, const Resources& resources,
                                  std::string_view member, const schema::Schemas& schemas);

}  // namespace spec::contract::resources
