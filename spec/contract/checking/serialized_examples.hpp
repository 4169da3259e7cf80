#pragma once

// Reads the serialized examples of OpenAPI 3.2, each as the message would be read. Called once,
// when the contract is loaded. Source: OpenAPI 3.2.0, Example Object, Validating Examples.

#include "spec/contract/contract.hpp"
#include "spec/load_error.hpp"

#include <vector>

namespace spec::contract::checking {

// Sets the values of examples that have a serialization alone. Returns the serializations that are
// not valid, or do not mean the data beside them. Precondition: `state` is that of `contract`.
std::vector<Problem> read_serialized_examples(const Contract& contract, Contract::State& state);

}  // namespace spec::contract::checking
