#pragma once

// Authentication in both directions: what must be rejected without a token, and what must not be.
// bypass.cpp has the attempts to get in without credentials.

#include "contract_tests/demands/demands.hpp"

#include <string_view>

namespace contract_tests::demands {

// For credentials.cpp alone. Precondition: the operation takes one bearer token.
void add_bypass_cases(const Drafting& drafting);
// A case that must end in 401, and change nothing.
Case rejected_credentials(const Drafting& drafting, std::string_view sentence,
                          std::string_view rule);

}  // namespace contract_tests::demands
