#pragma once

// A contract of 150 operations without examples, as a text, with the features of large contracts
// that mock servers have trouble with.

#include <string>

namespace contract_tests {

std::string large_description();

}  // namespace contract_tests
