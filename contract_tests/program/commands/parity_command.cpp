// contract_tests parity --base-url URL

#include "contract_tests/program/commands/command.hpp"
#include "contract_tests/program/commands/parity_runs.hpp"
#include "contract_tests/program/flags/flags.hpp"
#include "contract_tests/program/flags/options.hpp"
#include "contract_tests/program/flags/usage.hpp"
#include "contract_tests/program/output/report_files.hpp"
#include "spec/json/value.hpp"

#include <csignal>
#include <iostream>

namespace contract_tests::program::commands {

namespace {

constexpr const char* kParity = "What to compare";

constexpr const char* kAboutParity =
    "Sends the same requests to the mock and to a service and says of each difference who is "
    "wrong: the service, the mock, or neither, where the contract is silent.";

constexpr const char* kParityExamples =
    "Examples:\n"
    "  contract_tests parity --base-url https://test.payments.example --subjects subjects.yaml\n"
    "      Compare a service with the mock that is started; read only.\n"
    "  contract_tests parity --from calls.har --markdown parity.md\n"
    "      Compare recorded calls with the mock; nothing is sent to the service.\n"
    "\n"
    "Exit codes: 0 neither side is wrong, 1 one is, 2 wrong usage or could not start, 3 cannot\n"
    "tell.";

// The flags of a run, less those about its cases and reports.
void add_parity(CLI::App& app, ParityOptions& parity) {
  flags::remove_flags(
      app, {"--filter", "--list", "--print-subjects", "--min-coverage", "--fail-on",
            "--last-failed", "--report", "--annotate", "--verbose", "--dry-run", "--repeat",
            "--print-config", "--baseline", "--baseline-write", "--baseline-reason",
            "--baseline-owner", "--baseline-days", "--baseline-prune", "--baseline-strict"});
  flags::describe(app, "--base-url",
                  "Service to compare with the mock (default: TEST_API_BASE_URL); with --from, "
                  "whose calls are compared");
  flags::add(app, kParity, {"--mock", "URL"}, parity.mock,
             "A mock server that is running (default: one is started)");
  flags::add(
      app, kParity, {"--mock-subjects", "FILE"}, parity.mock_subjects,
      "YAML file with the identifiers that the mock has; the one of --subjects where its fixtures "
      "were recorded from the service (default: subjects.yaml of its fixtures)");
  flags::add(app, kParity, {"--from", "FILE"}, parity.from,
             "HAR file of recorded calls to compare, instead of sending requests to the service; "
             "--base-url then says whose calls");
  flags::add(app, kParity, {"--markdown", "FILE"}, parity.markdown,
             "Write the tables as Markdown, to be kept beside the contract");
  flags::add(app, kParity, {"--json", "FILE"}, parity.json, "Write them as JSON");
}

}  // namespace

int run_parity(int argc, char** argv) {
  ParityOptions how;
  const auto parsed =
      flags::parse_options(argc, argv, {kAboutParity, "contract_tests parity", kParityExamples},
                           [&how](CLI::App& app, flags::Options&) { add_parity(app, how); });
  if (parsed.exit_code >= 0) {
    return parsed.exit_code;
  }
  if (parsed.options.base_url.empty() && how.from.empty()) {
    std::cerr << "contract_tests: parity needs --base-url URL of the service, or --from FILE with "
                 "calls to it; see contract_tests parity --help\n";
    return flags::kUsage;
  }
  if (!flags::runs_google_test(parsed.options, "parity")) {
    return flags::kUsage;
  }
  std::signal(SIGPIPE, SIG_IGN);  // a connection closed by the server must not end the program
  const auto report = compare_parity(parsed.options, how);
  if (!how.markdown.empty()) {
    output::write_file(how.markdown, parity::report_markdown(report));
  }
  if (!how.json.empty()) {
    output::write_file(how.json, spec::json::write_pretty(parity::report_json(report)) + '\n');
  }
  std::cout << parity::report_text(report) << std::flush;
  return report.exit;
}

}  // namespace contract_tests::program::commands
