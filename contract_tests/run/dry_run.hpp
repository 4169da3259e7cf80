#pragma once

// What a run will do, in words, before it does: the requests of its cases as curl lines, for
// --dry-run, and how many of them change something. Pure functions; nothing is sent.

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

// How many requests of which methods will be sent at how many paths, those for undoing included;
// and for each operation, how it is undone. Cases may send more, depending on responses. "" where
// the `selected` cases of the plan change nothing, or the server is the mock.
std::string announcement(const Settings& settings, const Plan& plan,
                         const std::vector<std::size_t>& selected);

}  // namespace contract_tests::run
