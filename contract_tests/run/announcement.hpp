#pragma once

// What a run will change on a service, in words, before it does. A pure function.

#include "contract_tests/run/settings.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace contract_tests::run {

// How many requests of which methods will be sent at how many paths, those for undoing included;
// and for each operation, how it is undone. Cases may send more, depending on responses. "" where
// the `selected` cases of the plan change nothing, or the server is the mock.
std::string announcement(const Settings& settings, const Plan& plan,
                         const std::vector<std::size_t>& selected);

}  // namespace contract_tests::run
