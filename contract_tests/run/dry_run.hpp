#pragma once

// The first request of a case, for --dry-run. A pure function; sends nothing.

#include "contract_tests/run/settings.hpp"

#include <string>

namespace contract_tests::run {

// Id, sentence, and the curl line of its first request, or why it would be skipped. Cases
// that send further requests, which depend on the responses, are marked.
std::string dry_text(const Settings& settings, const Case& item);

}  // namespace contract_tests::run
