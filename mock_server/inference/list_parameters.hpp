#pragma once

// What the query parameters of a list ask for: filters, order and pages.

#include "mock_server/inference/shapes.hpp"

#include <nlohmann/json.hpp>

namespace mock_server::inference {

// Adds "filters", "sort", "direction" and "paging" to the entry of a list whose records are `list`.
// A parameter that says nothing of these is left out.
void add_list_parameters(const spec::contract::Contract& contract,
                         const spec::contract::Operation& operation, const Found& list,
                         nlohmann::ordered_json& entry);

// "/a/b".
std::string pointer_to(const std::vector<std::string>& tokens);

}  // namespace mock_server::inference
