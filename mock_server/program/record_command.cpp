#include "mock_server/program/record_command.hpp"

#include "mock_server/api/loading/load_api.hpp"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <iostream>
#include <utility>
#include <vector>

namespace mock_server::program {
namespace {

// The flags that both ways of recording have, with what messages call them by.
void add_common_flags(CLI::App& app, record::RecordOptions& recording) {
  const std::string& flags = recording.flags;
  app.add_flag(flags + "merge", recording.merge,
               "Also into a folder with fixtures that no recording wrote");
  app.add_flag(flags + "keep-violating", recording.keep_violating,
               "Play responses that violate the contract, too, in the scenario of the recording");
  app.add_option(flags + "redact", recording.redaction.names,
                 "Name of members, parameters or header fields whose values are secret, besides "
                 "the usual ones; may be repeated")
      ->take_all()
      ->type_name("NAME");
  app.add_option(flags + "redact-key", recording.key_file,
                 "File with the key of the replacements, instead of .recording-key in the folder")
      ->type_name("FILE");
  app.add_flag(flags + "no-redaction", recording.redaction.is_off,
               "Record secrets as they are; the folder must be kept secret then");
}

}  // namespace

void register_live_record(CLI::App& app, record::RecordOptions& recording) {
  recording.flags = "--record-";
  app.add_option("--record-into", recording.into,
                 "With --mode record: folder for the fixtures, with secrets replaced; records that "
                 "are there are changed in place")
      ->type_name("FOLDER");
  add_common_flags(app, recording);
}

CLI::App* register_record(CLI::App& app, record::RecordOptions& recording) {
  CLI::App* const sub = app.add_subcommand(
      "record",
      "Write fixtures from recorded calls (HAR, Postman collection, JSON lines), with secrets "
      "replaced; see record --help");
  sub->fallthrough();
  sub->group("Subcommands");
  sub->option_defaults()->configurable(false);
  sub->add_option("--from", recording.from,
                  "File with calls: HAR 1.2, Postman collection 2.1 with saved examples, or "
                  "calls.jsonl of a recording; may be repeated")
      ->take_all()
      ->type_name("FILE");
  sub->add_option("--into", recording.into,
                  "Folder for the fixtures; records that are there are changed in place")
      ->type_name("FOLDER");
  sub->add_option("--origin", recording.origin,
                  "Record the calls to this server alone, https://api.example.com, or, of an API "
                  "whose paths begin with more, https://api.example.com/v2; without it, to the "
                  "server with most calls for operations of the contract")
      ->type_name("URL");
  sub->add_flag("--dry-run", recording.dry_run, "Print what would change, write nothing");
  add_common_flags(*sub, recording);
  return sub;
}

std::string why_no_recording(const record::RecordOptions& recording) {
  if (recording.from.empty() || recording.into.empty()) {
    return "record: name files with --from and a folder with --into, for example: mock_server "
           "record --from calls.har --into recording";
  }
  return "";
}

int record_calls(const Options& options) {
  const auto api = api::load_api(options.api);
  return record::record_files(*api, *options.record, std::cout, std::cerr, COUNTERPART_VERSION);
}

std::unique_ptr<record::Live> open_recording(const Options& options,
                                             std::shared_ptr<const api::LoadedApi> api,
                                             RequestLog& log) {
  return options.live_record ? std::make_unique<record::Live>(
                                   std::move(api), *options.live_record, COUNTERPART_VERSION,
                                   [&log](const std::string& message) { log.warn(message); },
                                   [&log](const std::string& message) { log.note(message); })
                             : nullptr;
}

void log_redacted(const record::Redaction& redaction, const service::LogLine& line,
                  RequestLog& log) {
  const std::string target = redaction.text(line.target);
  const std::string response_violation = redaction.text(line.response_violation);
  const std::string violation = redaction.text(line.violation);
  const std::string served_by = redaction.text(line.served_by);
  std::vector<std::string> warnings;
  for (const std::string& warning : line.warnings) {
    warnings.push_back(redaction.text(warning));
  }
  service::LogLine safe = line;
  safe.target = target;
  safe.response_violation = response_violation;
  safe.violation = violation;
  safe.served_by = served_by;
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
