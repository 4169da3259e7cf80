#pragma once

// Whose the records of "/owners/{owner_id}/pets" are: the members that name their parents.

#include "mock_server/inference/plan.hpp"
#include "spec/contract/contract.hpp"

#include <map>
#include <string>

namespace mock_server::inference {

// Adds to the plan what each parameter of the path before the record's own names: a member of the
// record, or a hidden one. `plans` are all, by form.
void add_parents(const spec::contract::Contract& contract, const std::map<std::string, Plan>& plans,
                 Plan& plan);

}  // namespace mock_server::inference
