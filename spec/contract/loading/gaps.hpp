#pragma once

// Which messages of an operation rest on something that is not understood: a parameter without a
// name, a reference that leads nowhere, a content key that is no media type. Where that is
// tolerated (LoadOptions::tolerate) they are undecided, never valid. Schemas are not looked into:
// spec/schema leaves theirs undecided.

#include "spec/contract/loading/context.hpp"

namespace spec::contract::loading {

// Fills the gaps of `plan`, that of `operation`, from what `context` knows by now.
// `path_parameters` is the list of the operation's path.
void find_gaps(const LoadContext& context, const document::Node& path_parameters,
               const Operation& operation, OperationPlan& plan);

}  // namespace spec::contract::loading
