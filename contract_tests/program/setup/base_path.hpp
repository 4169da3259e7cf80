#pragma once

// The path of the contract's servers, for a base URL that has none. Pure function.

#include "spec/contract/contract.hpp"

#include <string>
#include <string_view>

namespace contract_tests::program::setup {

// "/v1": the path of the server in `servers` of the whole document that has `host`, else of the
// first one; without a trailing "/". "" where there is none, where a variable without a default is
// in it, and where operations or paths have servers of their own with another path. Source:
// OpenAPI 3.1.0 §4.8.5, §4.8.6.
std::string base_path_of(const spec::contract::Contract& contract, std::string_view host);

}  // namespace contract_tests::program::setup
