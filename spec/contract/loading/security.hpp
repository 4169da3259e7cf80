#pragma once

// Reads security requirements and the schemes that they name.

#include "spec/contract/loading/context.hpp"

#include <vector>

namespace spec::contract::loading {

// The alternatives of a `security` list; an empty list asks for nothing. A scheme that is not
// understood is of kind kOther and has no HTTP scheme.
// Source: OpenAPI 3.1.0 §4.8.27, §4.8.30.
std::vector<SecurityRequirement> load_security(LoadContext& context, const document::Node& list);

// Notes what is wrong with the document's schemes, those too that nothing asks for.
void check_security_schemes(LoadContext& context);

}  // namespace spec::contract::loading
