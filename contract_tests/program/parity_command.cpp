// contract_tests parity --base-url URL

#include "contract_tests/parity/parity_report.hpp"
#include "contract_tests/parity/recorded_outcomes.hpp"
#include "contract_tests/program/command_line.hpp"
#include "contract_tests/program/preflight.hpp"
#include "contract_tests/program/progress_line.hpp"
#include "contract_tests/program/recorded_command.hpp"
#include "contract_tests/program/run_options.hpp"
#include "contract_tests/program/run_setup.hpp"
#include "contract_tests/report/formats/report_files.hpp"
#include "contract_tests/run/dry_run.hpp"
#include "contract_tests/run/pace.hpp"
#include "contract_tests/run/runner.hpp"
#include "contract_tests/run/sender.hpp"
#include "spec/har/har.hpp"
#include "spec/json/read.hpp"
#include "spec/json/value.hpp"
#include "spec/load_error.hpp"
#include "spec/time/instant.hpp"

#include <chrono>
#include <csignal>
#include <ctime>
#include <filesystem>
#include <iostream>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace contract_tests::program {

// Carries out a comparison: starts or finds the mock, runs the plan against both sides, or takes
// one of them from a file, and compares.

namespace {

// Options of the command beside the flags of a run.
struct ParityOptions {
  std::string mock;                     // URL; "" starts one
  std::filesystem::path mock_subjects;  // "" for those of its fixtures
  std::filesystem::path from;           // a HAR file instead of the service
  std::filesystem::path markdown;
  std::filesystem::path json;
};

using parity::Report;
using parity::Side;

// A server with all that cases need to run against it.
struct ComparedServer {
  client::Trust trust;
  Server server;
  run::Settings settings;
  bool is_started = false;  // the mock that was started

  ComparedServer(const Options& options, const Documents& documents, bool is_mock)
      : trust({options.ca_file.string()}),
        server(is_mock ? find_server(options, trust) : find_service(options, trust)),
        settings(settings_of_side(options, documents, is_mock)),
        is_started(options.base_url.empty()) {}

 private:
  run::Settings settings_of_side(const Options& options, const Documents& documents, bool is_mock) {
    if (is_mock && !server.is_mock()) {
      throw spec::LoadError("--mock", options.base_url +
                                          (server.mock ? " passes requests on to a service"
                                                       : " is not a mock server") +
                                          " (GET /_mock/health); name a mock without --upstream");
    }
    auto made = make_settings(options, documents, server, trust);
    // A running mock may be somebody's: changes are undone there as on a service.
    made.consent.lasting = is_mock && options.base_url.empty();
    if (!made.made_up.empty()) {
      made.target = run::Target::kService;  // it need not know what the plan made up
    }
    return made;
  }
};

// The run of one side.
struct SideRun {
  run::Outcomes outcomes;
  std::vector<std::string> problems;  // why it could not begin, or what happened to the run
  bool is_whole = false;              // it began, and was not interrupted
};

std::vector<std::size_t> every_case(const run::Plan& plan) {
  std::vector<std::size_t> all(plan.cases.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  return all;
}

void note_left(run::Runner& runner, std::vector<std::string>& problems) {
  for (const auto& left : runner.finish()) {
    problems.push_back("could not be undone: " + left.what +
                       (left.curl.empty() ? "" : "; undo it: " + left.curl));
  }
  for (auto& headline : runner.headlines()) {
    problems.push_back(std::move(headline));
  }
  if (runner.pace().is_interrupted()) {
    problems.emplace_back("the run was interrupted");
  }
}

void note_into(Side& side, run::Settings& settings) {
  settings.after_case = [&side](const run::CaseRun& case_run) { side.note(case_run); };
}

// Runs the cases at these indices against one server.
SideRun run_cases(const Options& options, const Documents& documents, const run::Settings& settings,
                  const std::vector<std::size_t>& selected, bool is_service) {
  run::Runner runner(settings, documents.plan);
  SideRun ran;
  if (!options.base_url.empty()) {
    ran.problems = setup_problems(settings, documents, selected, runner.pace(), !is_service);
  }
  if (!ran.problems.empty()) {
    return ran;
  }
  if (is_service) {
    const auto text = run::announcement(settings, documents.plan, selected);
    std::cerr << (text.empty() ? "" : "contract_tests: " + text) << std::flush;
  }
  ProgressLine progress(
      progress_on_console([&runner] { return runner.progress(); }, options.latest()));
  const InterruptHandler interruptible(runner);
  progress.start();
  runner.start(selected, options.jobs);
  for (const auto index : selected) {
    ran.outcomes[index] = runner.take(index);
  }
  progress.stop();
  note_left(runner, ran.problems);
  ran.is_whole = !runner.pace().is_interrupted();
  return ran;
}

// The mock gets the flags of the service's contract, and none about the service itself.
Options options_of_mock(const Options& options, const ParityOptions& how) {
  auto made = options;
  made.base_url = how.mock;
  made.subjects = how.mock_subjects;
  made.token.clear();
  made.other_token.clear();
  made.is_token_of_environment = false;
  made.allow_probes = true;  // GET /_mock/health is asked of it, wherever it is
  made.rate = 0;
  made.max_requests = 0;
  made.started = std::chrono::steady_clock::now();
  return made;
}

// Asks the control API of the mock. One that was started here is first as it was at its start.
parity::AskMock asker(ComparedServer& mock) {
  return [&mock, reset = !mock.is_started](
             const std::string& target) mutable -> std::optional<nlohmann::json> {
    run::Pace pace({});
    run::Sender sender(mock.settings, pace);
    if (!std::exchange(reset, true)) {
      sender.send_now({.method = "POST", .target = "/_mock/reset", .headers = {}, .body = ""});
    }
    const auto exchange =
        sender.send_now({.method = "GET", .target = target, .headers = {}, .body = ""});
    auto read = spec::json::read(exchange.response.body);
    return exchange.status() == 200 && read ? std::optional(std::move(read.value())) : std::nullopt;
  };
}

// The input of the comparison.
struct ParitySides {
  const run::Plan& plan;
  ComparedServer& mock;
  const parity::SideResults of_mock;
  const parity::SideResults of_service;
};

// `remedy`: how a valid key is given.
void compare_into(const Documents& documents, const ParitySides& sides, std::string_view remedy,
                  Report& report) {
  parity::FixSuggester suggester(asker(sides.mock));
  report.compared = parity::compare_sides(sides.mock.settings, sides.plan, sides.of_mock,
                                          sides.of_service, suggester);
  report.compared.untested =
      parity::why_untested(*documents.contract, sides.plan, sides.of_service.outcomes, remedy);
  report.assumptions = parity::check_assumptions(*documents.contract, sides.plan, sides.of_service);
  report.exit = parity::exit_of(report.compared);
}

void add_notes(Report& report, const std::string& of, std::vector<std::string> lines) {
  for (auto& line : lines) {
    report.notes.push_back(of + std::move(line));
  }
}

void compare_running(const Options& options, const ParityOptions& how, const Documents& documents,
                     Report& report) {
  ComparedServer service(options, documents, false);
  report.service = service.settings.url.text();
  Side of_service(service.settings);
  const auto all = every_case(documents.plan);
  note_into(of_service, service.settings);
  auto service_ran = run_cases(options, documents, service.settings, all, true);
  add_notes(report, "service: ", std::move(service_ran.problems));
  std::vector<std::size_t> asked;
  for (const auto& [index, outcome] : service_ran.outcomes) {
    if (!outcome.reason.is_not_allowed()) {
      asked.push_back(index);
    }
  }
  const auto mock_options = options_of_mock(options, how);
  ComparedServer mock(mock_options, documents, true);
  report.mock = mock.is_started ? "started" : mock.settings.url.text();
  Side of_mock(mock.settings);
  note_into(of_mock, mock.settings);
  auto mock_ran = service_ran.is_whole
                      ? run_cases(mock_options, documents, mock.settings, asked, false)
                      : SideRun{};
  add_notes(report, "mock: ", std::move(mock_ran.problems));
  for (const auto& [index, outcome] : service_ran.outcomes) {
    if (outcome.reason.is_not_allowed()) {
      mock_ran.outcomes[index] = outcome;  // not sent to either
    }
  }
  compare_into(documents,
               {documents.plan,
                mock,
                {mock_ran.outcomes, of_mock},
                {service_ran.outcomes, of_service,
                 service.settings.names.find("token").value_or("").empty()}},
               "pass a valid token with --token, or in DODO_PAYMENTS_API_KEY", report);
}

// Notes about the file, besides the rows.
std::vector<std::string> notes_of(const parity::RecordedCalls& chosen, const Options& options) {
  auto notes = chosen.unread;
  for (const auto& line : chosen.left_out) {
    notes.push_back("not compared: " + line);
  }
  if (auto why = why_no_call(chosen, options); !why.empty()) {
    notes.push_back(std::move(why));
  }
  return notes;
}

// The service's side has the settings of the mock, less what only the mock must satisfy.
void compare_recorded(const Options& options, const ParityOptions& how, const Documents& documents,
                      Report& report) {
  reject_lines(how.from, "--from");
  const auto url = service_of_calls(options, *documents.contract);
  const auto chosen =
      parity::choose_calls(*documents.contract, spec::har::read_har_file(how.from), url);
  ComparedServer mock(options_of_mock(options, how), documents, true);
  report.mock = mock.is_started ? "started" : mock.settings.url.text();
  report.service = "calls of " + how.from.filename().string() +
                   (chosen.origin.empty() ? "" : " to " + chosen.origin);
  report.notes = notes_of(chosen, options);
  redact_credentials(*documents.contract, chosen, mock.settings);
  auto settings = mock.settings;
  settings.target = run::Target::kService;
  settings.url.prefix.clear();
  settings.sends = false;
  Side of_service(settings);
  Side of_mock(mock.settings);
  note_into(of_service, settings);
  note_into(of_mock, mock.settings);
  const auto service_outcomes = parity::validate_calls(settings, chosen).outcomes;
  const auto mock_outcomes = parity::validate_mock(mock.settings, chosen);
  compare_into(documents,
               {chosen.plan, mock, {mock_outcomes, of_mock}, {service_outcomes, of_service}},
               "record calls that have a valid key", report);
  report.exit = report.exit == 0 && !chosen.unread.empty() ? kInconclusive : report.exit;
}

// The comparison with its exit code. Problems of files, flags and servers are spec::LoadErrors.
Report compare_parity(const Options& options, const ParityOptions& how) {
  const auto documents = load_documents(options);
  Report report;
  report.contract =
      std::string(documents.contract->title()) + ' ' + std::string(documents.contract->version());
  report.date = spec::time::format_date_time({.seconds = std::time(nullptr), .fraction = ""});
  if (how.from.empty()) {
    compare_running(options, how, documents, report);
    report.exit = report.exit == 0 && !report.notes.empty() ? kInconclusive : report.exit;
  } else {
    compare_recorded(options, how, documents, report);
  }
  return report;
}

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
  remove_flags(app,
               {"--filter",         "--list",          "--print-subjects", "--print-rules",
                "--min-coverage",   "--fail-on",       "--last-failed",    "--report",
                "--annotate",       "--verbose",       "--dry-run",        "--repeat",
                "--print-config",   "--baseline",      "--baseline-write", "--baseline-reason",
                "--baseline-owner", "--baseline-days", "--baseline-prune", "--baseline-strict"});
  describe(app, "--base-url",
           "Service to compare with the mock (default: TEST_API_BASE_URL); with --from, "
           "whose calls are compared");
  add(app, kParity, {"--mock", "URL"}, parity.mock,
      "A mock server that is running (default: one is started)");
  add(app, kParity, {"--mock-subjects", "FILE"}, parity.mock_subjects,
      "YAML file with the identifiers that the mock has; the one of --subjects where its fixtures "
      "were recorded from the service (default: subjects.yaml of its fixtures)");
  add(app, kParity, {"--from", "FILE"}, parity.from,
      "HAR file of recorded calls to compare, instead of sending requests to the service; "
      "--base-url then says whose calls");
  add(app, kParity, {"--markdown", "FILE"}, parity.markdown,
      "Write the tables as Markdown, to be kept beside the contract");
  add(app, kParity, {"--json", "FILE"}, parity.json, "Write them as JSON");
}

}  // namespace

int run_parity(int argc, char** argv) {
  ParityOptions how;
  const auto parsed =
      parse_options(argc, argv, {kAboutParity, "contract_tests parity", kParityExamples},
                    [&how](CLI::App& app, Options&) { add_parity(app, how); });
  if (parsed.exit_code >= 0) {
    return parsed.exit_code;
  }
  if (parsed.options.base_url.empty() && how.from.empty()) {
    std::cerr << "contract_tests: parity needs --base-url URL of the service, or --from FILE with "
                 "calls to it; see contract_tests parity --help\n";
    return kUsage;
  }
  if (!runs_google_test(parsed.options, "parity")) {
    return kUsage;
  }
  std::signal(SIGPIPE, SIG_IGN);  // a connection closed by the server must not end the program
  const auto report = compare_parity(parsed.options, how);
  if (!how.markdown.empty()) {
    report::formats::write_file(how.markdown, parity::report_markdown(report));
  }
  if (!how.json.empty()) {
    report::formats::write_file(how.json,
                                spec::json::write_pretty(parity::report_json(report)) + '\n');
  }
  std::cout << parity::report_text(report) << std::flush;
  return report.exit;
}

}  // namespace contract_tests::program
