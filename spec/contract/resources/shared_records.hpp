#pragma once

// Resources whose operations are about the records of another resource.

#include "spec/contract/resources/record_plan.hpp"
#include "spec/contract/resources/resource.hpp"

#include <map>
#include <string>

namespace spec::contract::resources {

// The plans of resources that show or make the records of a collection elsewhere, by form:
// "/customers/{id}/orders" beside "/orders/{id}", "/orders/search", "/account/orders". Those that
// `plans` has are taken out; what hides parents there hides them in both.
std::map<std::string, Plan> share_records(const Contract& contract, const Resources& resources,
                                          std::map<std::string, Plan>& plans);

}  // namespace spec::contract::resources
