#pragma once

// `mock_server init [CONTRACT] [--into FOLDER]`: first fixtures for a contract, to go on from.

#include "mock_server/program/program_options.hpp"

namespace CLI {
class App;
}

namespace mock_server::program {

// Adds the subcommand; parsing puts its flags into `init`, which must live as long as `app`.
CLI::App* register_init(CLI::App& app, InitCommand& init);

// Writes operations.yaml, a record and a scenario, and prints three commands that use them.
// Precondition: options.init. Throws LoadError, also where a file is there already; then nothing
// was written.
void write_first_fixtures(const Options& options);

}  // namespace mock_server::program
