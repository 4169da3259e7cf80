#pragma once

// Names of members against the documented ones, where the schema lets any name pass: an answer that
// shows nothing of what was documented, and a name that looks like a documented one misspelt.
// Pure functions of const data.

#include "contract_tests/checks/finding.hpp"
#include "spec/document/document.hpp"

#include <nlohmann/json_fwd.hpp>

#include <string_view>

namespace contract_tests::checks {

// `schema` is the answer's schema in the contract; walks properties and items as far as `body`
// goes.
Complaints check_names(const spec::document::Node& schema, const nlohmann::json& body);

// True when `name` looks like `documented` in another spelling ("customerId", "phone_no") but is no
// longer word of its own ("phone_number_verified").
bool is_near_miss(std::string_view name, std::string_view documented);

}  // namespace contract_tests::checks
