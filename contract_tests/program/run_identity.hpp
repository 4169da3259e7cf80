#pragma once

// Identity of a run, by which runs are compared and merged: hashes of its inputs, and its settings.

#include "contract_tests/plan/subjects.hpp"
#include "contract_tests/program/run_options.hpp"
#include "contract_tests/report/run_value.hpp"
#include "spec/contract/contract.hpp"

#include <nlohmann/json_fwd.hpp>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace contract_tests::program {

// The hash of the whole contract: the same for other white space, comments and order of members, in
// every folder, and in YAML and JSON. `path` is the file that it was loaded from; further files
// that it refers to count as texts.
std::string hash_of_contract(const spec::contract::Contract& contract,
                             const std::filesystem::path& path);

// The hash of the texts of these files, and of those in these folders, in the order of their names.
std::string hash_of_files(const std::vector<std::filesystem::path>& paths);

// The hash of the values of the subjects, without tokens and credentials.
std::string hash_of_subjects(const plan::Names& names);

report::RunSettings settings_of(const Options& options);

// The shard that GoogleTest's variables name; empty if the run is not in shards.
std::optional<report::Shard> shard_of_environment();

// The inputs that a command line names, as run.json records them, and back: so that a replay makes
// the plan of the run that it replays.

// `inputs` of run.schema.json: files relative to the working directory.
nlohmann::json inputs_of(const Options& options);

// Takes what the run value records for everything that `options` does not name. Throws
// spec::LoadError for a file that is not there; `file` is the name of the run.
void take_inputs(const nlohmann::json& run, const std::string& file, Options& options);

}  // namespace contract_tests::program
