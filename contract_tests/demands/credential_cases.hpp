#pragma once

// Authentication: requests that must be rejected without a valid token, and requests that must not
// be. bypass_cases.cpp has the authentication bypass cases.

#include "contract_tests/demands/demands.hpp"

#include <string>
#include <string_view>

namespace contract_tests::demands {

// For credential_cases.cpp alone. Precondition: the operation takes one bearer token.
void add_bypass_cases(const Drafting& drafting);
// HEAD of an operation that is read by GET, without what `lack` says.
void add_head_without(const Drafting& drafting, const std::string& lack);
// A case without credentials, or with those that it is given besides, which must end in 401, and
// change nothing.
Case rejected_credentials(const Drafting& drafting, std::string_view sentence,
                          std::string_view rule, checks::Change changed);

}  // namespace contract_tests::demands
