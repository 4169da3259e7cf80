#pragma once

// What OpenAPI demands of its objects beyond their fields' kinds (inspect.hpp) and what nothing
// that is served or validated hangs on: a document that breaks it can be used, but is wrong.

#include "spec/contract/loading/context.hpp"
#include "spec/contract/loading/inspect.hpp"

namespace spec::contract::loading {

// Notes the flaws of every object that inspection found.
void check_forms(LoadContext& context, const Inspection& inspection);

}  // namespace spec::contract::loading
