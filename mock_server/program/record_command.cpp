#include "mock_server/program/record_command.hpp"

#include "mock_server/fixtures/loaded_api.hpp"

#include <CLI/CLI.hpp>

#include <iostream>

namespace mock_server::program {

CLI::App* register_record(CLI::App& app, record::RecordOptions& recording) {
  CLI::App* const sub = app.add_subcommand(
      "record",
      "Write fixtures from recorded calls (HAR, Postman collection, JSON lines), with secrets "
      "replaced; see record --help");
  sub->fallthrough();
  sub->group("Subcommands");
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
  sub->add_flag("--merge", recording.merge,
                "Also into a folder with fixtures that no recording wrote");
  sub->add_flag("--keep-violating", recording.keep_violating,
                "Play responses that violate the contract, too, in the scenario");
  sub->add_option("--redact", recording.redaction.names,
                  "Name of members, parameters or header fields whose values are secret, besides "
                  "the usual ones; may be repeated")
      ->take_all()
      ->type_name("NAME");
  sub->add_option("--redact-key", recording.key_file,
                  "File with the key of the replacements, instead of .recording-key in the folder")
      ->type_name("FILE");
  sub->add_flag("--no-redaction", recording.redaction.is_off,
                "Write secrets as they are; the folder must be kept secret then");
  for (CLI::Option* const option : sub->get_options()) {
    option->configurable(false);
  }
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
  const auto api = fixtures::load_api(options.api);
  return record::record_files(*api, *options.record, std::cout, std::cerr, COUNTERPART_VERSION);
}

}  // namespace mock_server::program
