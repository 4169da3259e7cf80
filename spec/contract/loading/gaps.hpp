#pragma once

// Which messages of an operation rest on something that is not understood: a parameter without a
// name, a reference that leads nowhere, a content key that is no media type. Where that is
// tolerated (LoadOptions::tolerate) they are undecided, never valid. Schemas are not looked into:
// spec/schema leaves theirs undecided.

#include "spec/contract/loading/context.hpp"

#include <vector>

namespace spec::contract::loading {

// Fills the gaps of the operation, its body and its responses from what `context` knows by now.
// `path_parameters` is the list of the operation's path.
void find_gaps(const LoadContext& context, const document::Node& path_parameters,
               Operation& operation);

// Whether a message of the operation rests on a $ref that leads nowhere, or in a circle.
// `lost_schemas` says of every schema whether it does. Precondition: find_gaps was called.
bool has_lost_reference(const Operation& operation, const std::vector<bool>& lost_schemas);

}  // namespace spec::contract::loading
