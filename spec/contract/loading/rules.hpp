#pragma once

// What OpenAPI demands of its objects beyond the kinds of their fields (inspect.hpp), where neither
// serving nor validating depends on it: a document that violates it can be used, but is wrong.

#include "spec/contract/loading/context.hpp"
#include "spec/contract/loading/inspect.hpp"

namespace spec::contract::loading {

// Notes the violations of OpenAPI in every object that inspection found.
void check_rules(LoadContext& context, const Inspection& inspection);

}  // namespace spec::contract::loading
