#pragma once

// Reads what a run wrote: run.json, strictly, as run.schema.json says, of this version alone. For
// the commands over runs (compare, merge, replay), which rely on its shape afterwards.

#include <nlohmann/json.hpp>

#include <filesystem>

namespace contract_tests::runs {

struct SavedRun {
  std::filesystem::path file;
  nlohmann::json value;  // as `schema` says
};

// `named` is a run.json, or a folder that holds one; `schema` is run.schema.json. Throws
// spec::LoadError with one problem, its place and its remedy: no such file, cut or no JSON, not a
// run, of a newer or an older version.
SavedRun read_run(const std::filesystem::path& named, const std::filesystem::path& schema);

}  // namespace contract_tests::runs
