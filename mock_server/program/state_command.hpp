#pragma once

// `mock_server state export|import FILE --state sqlite:FILE`: kept state as one file, and back.

#include "mock_server/program/program_options.hpp"

#include <string>

namespace CLI {
class App;
}

namespace mock_server::program {

// Adds the subcommand; parsing puts its arguments into `command`, which must live as long as `app`.
CLI::App* register_state_command(CLI::App& app, StateCommand& command);

// The error in the flags; "" for none.
std::string why_no_transfer(const StateCommand& command, const StateAddress& state);

// Carries it out. Throws spec::LoadError with one problem; the database is as before then.
// Precondition: options.state_command.
void carry_out_state_command(const Options& options);

}  // namespace mock_server::program
