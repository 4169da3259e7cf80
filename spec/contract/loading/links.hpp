#pragma once

// Whether links lead to operations, and name parameters that those have. Serving does not need
// them.

#include "spec/contract/loading/context.hpp"
#include "spec/contract/loading/inspect.hpp"

namespace spec::contract::loading {

// Notes violations of OpenAPI. Precondition: the operations are loaded. Source: OpenAPI 3.1.0
// §4.8.20.
void check_links(LoadContext& context, const Inspection& inspection);

}  // namespace spec::contract::loading
