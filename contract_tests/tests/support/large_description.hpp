#pragma once

// A contract without examples, as a text, with the features of large contracts that mock servers
// have trouble with: three operations for each of `resources`.

#include <string>

namespace contract_tests {

std::string large_description(int resources);

}  // namespace contract_tests
