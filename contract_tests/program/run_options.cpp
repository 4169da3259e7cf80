#include "contract_tests/program/run_options.hpp"

#include "contract_tests/program/command_line.hpp"
#include "contract_tests/report/formats/report_files.hpp"
#include "spec/process/program_flags.hpp"
#include "spec/text/ascii.hpp"
#include "spec/text/quote.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <iostream>
#include <string>
#include <string_view>
#include <vector>

namespace contract_tests::program {

namespace {

// The groups of --help, in its order.
constexpr const char* kTarget = "What to test";
constexpr const char* kBasis = "What to test it against";
constexpr const char* kConsent = "What the run may do to a service";
constexpr const char* kPace = "How fast and how long";
constexpr const char* kBaseline = "What is known already";
constexpr const char* kOutput = "What to print and write";

using spec::process::one_of;
using spec::process::whole;

void add_target(CLI::App& app, Options& options) {
  add(app, kTarget, {"--base-url", "URL"}, options.base_url,
      "Server to test (default: TEST_API_BASE_URL, else the mock server is started)")
      ->envname("TEST_API_BASE_URL");
  add(app, kTarget, {"--token", "TOKEN"}, options.token,
      "Bearer token (default: DODO_PAYMENTS_API_KEY, which other users cannot see in the process "
      "list)");
  add(app, kTarget, {"--other-token", "TOKEN"}, options.other_token,
      "Token of another account, to test that it does not give access");
  add(app, kTarget, {"--subjects", "FILE"}, options.subjects,
      "YAML file with the identifiers of the service that the cases use; see contract_tests "
      "--print-subjects");
  add(app, kTarget, {"--ca-file,--cacert", "FILE"}, options.ca_file,
      "PEM file of certificates to trust besides the system's");
  add(app, kTarget, {"--fixtures", "DIR"}, options.fixtures,
      "Fixtures of the mock server that is started; may be repeated")
      ->take_all()
      ->check(CLI::ExistingPath);
}

void add_basis(CLI::App& app, Options& options) {
  add(app, kBasis, {"--contract", "FILE"}, options.contract,
      "OpenAPI 3.0 to 3.2 document; may be given as the first argument alone (default: the "
      "payments "
      "API)");
  add(app, kBasis, {"--rules", "FILE"}, options.rules,
      "YAML file of rules beyond the schema, by operation id, instead of the payments API's; "
      "copy that file to add to it");
  add(app, kBasis, {"--cases", "DIR"}, options.cases,
      "Folder of hand-written cases in YAML, instead of the payments API's; copy that folder "
      "to add to it");
  add(app, kBasis, {"--severities", "FILE"}, options.severities,
      "YAML file that makes violations errors, warnings or notes, or turns rules off");
  add_flag(app, kBasis, "--document-only", options.document_only,
           "Test only what the source document states, without the assumptions");
  add_flag(app, kBasis, "--tolerate", options.tolerate,
           "Start although parts of the contract are not understood; print a warning for each, "
           "leave out operations that depend on a $ref to nothing, and make the other cases that "
           "depend on such parts inconclusive");
  add(app, kBasis, {"--seed", "N"}, options.seed, "Seed of the generated requests (default 1)")
      ->check(spec::text::seed_error);
}

void add_consent(CLI::App& app, Options& options) {
  add_flag(app, kConsent, "--allow-writes", options.allow_writes,
           "Change the records that --subjects names and restore them; create records, change and "
           "delete those, and remove them; requests that cannot be undone are not sent");
  add(app, kConsent, {"--allow-writes-to", "OPERATION"}, options.writes_to,
      "Send this operation's requests also where they cannot be undone; its id, or \"DELETE "
      "/todos/{id}\"; may be repeated")
      ->take_all();
  add_flag(app, kConsent, "--sandbox", options.sandbox,
           "Send every operation of the contract: everything on the server may be changed or lost");
  add_flag(app, kConsent, "--allow-live", options.allow_live,
           "Test a production host, or use a live token");
  add_flag(app, kConsent, "--allow-probes", options.allow_probes,
           "Send methods that the contract does not have, for identifiers that do not exist");
  add_flag(app, kConsent, "--allow-burst", options.allow_burst,
           "Send many requests at once to test the rate limit");
}

void add_pace(CLI::App& app, Options& options) {
  add(app, kPace, {"--jobs", "N"}, options.jobs,
      "Run N cases at the same time, 1 to 64 (default 1)")
      ->check(whole(1, 64));
  add(app, kPace, {"--repeat", "N"}, options.repeat,
      "Run each case N times; mixed results are reported as flaky (default 1)")
      ->check(whole(1, 1000));
  add(app, kPace, {"--rate", "N"}, options.rate,
      "Send at most N requests a second (default: no limit)")
      ->check(
          [](const std::string& text) { return spec::text::bounds_error(text, 0.01, 100'000); });
  add(app, kPace, {"--max-requests", "N"}, options.max_requests,
      "Send at most N requests, spread over all operations (default: no limit)")
      ->check(whole(1, 100'000'000));
  add(app, kPace, {"--deadline", "SECONDS"}, options.deadline_s,
      "End the run after this time, 0 for no limit (default 600)")
      ->check(whole(0, 1'000'000));
  add(app, kPace, {"--max-wait", "SECONDS"}, options.max_wait_s,
      "Wait at most this long in all when the server asks to (429, 503); after that the cases are "
      "inconclusive (default 30)")
      ->check(whole(0, 1'000'000));
  add(app, kPace, {"--timeout", "SECONDS"}, options.timeout_s,
      "Wait at most this long for a response, up to 3600 (default 60)")
      ->check(whole(1, 3600));
}

void add_baseline(CLI::App& app, Options& options) {
  add(app, kBaseline, {"--baseline", "FILE"}, options.baseline,
      "YAML file of known findings, which do not fail the run until the day that each names; all "
      "others do");
  add_flag(app, kBaseline, "--baseline-write", options.baseline_write,
           "Add the new findings of this run to that file, for the runs after it; needs "
           "--baseline-reason and --baseline-owner");
  add(app, kBaseline, {"--baseline-reason", "WORDS"}, options.baseline_reason,
      "Why the findings that are written are accepted");
  add(app, kBaseline, {"--baseline-owner", "NAME"}, options.baseline_owner,
      "Who fixes the findings that are written");
  add(app, kBaseline, {"--baseline-days", "N"}, options.baseline_days,
      "Accept no entry for more than N days from today; those that are written get as many "
      "(default 90)")
      ->check(whole(1, 3650));
  add_flag(app, kBaseline, "--baseline-prune", options.baseline_prune,
           "Drop the entries from that file that are fixed or no longer stated by the contract");
  add_flag(app, kBaseline, "--baseline-strict", options.baseline_strict,
           "Fail while the file has entries that are fixed");
}

void add_output(CLI::App& app, Options& options) {
  add(app, kOutput, {"--filter", "PATTERNS"}, options.filter,
      "Run only the cases whose names fit, as --gtest_filter does: PATTERN:PATTERN-EXCEPT, where * "
      "is any text; --list prints the names");
  add(app, kOutput, {"--last-failed", "RUN"}, options.last_failed,
      "Run only the cases that failed or were inconclusive in this run.json");
  std::string files;
  for (const auto& [name, text, says] : report::formats::report_files()) {
    spec::text::append_to_list(files, std::string(name) + " (" + std::string(says) + ')');
  }
  add(app, kOutput, {"--report", "DIR"}, options.report,
      ("Write into this folder: " + files).c_str());
  add(app, kOutput, {"--annotate", "WHERE"}, options.annotate,
      "Show findings in the pull request: github (commands on standard output, and the job's "
      "summary), gitlab (gl-code-quality-report.json), auto for the one that runs this, none "
      "(default)")
      ->check(one_of(kCodeHosts));
  add(app, kOutput, {"--min-coverage", "PERCENT"}, options.min_coverage,
      "End with exit code 3 when less of the contract was covered (default 0)")
      ->check([](const std::string& text) { return spec::text::bounds_error(text, 0, 100); });
  add(app, kOutput, {"--fail-on", "SEVERITY"}, options.fail_on,
      "Fail for findings of at least this severity: error (default), warning, note; never: end "
      "with "
      "exit code 0 whatever is found")
      ->check(one_of({"error", "warning", "note", "never"},
                     "; for new findings only: --baseline FILE, or compare --fail-on new"));
  add_flag(app, kOutput, "--verbose", options.verbose,
           "Print GoogleTest's line for every case, not only failures and the summary");
  add_flag(app, kOutput, "--dry-run", options.dry_run,
           "Print the requests of each case, send nothing, exit")
      ->configurable(false);
  add_flag(app, kOutput, "--list", options.list,
           "Print the name of every case with its rule and source, exit")
      ->configurable(false);
  add_flag(app, kOutput, "--print-subjects", options.print_subjects,
           "Print a subjects file for this contract to fill in, with --base-url with values that "
           "the server's lists have, exit")
      ->configurable(false);
  add_flag(app, kOutput, "--print-rules", options.print_rules,
           "Print what the contract suggests for its lists (pages, totals, filters, order) as a "
           "file for --rules, exit")
      ->configurable(false);
  app.set_version_flag("--version", "contract_tests " COUNTERPART_VERSION,
                       "Print the version, exit")
      ->group(kOutput);
  app.set_help_flag("-h,--help", "Print this text, exit")->group(kOutput);
}

bool environment_is_usable() {
  const char* url = std::getenv("TEST_API_BASE_URL");
  if (url != nullptr && *url == '\0') {
    std::cerr << "contract_tests: TEST_API_BASE_URL must not be empty; set it to the server's URL, "
                 "or unset it "
                 "to test the mock server\n";
    return false;
  }
  return true;
}

// A line break at the end comes from reading a file; one inside would start another header.
bool strip_token(std::string& token, std::string_view flag) {
  while (token.ends_with('\n') || token.ends_with('\r')) {
    token.pop_back();
  }
  const bool sendable = std::ranges::none_of(token, [](char letter) {
    return static_cast<unsigned char>(letter) < 0x20 || letter == 0x7f;
  });
  if (!sendable) {
    std::cerr << "contract_tests: " << flag
              << " must not contain a line break or a control character\n";
  }
  return sendable;
}

// GoogleTest's flags are for GoogleTest, and the first argument without a flag is the contract;
// anything else that is left over is a mistake.
bool take_extras(const CLI::App& app, const std::vector<std::string>& arguments, Options& options) {
  bool has_contract = false;
  for (const auto& extra : app.remaining()) {
    if (extra.starts_with("--gtest_")) {
      options.gtest_arguments.push_back(extra);
      continue;
    }
    const auto why = has_contract || extra.starts_with('-')
                         ? describe_extra(app, extra)
                         : spec::process::why_no_contract(extra, arguments, command_names());
    if (!why.empty()) {
      std::cerr << "contract_tests: " << why << "; see --help\n";
      return false;
    }
    options.contract = extra;
    has_contract = true;
  }
  return true;
}

void add_flags_of_run(CLI::App& app, Options& options) {
  app.allow_extras();
  app.get_formatter()->column_width(32);
  add_target(app, options);
  add_basis(app, options);
  add_consent(app, options);
  add_pace(app, options);
  add_baseline(app, options);
  add_output(app, options);
}

void parse(CLI::App& app, int argc, char** argv, ParsedOptions& parsed) {
  auto& options = parsed.options;
  options.gtest_arguments.emplace_back(argv[0]);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    parsed.exit_code = error.get_exit_code() == 0
                           ? app.exit(error)
                           : print_usage_error(app, {argv, argv + argc}, error);
    return;
  }
  const bool reads_url = !app.get_option("--base-url")->get_envname().empty();
  if (!none_is_empty(app) || (reads_url && !environment_is_usable()) ||
      !take_extras(app, {argv + 1, argv + argc}, options)) {
    parsed.exit_code = kUsage;
  }
  options.names_seed = app.get_option_no_throw("--seed") != nullptr && app.count("--seed") > 0;
  if (!options.filter.empty()) {
    options.gtest_arguments.push_back("--gtest_filter=" + options.filter);
  }
  if (!take_key_of_environment(options) || !strip_token(options.other_token, "--other-token")) {
    parsed.exit_code = kUsage;
  }
}

}  // namespace

bool Options::wants_listing() const {
  static constexpr std::array<std::string_view, 7> kOfOutput{
      "--gtest_output",     "--gtest_color",      "--gtest_brief",
      "--gtest_print_time", "--gtest_print_utf8", "--gtest_stream_result_to",
      "--gtest_list_tests"};
  return verbose || std::ranges::any_of(gtest_arguments, [](const std::string& argument) {
           return std::ranges::any_of(
               kOfOutput, [&argument](auto flag) { return argument.starts_with(flag); });
         });
}

bool take_key_of_environment(Options& options) {
  const char* key = std::getenv("DODO_PAYMENTS_API_KEY");
  if (options.token.empty() && !options.base_url.empty() && key != nullptr) {
    options.token = key;
    options.is_token_of_environment = true;
  }
  return strip_token(options.token, "the token");
}

ParsedOptions parse_options(int argc, char** argv, const CommandHelp& about,
                            const AddOwnFlags& add_own) {
  ParsedOptions parsed;
  CLI::App app{about.text, about.name};
  add_flags_of_run(app, parsed.options);
  spec::process::add_config_flags(app, {{"--token", "DODO_PAYMENTS_API_KEY"}});
  app.footer(about.footer);
  if (add_own) {
    add_own(app, parsed.options);
  }
  parse(app, argc, argv, parsed);
  return parsed;
}

bool runs_google_test(const Options& options, const std::string& command) {
  if (options.gtest_arguments.size() < 2) {
    return true;
  }
  std::cerr << "contract_tests: " << command << " runs no GoogleTest; leave out "
            << options.gtest_arguments.back() << "; see contract_tests " << command << " --help\n";
  return false;
}

}  // namespace contract_tests::program
