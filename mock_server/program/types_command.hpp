#pragma once

// `mock_server types [CONTRACT] [--fixtures FOLDER]`: the names of a loaded API as TypeScript, for
// the generic types of the package counterpart-mock.

#include "mock_server/api/loaded_api.hpp"

#include <string>

namespace CLI {
class App;
}

namespace mock_server::program {

// Adds the subcommand.
CLI::App* register_types(CLI::App& app);

// `export interface Names {...}`: operations, collections, the keys of their records, scenarios.
std::string names_in_typescript(const api::LoadedApi& api);

}  // namespace mock_server::program
