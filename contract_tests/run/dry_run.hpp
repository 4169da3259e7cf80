#pragma once

// The requests of a case as curl lines, for --dry-run. Pure functions; nothing is sent.

#include "contract_tests/run/settings.hpp"

#include <string>

namespace contract_tests::run {

// The curl line of a request, secrets replaced; or which subject it lacks.
std::string request_line(const Settings& settings, const spec::contract::Operation& operation,
                         const plan::RequestPlan& request, const plan::Names& names);

// Id, sentence, and the curl lines of its requests, or why it would be skipped. Cases
// that send further requests, which depend on the responses, are marked.
std::string dry_text(const Settings& settings, const Case& item);

}  // namespace contract_tests::run
