#pragma once

// What the shards of a run say of their baseline, as one run says it. Pure functions.

#include "contract_tests/baseline/states.hpp"

#include <nlohmann/json_fwd.hpp>

#include <optional>
#include <vector>

namespace contract_tests::runs {

// Of run values; nothing where none has a baseline. An entry that a shard found is known or
// expired; one that none found is stale where every shard says so, fixed when its cases passed in
// whichever shards they were, and not seen else.
std::optional<baseline::Result> joined_baseline(const std::vector<const nlohmann::json*>& runs);

}  // namespace contract_tests::runs
