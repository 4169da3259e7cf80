#pragma once

// Reads filters, order, pages and totals of a list from its query parameters and its response.

#include "spec/contract/resources/body_shapes.hpp"

#include <nlohmann/json.hpp>

namespace spec::contract::resources {

// Adds "into", "filters", "sort", "paging" and so on to the entry of a list whose records are
// `list`.
void add_list_plan(const Contract& contract, const Operation& operation, const RecordPlace& list,
                   nlohmann::ordered_json& entry);

}  // namespace spec::contract::resources
