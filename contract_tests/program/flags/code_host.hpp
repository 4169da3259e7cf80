#pragma once

// The values of --annotate: the code hosts that show a run.

#include <string>

namespace contract_tests::program::flags {

// What is wrong with a value of --annotate; "" for nothing.
std::string why_no_code_host(const std::string& text);

}  // namespace contract_tests::program::flags
