#pragma once

// Whether the description that a server serves of itself is the contract it is judged by.

#include "contract_tests/run/trial.hpp"

namespace contract_tests::run {

// Reads the case's data {path}: where a description may be served. What serves none there is not
// judged. Versions must agree; where it is the same document (by its title), paths and components
// too.
void run_description(Trial& trial);

}  // namespace contract_tests::run
