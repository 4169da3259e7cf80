#pragma once

// Where contract and fixtures are that no flag names. The program's own: beside an installed
// program, or in the source tree that it was built in, never the working directory. Those that a
// container was given to serve: mounted at names that an image documents.

#include <filesystem>
#include <optional>

namespace mock_server::program {

// The folder that holds spec/payments.openapi.yaml and fixtures/; nothing when there is none.
std::optional<std::filesystem::path> find_data_root(const std::filesystem::path& executable);

// The path of the running program.
std::filesystem::path executable_path();

// `folder`/contract: a file, or the one OpenAPI document in a folder; "" if nothing is mounted.
// Throws spec::LoadError for a folder without one or with several.
std::filesystem::path mounted_contract(const std::filesystem::path& folder);

// `folder`/fixtures; "" if nothing is mounted. Throws spec::LoadError if it is no folder.
std::filesystem::path mounted_fixtures(const std::filesystem::path& folder);

}  // namespace mock_server::program
