#pragma once

// The contract and the fixtures that a container was given to serve: mounted at names that an image
// documents.

#include <filesystem>

namespace mock_server::program {

// `folder`/contract: a file, or the one OpenAPI document in a folder; "" if nothing is mounted.
// Throws spec::LoadError for a folder without one or with several.
std::filesystem::path mounted_contract(const std::filesystem::path& folder);

// `folder`/fixtures; "" if nothing is mounted. Throws spec::LoadError if it is no folder.
std::filesystem::path mounted_fixtures(const std::filesystem::path& folder);

}  // namespace mock_server::program
