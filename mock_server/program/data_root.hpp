#pragma once

// Where the program's own contract and fixtures are: beside an installed program, or in the source
// tree that it was built in. Never the working directory.

#include <filesystem>
#include <optional>

namespace mock_server::program {

// The folder that holds spec/payments.openapi.yaml and fixtures/; nothing when there is none.
std::optional<std::filesystem::path> find_data_root(const std::filesystem::path& executable);

// The path of the running program.
std::filesystem::path executable_path();

}  // namespace mock_server::program
