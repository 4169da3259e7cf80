#pragma once

// `mock_server record --from FILE --into FOLDER`: fixtures from recorded calls, for a mock that
// plays them.

#include "mock_server/program/options.hpp"
#include "mock_server/record/recorder.hpp"

#include <string>

namespace CLI {
class App;
}

namespace mock_server::program {

// Adds the subcommand; parsing puts its flags into `recording`, which must live as long as `app`.
CLI::App* register_record(CLI::App& app, record::RecordOptions& recording);

// What is wrong with the flags; "" for nothing.
std::string why_no_recording(const record::RecordOptions& recording);

// Carries it out. Returns the exit code: 0, or 1 if a call was left out because it could not be
// redacted. Throws as record::record_files and load_api do. Precondition: options.record.
int record_calls(const Options& options);

}  // namespace mock_server::program
