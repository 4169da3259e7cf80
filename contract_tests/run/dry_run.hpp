#pragma once

// Describes what a run will do: the requests of its cases as curl lines, for --dry-run, and the
// number of those that change something. Pure functions; nothing is sent.

#include "contract_tests/run/run_settings.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace contract_tests::run {

// The curl line of a request, secrets replaced; or which subject it lacks.
std::string request_line(const Settings& settings, const spec::contract::Operation& operation,
                         const plan::RequestPlan& request, const plan::Names& names);

// Id, sentence, and the curl lines of its requests, or why it would be skipped. Cases
// that send further requests, which depend on the responses, are marked.
std::string dry_text(const Settings& settings, const Case& item);

// The number of requests of each method and of their paths, those for undoing included; and for
// each operation, how it is undone. Cases may send more, depending on responses. "" if the
// `selected` cases of the plan change nothing, or the server is the mock.
std::string announcement(const Settings& settings, const Plan& plan,
                         const std::vector<std::size_t>& selected);

}  // namespace contract_tests::run
