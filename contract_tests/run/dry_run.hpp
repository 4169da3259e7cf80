#pragma once

// What a case would send, for --dry-run: nothing is sent to find out. A pure function.

#include "contract_tests/run/settings.hpp"

#include <string>

namespace contract_tests::run {

// Id, sentence, and the curl line of its first request, or why it would not be run. Cases that go
// on from what the responses say are marked so.
std::string dry_text(const Settings& settings, const Case& item);

}  // namespace contract_tests::run
