#pragma once

// What a command line names, as run.json records it, and back: so that a replay makes the plan of
// the run that it replays.

#include "contract_tests/program/flags/options.hpp"

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace contract_tests::program::flags {

// `inputs` of run.schema.json: files relative to the working directory.
nlohmann::json inputs_of(const Options& options);

// Takes what the run value records for everything that `options` does not name. Throws
// spec::LoadError for a file that is not there; `file` is the name of the run.
void take_inputs(const nlohmann::json& run, const std::string& file, Options& options);

}  // namespace contract_tests::program::flags
