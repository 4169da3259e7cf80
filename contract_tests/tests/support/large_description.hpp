#pragma once

// A description of 150 operations without a single example, as a text: what large descriptions say
// that mock servers stumble over, in turn.

#include <string>

namespace contract_tests {

std::string large_description();

}  // namespace contract_tests
