#pragma once

// Recording: the flags of both ways, `mock_server record --from FILE --into FOLDER`, which makes
// fixtures from recorded calls, and what serve() needs of --mode record.

#include "mock_server/api/loaded_api.hpp"
#include "mock_server/program/program_options.hpp"
#include "mock_server/program/request_log.hpp"
#include "mock_server/record/live_recording.hpp"
#include "mock_server/record/recorder.hpp"

#include <nlohmann/json_fwd.hpp>

#include <memory>
#include <string>

namespace CLI {
class App;
}

namespace mock_server::program {

// Adds the flags of --mode record; parsing puts them into `recording`, which must live as long as
// `app`.
void register_live_record(CLI::App& app, record::RecordOptions& recording);
// Adds the subcommand, in the same way.
CLI::App* register_record(CLI::App& app, record::RecordOptions& recording);

// The error in the subcommand's flags; "" for none.
std::string why_no_recording(const record::RecordOptions& recording);

// Carries it out. Returns the exit code: 0, or 1 if a call was left out because it could not be
// redacted. Throws as record::record_files and load_api do. Precondition: options.record.
int record_calls(const Options& options);

// Null without --mode record. `log` must outlive it. Throws LoadError.
std::unique_ptr<record::Live> open_recording(const Options& options,
                                             std::shared_ptr<const api::LoadedApi> api,
                                             RequestLog& log);

// The line with secrets replaced.
void log_redacted(const record::Redaction& redaction, const service::LogLine& line,
                  RequestLog& log);

// Adds "recording", and "degraded" if nothing can be written now or calls are not written.
void add_health(const record::Live& live, nlohmann::json& health);

}  // namespace mock_server::program
