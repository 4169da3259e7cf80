#pragma once

// Reads paths and their operations, and enters them into the routers.

#include "spec/contract/loading/context.hpp"

namespace spec::contract::loading {

// Fills the state's operations, routers and prefixes. Source: OpenAPI 3.1.0 §4.8.8 to
// §4.8.17.
void load_operations(LoadContext& context);

}  // namespace spec::contract::loading
