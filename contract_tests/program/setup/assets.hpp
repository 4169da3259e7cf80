#pragma once

// Where the programs and their data lie: in a source tree, beside a build, or installed.

#include <filesystem>
#include <optional>

namespace contract_tests::program::setup {

// The folder under which spec/, fixtures/ and contract_tests/ are found with the same relative
// paths: share/counterpart of an installation, else the source tree. Throws spec::LoadError.
std::filesystem::path find_data_root();

// The mock_server program: COUNTERPART_MOCK_SERVER, beside this one, or in its build tree.
std::optional<std::filesystem::path> find_mock_server();

}  // namespace contract_tests::program::setup
