#pragma once

// Collections whose path goes on behind that of another one's record, and the members by which the
// record shows what is in them: "/carts/{id}/items", `items` and `items_count` of a cart. Pure
// functions of contract and bindings.

#include "mock_server/api/binding.hpp"
#include "spec/contract/contract.hpp"
#include "spec/schema/schema_summary.hpp"

#include <nlohmann/json_fwd.hpp>

#include <map>
#include <span>
#include <string>
#include <vector>

namespace mock_server::api {

// Those of each collection, in the order of the bindings. Only collections whose records are
// inferred have any.
std::map<const Collection*, std::vector<NestedCollection>> nested_collections(
    std::span<const Binding> bindings);

// The schemas of the collection's records in requests.
std::vector<spec::schema::Schemas> sent_records(const spec::contract::Contract& contract,
                                                std::span<const Binding> bindings,
                                                const Collection& collection);

// The place in records of these schemas of the list that is called as the nested collection, also
// in an object around it: "items", "lines/data". Empty if there is none.
std::vector<std::string> nested_list(const spec::contract::Contract& contract,
                                     const spec::schema::Schemas& record,
                                     const NestedCollection& nested);

// The members that say how many there are: "items_count", "total_items".
std::vector<std::string> nested_counts(const spec::contract::Contract& contract,
                                       const spec::schema::Schemas& record,
                                       const NestedCollection& nested);

// True unless the value is known to violate one of the schemas.
bool may_have(const spec::contract::Contract& contract, const spec::schema::Schemas& schemas,
              const nlohmann::json& value);

// Gives `record` the empty lists of its nested collections, which their records are shown in: all
// of them if `is_made_up`, else those that it has not.
void empty_nested_lists(const spec::contract::Contract& contract,
                        const std::vector<NestedCollection>& all,
                        const spec::schema::Schemas& schemas, bool is_made_up,
                        nlohmann::json& record);

// The keys of the parents that a record names, as the start of a scoped record's key.
std::string parents_of(const std::vector<Within>& within, const nlohmann::json& record);

}  // namespace mock_server::api
