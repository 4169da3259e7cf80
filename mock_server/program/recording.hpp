#pragma once

// --mode record: what serve() needs of the recording.

#include "mock_server/fixtures/loaded_api.hpp"
#include "mock_server/program/options.hpp"
#include "mock_server/program/request_log.hpp"
#include "mock_server/record/live.hpp"

#include <nlohmann/json_fwd.hpp>

#include <memory>

namespace mock_server::program {

// Null without --mode record. `log` must outlive it. Throws LoadError.
std::unique_ptr<record::Live> open_recording(const Options& options,
                                             std::shared_ptr<const fixtures::LoadedApi> api,
                                             RequestLog& log);

// The line with secrets replaced.
void log_redacted(const record::Live& live, const service::LogLine& line, RequestLog& log);

// Adds "recording", and "degraded" if nothing can be written now or calls are not written.
void add_health(const record::Live& live, nlohmann::json& health);

}  // namespace mock_server::program
