#pragma once

// What a list's query parameters and response say of filters, order, pages and totals.

#include "mock_server/inference/shapes.hpp"

#include <nlohmann/json.hpp>

namespace mock_server::inference {

// Adds "into", "filters", "sort", "paging" and so on to the entry of a list whose records are
// `list`.
void add_list_plan(const spec::contract::Contract& contract,
                   const spec::contract::Operation& operation, const Found& list,
                   nlohmann::ordered_json& entry);

}  // namespace mock_server::inference
