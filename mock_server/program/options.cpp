#include "mock_server/program/options.hpp"

#include "mock_server/program/data_root.hpp"
#include "mock_server/program/help.hpp"
#include "mock_server/run/allowed_calls.hpp"
#include "mock_server/transport/flags.hpp"
#include "spec/flags/config.hpp"
#include "spec/http/host.hpp"
#include "spec/load_error.hpp"
#include "spec/text/nearest.hpp"
#include "spec/text/number.hpp"
#include "spec/text/quote.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <arpa/inet.h>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <memory>
#include <netinet/in.h>
#include <string_view>
#include <system_error>

namespace mock_server::program {
namespace {

constexpr int kUsage = 2;

// Flags as they were given, before they are read further.
struct RawFlags {
  std::string contract;
  std::vector<std::string> fixtures;
  bool no_default_fixtures = false;
  std::string unknown_records = "reject";
  std::string examples = "valid";
  std::string rate_limit;
  std::int64_t session_idle = 3600;
  std::string log_format = "text";
  std::string log_level = "info";
};

constexpr std::uint64_t kKibibyte = 1024;

CLI::Validator whole(std::uint64_t min, std::uint64_t max) {
  return CLI::Validator(
      [min, max](const std::string& text) { return spec::text::why_not_whole(text, min, max); },
      "");
}

constexpr const char* kToServe = "What to serve";
constexpr const char* kBehaviour = "Behaviour";
constexpr const char* kControl = "Control API and sessions";
constexpr const char* kLog = "Log";
constexpr const char* kInstead = "Instead of serving";

void register_api_flags(CLI::App& app, RawFlags& flags, Options& options) {
  app.add_option("--contract", flags.contract,
                 "OpenAPI 3.0 or 3.1 document to serve, YAML or JSON (default: the payments "
                 "service's)")
      ->check(CLI::ExistingFile)
      ->type_name("FILE")
      ->group(kToServe);
  app.add_option("--fixtures", flags.fixtures,
                 "Folder of records, operations.yaml and scenarios. May be repeated: later folders "
                 "replace records by key. Without --contract it is read after the fixtures of the "
                 "payments service")
      ->check(CLI::ExistingDirectory)
      ->take_all()
      ->type_name("FOLDER")
      ->group(kToServe);
  app.add_flag("--no-default-fixtures", flags.no_default_fixtures,
               "Do not read the fixtures of the payments service")
      ->group(kToServe);
  app.add_flag("--document-only", options.api.document_only,
               "Serve only what the source document says; ignore every x-assumed part")
      ->group(kToServe);
  app.add_flag(
         "--tolerate", options.api.tolerate,
         "Start even if parts of the contract are not understood. Each is a warning; operations "
         "that depend on a $ref to nothing are left out, and what depends on another part is "
         "undecided")
      ->group(kToServe);
  app.add_flag("--watch", options.watch,
               "Reload contract, fixtures and certificates when a file changes, as SIGHUP does. "
               "After an error the last good version stays in use")
      ->group(kToServe);
}

void register_behaviour_flags(CLI::App& app, RawFlags& flags, Options& options) {
  app.add_option("--token", options.tokens,
                 "Token to accept; may be repeated. Replaces the credentials of the fixtures and "
                 "of DODO_PAYMENTS_API_KEY")
      ->take_all()
      ->type_name("TOKEN")
      ->group(kBehaviour);
  app.add_option("--unknown-records", flags.unknown_records,
                 "Response for a key that has no record: 404 (reject) or the example (sample)")
      ->check(CLI::IsMember({"reject", "sample"}))
      ->capture_default_str()
      ->type_name("reject|sample")
      ->group(kBehaviour);
  app.add_option("--examples", flags.examples,
                 "For an example that violates its own schema, send a generated one and a warning "
                 "(valid), or send it as it is (as-written)")
      ->check(CLI::IsMember({"valid", "as-written"}))
      ->capture_default_str()
      ->type_name("valid|as-written")
      ->group(kBehaviour);
  app.add_flag("--strict-query", options.strict_query,
               "Reject undeclared query parameters with 422 (default: name them in "
               "X-Counterpart-Warning)")
      ->group(kBehaviour);
  app.add_option("--rate-limit", flags.rate_limit,
                 "Answer 429 after COUNT requests of one caller to one operation in SECONDS")
      ->type_name("COUNT/SECONDS")
      ->group(kBehaviour);
  app.add_option("--seed", options.seed, "Seed of generated examples and of chance")
      ->check(spec::text::why_no_seed)
      ->capture_default_str()
      ->type_name("N")
      ->group(kBehaviour);
}

void register_control_flags(CLI::App& app, RawFlags& flags, Options& options) {
  app.add_option("--control-token", options.control_token,
                 "Token that every caller of /_mock/ must send (default: only callers on this "
                 "machine may call)")
      ->envname("COUNTERPART_CONTROL_TOKEN")
      ->type_name("TOKEN")
      ->group(kControl);
  app.add_flag("--open-control", options.open_control,
               "Let every caller use /_mock/ without a token, from other machines too")
      ->group(kControl);
  app.add_option("--journal-bytes", options.journal_bytes, "Size of the journal of requests")
      ->check(whole(64 * kKibibyte, 1024 * 1024 * kKibibyte))
      ->capture_default_str()
      ->type_name("N")
      ->group(kControl);
  app.add_option("--max-sessions", options.sessions.sessions,
                 "Max number of sessions; a new one replaces the one that was idle longest")
      ->check(whole(1, 1'000'000))
      ->capture_default_str()
      ->type_name("N")
      ->group(kControl);
  app.add_option("--session-idle", flags.session_idle,
                 "Delete a session after so many seconds without a request; 0: never")
      ->check(whole(0, 31'536'000))
      ->capture_default_str()
      ->type_name("SECONDS")
      ->group(kControl);
  app.add_option("--session-bytes", options.sessions.bytes, "Max size of all sessions together")
      ->check(whole(64 * kKibibyte, 16 * 1024 * 1024 * kKibibyte))
      ->capture_default_str()
      ->type_name("N")
      ->group(kControl);
}

void register_log_flags(CLI::App& app, RawFlags& flags, Options& options) {
  app.add_flag("--quiet", options.quiet, "Do not log requests")->group(kLog);
  app.add_option("--log-format", flags.log_format, "Log lines as text, or as JSON objects")
      ->check(CLI::IsMember({"text", "json"}))
      ->capture_default_str()
      ->type_name("text|json")
      ->group(kLog);
  app.add_option("--log-level", flags.log_level,
                 "Min level to log: debug (also requests of the control API), info, warn, error or "
                 "off")
      ->check(CLI::IsMember({"debug", "info", "warn", "error", "off"}))
      ->capture_default_str()
      ->type_name("LEVEL")
      ->group(kLog);
}

// `run`: what follows "--" is the command's and never reaches the parser.
CLI::App* register_run(CLI::App& app, RunOptions& run) {
  CLI::App* const sub =
      app.add_subcommand("run",
                         "Serve on a free port, run COMMAND with MOCK_URL, TEST_API_BASE_URL and "
                         "DODO_PAYMENTS_BASE_URL set, report what it called; see run --help");
  sub->fallthrough();
  sub->group("Subcommands");
  sub->add_option(
         "--allow", run.allowed,
         "Call that does not fail the run, also where the contract has no such operation: "
         "METHOD /path, with * at the end for any text; may be repeated. What browsers ask "
         "for by themselves (/favicon.ico) is ignored")
      ->check(run::why_no_call, "")
      ->take_all()
      ->type_name("CALL");
  sub->add_option("--min-coverage", run.min_coverage,
                  "Fail if less than so many percent of the contract were exercised")
      ->check([](const std::string& text) { return spec::text::why_not_between(text, 0, 100); }, "")
      ->type_name("PERCENT");
  sub->add_option("--junit", run.junit, "Write the report as JUnit XML to this file, too")
      ->type_name("FILE");
  return sub;
}

void register_mode_flags(CLI::App& app, Options& options) {
  app.add_flag("--check", options.check,
               "Validate contract, examples and fixtures, print every problem, exit")
      ->group(kInstead)
      ->configurable(false);
  app.add_flag("--list-assumptions", options.list_assumptions,
               "Print what the contract assumes beyond its source document, exit")
      ->group(kInstead)
      ->configurable(false);
  app.set_version_flag("--version", "mock_server " COUNTERPART_VERSION, "Print the version, exit")
      ->group(kInstead);
  app.set_help_flag("--help,-h", "Print this help, exit")->group(kInstead);
}

void register_all(CLI::App& app, RawFlags& flags, Options& options) {
  register_api_flags(app, flags, options);
  register_behaviour_flags(app, flags, options);
  transport::register_address_flags(app, options.listener);
  register_control_flags(app, flags, options);
  register_log_flags(app, flags, options);
  register_mode_flags(app, options);
  transport::register_limit_flags(app, options.listener);
  spec::flags::add_config_flags(app);
  app.formatter(std::make_shared<HelpFormatter>());
  app.footer(
      "Examples:\n"
      "  mock_server                                  serve the payments service on port 4010\n"
      "  mock_server --contract api.yaml --watch      serve another API, reload on changes\n"
      "  mock_server run --min-coverage 80 -- npm test\n"
      "                                               run tests against the mock on a free port");
}

// Without --contract: the shipped contract, and the shipped fixtures before the given ones, unless
// they are given too or switched off. Another contract does not use the shipped fixtures.
void find_data(const RawFlags& flags, Options& options) {
  options.api.contract = flags.contract;
  options.api.folders.assign(flags.fixtures.begin(), flags.fixtures.end());
  if (!flags.contract.empty()) {
    return;
  }
  const auto root = find_data_root(executable_path());
  if (!root) {
    throw spec::LoadError(
        spec::Problem{"", 0, 0, "",
                      "cannot find the payments contract (spec/payments.openapi.yaml) beside the "
                      "program or in a folder above it; name a contract with --contract FILE"});
  }
  options.api.contract = *root / "spec" / "payments.openapi.yaml";
  const auto shipped = *root / "fixtures";
  const auto is_shipped = [&shipped](const std::filesystem::path& folder) {
    std::error_code error;
    return std::filesystem::equivalent(folder, shipped, error);
  };
  if (!flags.no_default_fixtures && std::ranges::none_of(options.api.folders, is_shipped)) {
    options.api.folders.insert(options.api.folders.begin(), shipped);
  }
}

int report(const std::string& message) {
  std::cerr << "mock_server: " << message << "\nRun with --help for all flags.\n";
  return kUsage;
}

}  // namespace

std::optional<state::RateLimit> parse_rate_limit(const std::string& text) {
  const std::size_t slash = text.find('/');
  if (slash == std::string::npos) {
    return std::nullopt;
  }
  const std::string_view whole = text;
  const auto count = spec::text::parse_number<std::uint64_t>(whole.substr(0, slash));
  const auto seconds = spec::text::parse_number<std::uint64_t>(whole.substr(slash + 1));
  constexpr std::uint64_t kMaxWindow = 31'536'000;
  if (!count || !seconds || *seconds == 0 || *seconds > kMaxWindow) {
    return std::nullopt;
  }
  return state::RateLimit{*count, std::chrono::seconds(*seconds)};
}

namespace {

// Whether the host looks like an IP address (digits and dots, or a colon) and is none.
bool is_broken_address(const std::string& host) {
  if (host.starts_with("unix:") || host.find_first_of("[%") != std::string::npos) {
    return false;
  }
  if (host.find(':') != std::string::npos) {
    in6_addr address{};
    return inet_pton(AF_INET6, host.c_str(), &address) != 1;
  }
  in_addr address{};
  return !host.empty() && host.find_first_not_of("0123456789.") == std::string::npos &&
         inet_aton(host.c_str(), &address) == 0;
}

// Reads what no flag's own check can. The first problem in words; "" if there is none.
std::string read_flags(const RawFlags& flags, Options& options) {
  if (!flags.rate_limit.empty()) {
    options.rate_limit = parse_rate_limit(flags.rate_limit);
    if (!options.rate_limit) {
      return "--rate-limit: must be COUNT/SECONDS, for example 5/60, but is " + flags.rate_limit;
    }
  }
  for (const std::string& token : options.tokens) {
    if (token.empty()) {
      return "--token: must not be empty";
    }
  }
  if (is_broken_address(options.listener.host)) {
    return "--host " + options.listener.host + ": is not a valid IP address";
  }
  if (!is_this_machine(options.listener.host) && options.control_token.empty() &&
      !options.open_control && !options.check && !options.list_assumptions) {
    return "--host " + options.listener.host +
           ": other machines could use the control API; protect it with --control-token, or allow "
           "that with --open-control";
  }
  options.log_format = *parse_log_format(flags.log_format);
  options.log_level = *parse_log_level(flags.log_level);
  if (const char* const token = std::getenv("DODO_PAYMENTS_API_KEY")) {
    options.environment_token = token;
  }
  options.unknown_records_are_samples = flags.unknown_records == "sample";
  options.examples_as_written = flags.examples == "as-written";
  return "";
}

// Cuts off the command of `run -- COMMAND...` before CLI11 reads the arguments: the flags in it are
// not ours.
std::vector<std::string> cut_command(int& count, char** argv) {
  bool runs = false;
  for (int at = 1; at < count; ++at) {
    const std::string_view argument = argv[at];
    runs = runs || argument == "run";
    if (runs && argument == "--") {
      std::vector<std::string> command(argv + at + 1, argv + count);
      count = at;
      return command;
    }
  }
  return {};
}

constexpr const char* kNoCommand =
    "run: put -- and the command at the end, for example: mock_server run -- npm test";

// The words of `mock_server run npm test` with "--" before the first that is not the mock's.
std::string with_dashes(std::vector<std::string> words, const std::string& first) {
  words.insert(std::ranges::find(std::ranges::find(words, "run"), words.end(), first), "--");
  for (std::string& word : words) {
    if (word.find(' ') != std::string::npos) {
      word.insert(0, 1, '\'').push_back('\'');
    }
  }
  return "mock_server " + spec::text::join(words, " ");
}

// What is wrong with the first argument that no flag takes. `words` are all arguments.
std::string describe_extra(const CLI::App& app, const CLI::App& run_command,
                           const std::vector<std::string>& words) {
  const std::vector<std::string> extra = app.remaining(true);
  const std::string given = extra.front().substr(0, extra.front().find('='));
  if (!given.starts_with('-')) {
    return run_command.parsed()
               ? "run: put -- before the command: " + with_dashes(words, extra.front())
               : "unexpected argument " + spec::text::in_quotes(given);
  }
  std::vector<std::string> names;
  for (const CLI::App* const part : {&app, &run_command}) {
    for (const CLI::Option* const option : part->get_options()) {
      names.push_back(option->get_name());
    }
  }
  return spec::text::unknown_flag(given, {names.begin(), names.end()});
}

void choose_run(const CLI::App& app, RunOptions run, std::vector<std::string> command,
                Options& options) {
  run.command = std::move(command);
  options.run = std::move(run);
  if (app.count("--port") == 0) {
    options.listener.port = 0;
  }
  // The output of the command matters most: requests are logged only on demand.
  options.quiet = options.quiet || app.count("--log-level") == 0;
}

}  // namespace

bool is_this_machine(const std::string& host) {
  return spec::http::is_loopback_host(host) || host.starts_with("unix:");
}

Parsed parse_command_line(int count, char** argv) {
  CLI::App app{
      "mock_server plays the service that a contract describes: the payments service, or any other "
      "OpenAPI document.",
      "mock_server"};
  Options options;
  RawFlags flags;
  register_all(app, flags, options);
  RunOptions run;
  const CLI::App* const run_command = register_run(app, run);
  std::vector<std::string> command = cut_command(count, argv);
  try {
    app.parse(count, argv);
  } catch (const CLI::Success& success) {
    return {std::nullopt, app.exit(success)};
  } catch (const CLI::ExtrasError&) {
    return {std::nullopt, report(describe_extra(app, *run_command, {argv + 1, argv + count}))};
  } catch (const CLI::ParseError& error) {
    return {std::nullopt, report(error.what())};
  }
  if (run_command->parsed()) {
    if (command.empty()) {
      return {std::nullopt, report(kNoCommand)};
    }
    choose_run(app, std::move(run), std::move(command), options);
  }
  if (const std::string problem = read_flags(flags, options); !problem.empty()) {
    return {std::nullopt, report(problem)};
  }
  options.sessions.idle = std::chrono::seconds(flags.session_idle);
  find_data(flags, options);
  return {std::move(options), 0};
}

}  // namespace mock_server::program
