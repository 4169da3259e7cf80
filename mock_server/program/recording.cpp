#include "mock_server/program/recording.hpp"

#include <nlohmann/json.hpp>

#include <string>
#include <utility>
#include <vector>

namespace mock_server::program {

std::unique_ptr<record::Live> open_recording(const Options& options,
                                             std::shared_ptr<const fixtures::LoadedApi> api,
                                             RequestLog& log) {
  return options.live_record ? std::make_unique<record::Live>(
                                   std::move(api), *options.live_record, COUNTERPART_VERSION,
                                   [&log](const std::string& message) { log.warn(message); },
                                   [&log](const std::string& message) { log.note(message); })
                             : nullptr;
}

void log_redacted(const record::Live& live, const service::LogLine& line, RequestLog& log) {
  const std::string target = live.text(line.target);
  const std::string broken = live.text(line.broken);
  const std::string violation = live.text(line.violation);
  const std::string answered_by = live.text(line.answered_by);
  std::vector<std::string> warnings;
  for (const std::string& warning : line.warnings) {
    warnings.push_back(live.text(warning));
  }
  service::LogLine safe = line;
  safe.target = target;
  safe.broken = broken;
  safe.violation = violation;
  safe.answered_by = answered_by;
  safe.warnings = warnings;
  log.request(safe);
}

void add_health(const record::Live& live, nlohmann::json& health) {
  const record::LiveHealth recording = live.health();
  health["recording"] = {{"written", recording.written}, {"not_written", recording.not_written}};
  if (!recording.problem.empty()) {
    health["recording"]["problem"] = recording.problem;
  }
  if (!recording.problem.empty() || recording.not_written != 0) {
    health["status"] = "degraded";
  }
}

}  // namespace mock_server::program
