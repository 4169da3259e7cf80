#pragma once

// Loads a contract and its fixtures together, or examines them for --check.

#include "mock_server/api/loaded_api.hpp"
#include "spec/document/library.hpp"
#include "spec/load_error.hpp"

#include <filesystem>
#include <memory>
#include <optional>
#include <vector>

namespace mock_server::api {

// Throws LoadError with every problem of the contract, or else of the fixtures.
std::shared_ptr<const LoadedApi> load_api(const LoadedApiOptions& options);

// Validates contract and fixtures for --check. Unlike load_api it continues after problems of the
// contract: fixtures are validated by the parts that can be read; if none can, only parsed. Never
// throws LoadError.
Examination examine_api(const LoadedApiOptions& options);

}  // namespace mock_server::api

namespace mock_server::api::loading {

// Reads and parses the files of fixture folders. That needs no contract, so it can run while the
// contract is loaded. A library remembers the files that it opened, also with errors, so nothing is
// read twice.

// True for the endings that fixtures are written in: .yaml, .yml, .json.
bool is_fixture_file(const std::filesystem::path& path);

// The fixture files of the folder and of the folders in it, sorted by folder.
std::vector<std::filesystem::path> fixture_files(const std::filesystem::path& folder);

// The folder's operations.yaml, or the same with another ending.
std::optional<std::filesystem::path> operations_file(const std::filesystem::path& folder);

// The root of the file; an empty handle where it cannot be read, with the problems.
spec::document::Node open_text(spec::document::Library& library, const std::filesystem::path& path,
                               std::vector<spec::Problem>& problems);

// Opens every one of fixture_files of each folder. What is wrong with the texts
// is added to `problems`.
void open_texts(spec::document::Library& library, const std::vector<std::filesystem::path>& folders,
                std::vector<spec::Problem>& problems);

}  // namespace mock_server::api::loading
