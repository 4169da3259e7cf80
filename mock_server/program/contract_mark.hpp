#pragma once

// The mark by which kept state knows its contract.

#include "mock_server/state/contract_mark.hpp"
#include "spec/contract/contract.hpp"

namespace mock_server::program {

// Reads the contract's files again; a file that cannot be read counts as empty.
state::ContractMark mark_of(const spec::contract::Contract& contract);

}  // namespace mock_server::program
