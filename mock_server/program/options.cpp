#include "mock_server/program/options.hpp"

#include "mock_server/program/data_root.hpp"
#include "mock_server/transport/flags.hpp"
#include "spec/http/host.hpp"
#include "spec/load_error.hpp"
#include "spec/text/number.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <arpa/inet.h>
#include <cstdlib>
#include <filesystem>
#include <netinet/in.h>
#include <string_view>
#include <system_error>

namespace mock_server::program {
namespace {

constexpr int kUsage = 2;

// What flags say in words that need reading.
struct Words {
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

void register_api_flags(CLI::App& app, Words& words, Options& options) {
  app.add_option("--contract", words.contract,
                 "OpenAPI 3.0 or 3.1 document to play, YAML or JSON; the payments service's when "
                 "left out")
      ->check(CLI::ExistingFile);
  app.add_option("--fixtures", words.fixtures,
                 "Folder of records and operations.yaml, read after those of the payments service "
                 "(which are left out with --contract); may be given several times, later ones "
                 "replace records by key")
      ->check(CLI::ExistingDirectory)
      ->take_all();
  app.add_flag("--no-default-fixtures", words.no_default_fixtures,
               "Leave the fixtures of the payments service out: only the folders of --fixtures");
  app.add_flag("--document-only", options.api.document_only,
               "Play only what the source document says: leave out what is assumed");
  app.add_flag("--tolerate", options.api.tolerate,
               "Start although parts of the contract are not understood: each is a warning, and "
               "requests and responses that rest on it are undecided");
  app.add_option("--unknown-records", words.unknown_records,
                 "What a key without a record gives: reject (404) or sample (the example)")
      ->check(CLI::IsMember({"reject", "sample"}))
      ->capture_default_str();
  app.add_option("--examples", words.examples,
                 "What becomes of a contract's example that violates its own schema: valid (a "
                 "generated one is sent in its place, with a warning) or as-written (it is sent)")
      ->check(CLI::IsMember({"valid", "as-written"}))
      ->capture_default_str();
  app.add_flag(
      "--strict-query", options.strict_query,
      "Reject query parameters that the operation does not have (422); without it they are "
      "named in X-Counterpart-Warning");
  app.add_option("--seed", options.seed, "Seed of everything that is made up")
      ->check(spec::text::why_no_seed)
      ->capture_default_str();
}

void register_service_flags(CLI::App& app, Words& words, Options& options) {
  app.add_option("--token", options.tokens,
                 "Bearer token to take; may be given several times. Without it, those that the "
                 "fixtures name and that of DODO_PAYMENTS_API_KEY")
      ->take_all();
  app.add_option("--control-token", options.control_token,
                 "Token that every caller of /_mock/ must show; without it only callers on this "
                 "machine may call")
      ->envname("COUNTERPART_CONTROL_TOKEN");
  app.add_option("--rate-limit", words.rate_limit,
                 "COUNT/SECONDS: 429 after COUNT requests of one caller to one operation");
  app.add_option("--journal-bytes", options.journal_bytes, "Size of the journal of requests")
      ->check(CLI::Range(std::size_t{64} * 1024, std::size_t{1024} * 1024 * 1024))
      ->capture_default_str();
  app.add_flag("--open-control", options.open_control,
               "Let every caller use /_mock/ without a token, also from other machines");
  app.add_flag("--watch", options.watch,
               "Load contract, fixtures and certificates anew when a file changes, as SIGHUP does; "
               "what is broken is reported and the last good ones go on being served");
}

void register_session_flags(CLI::App& app, Words& words, Options& options) {
  app.add_option("--max-sessions", options.sessions.sessions,
                 "Sessions at a time; the one that was idle longest makes room for a new one")
      ->check(CLI::Range(std::size_t{1}, std::size_t{1'000'000}))
      ->capture_default_str();
  app.add_option("--session-idle", words.session_idle,
                 "Seconds after which a session that nobody uses is gone; 0: never")
      ->check(CLI::Range(std::int64_t{0}, std::int64_t{31'536'000}))
      ->capture_default_str();
  app.add_option("--session-bytes", options.sessions.bytes,
                 "Bytes that all sessions together may take")
      ->check(CLI::Range(std::size_t{64} * 1024, std::size_t{16} * 1024 * 1024 * 1024))
      ->capture_default_str();
}

void register_log_flags(CLI::App& app, Words& words, Options& options) {
  app.add_flag("--quiet", options.quiet, "No log line for each request");
  app.add_option("--log-format", words.log_format, "Log lines as text, or json, one object each")
      ->check(CLI::IsMember({"text", "json"}))
      ->capture_default_str();
  app.add_option("--log-level", words.log_level,
                 "The least that is logged: debug (the control API's requests, too), info, warn, "
                 "error or off")
      ->check(CLI::IsMember({"debug", "info", "warn", "error", "off"}))
      ->capture_default_str();
}

// `run`: the words after "--" are the command's and never reach the parser.
CLI::App* register_run(CLI::App& app, RunOptions& run) {
  CLI::App* const sub = app.add_subcommand(
      "run",
      "run [FLAGS] -- COMMAND...: serves on a free port, runs the command with MOCK_URL, "
      "TEST_API_BASE_URL and DODO_PAYMENTS_BASE_URL set, and reports what it called");
  sub->fallthrough();
  sub->add_option("--min-coverage", run.min_coverage,
                  "Percent of the contract that must have been exercised, else the run fails")
      ->check([](const std::string& text) { return spec::text::why_not_between(text, 0, 100); },
              "FLOAT in [0 - 100]");
  sub->add_option("--junit", run.junit, "Write the report as JUnit XML to this file, too");
  return sub;
}

void register_mode_flags(CLI::App& app, Options& options) {
  app.add_flag(
      "--check", options.check,
      "Print what was found and every problem of contract, examples and fixtures, and exit; it "
      "says which of them a start only warns of");
  app.add_flag("--list-assumptions", options.list_assumptions,
               "Print what the contract assumes beyond its source, and exit");
  app.set_version_flag("--version", "mock_server " COUNTERPART_VERSION,
                       "Print the version and exit");
  app.set_help_flag("--help,-h", "Print this and exit");
}

// The program's own contract where no flag names one, and its own fixtures before the caller's,
// unless the caller names them too or wants none of them. A contract of the caller's own is not
// played by our fixtures.
void find_data(const Words& words, Options& options) {
  options.api.contract = words.contract;
  options.api.folders.assign(words.fixtures.begin(), words.fixtures.end());
  if (!words.contract.empty()) {
    return;
  }
  const auto root = find_data_root(executable_path());
  if (!root) {
    throw spec::LoadError(
        spec::Problem{"", 0, 0, "",
                      "the payments contract is neither beside the program nor above it: name one "
                      "with --contract FILE"});
  }
  options.api.contract = *root / "spec" / "payments.openapi.yaml";
  const auto shipped = *root / "fixtures";
  const auto is_shipped = [&shipped](const std::filesystem::path& folder) {
    std::error_code error;
    return std::filesystem::equivalent(folder, shipped, error);
  };
  if (!words.no_default_fixtures && std::ranges::none_of(options.api.folders, is_shipped)) {
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

// Of digits and dots, or with a colon, and yet no address.
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

// What cannot be said by a flag's own check. Words for the first thing that is wrong; "" for
// nothing.
std::string read_words(const Words& words, Options& options) {
  if (!words.rate_limit.empty()) {
    options.rate_limit = parse_rate_limit(words.rate_limit);
    if (!options.rate_limit) {
      return "--rate-limit: must be COUNT/SECONDS, say 5/60, but is " + words.rate_limit;
    }
  }
  for (const std::string& token : options.tokens) {
    if (token.empty()) {
      return "--token: must not be empty";
    }
  }
  if (is_broken_address(options.listener.host)) {
    return "--host " + options.listener.host + ": is no address";
  }
  if (!is_this_machine(options.listener.host) && options.control_token.empty() &&
      !options.open_control && !options.check && !options.list_assumptions) {
    return "--host " + options.listener.host +
           ": other machines could reach the control API; protect it with --control-token, or say "
           "--open-control";
  }
  options.log_format = *parse_log_format(words.log_format);
  options.log_level = *parse_log_level(words.log_level);
  if (const char* const token = std::getenv("DODO_PAYMENTS_API_KEY")) {
    options.environment_token = token;
  }
  options.unknown_records_are_samples = words.unknown_records == "sample";
  options.examples_as_written = words.examples == "as-written";
  return "";
}

// The command of `run -- COMMAND...` is cut off before CLI11 sees the words: whatever is in it
// is not ours.
std::vector<std::string> cut_command(int& count, char** words) {
  bool runs = false;
  for (int at = 1; at < count; ++at) {
    const std::string_view word = words[at];
    runs = runs || word == "run";
    if (runs && word == "--") {
      std::vector<std::string> command(words + at + 1, words + count);
      count = at;
      return command;
    }
  }
  return {};
}

void choose_run(const CLI::App& app, RunOptions run, std::vector<std::string> command,
                Options& options) {
  run.command = std::move(command);
  options.run = std::move(run);
  if (app.count("--port") == 0) {
    options.listener.port = 0;
  }
  // The command's output is what its reader wants; requests are logged only on demand.
  options.quiet = options.quiet || app.count("--log-level") == 0;
}

}  // namespace

bool is_this_machine(const std::string& host) {
  return spec::http::is_loopback_host(host) || host.starts_with("unix:");
}

Parsed parse_command_line(int count, char** words_given) {
  CLI::App app{
      "mock_server plays a service from its contract: the five payments operations, or any other "
      "OpenAPI document.",
      "mock_server"};
  Options options;
  Words words;
  register_api_flags(app, words, options);
  register_service_flags(app, words, options);
  register_log_flags(app, words, options);
  transport::register_flags(app, options.listener);
  register_session_flags(app, words, options);
  register_mode_flags(app, options);
  RunOptions run;
  const CLI::App* const run_command = register_run(app, run);
  std::vector<std::string> command = cut_command(count, words_given);
  try {
    app.parse(count, words_given);
  } catch (const CLI::Success& success) {
    return {std::nullopt, app.exit(success)};
  } catch (const CLI::ParseError& error) {
    return {std::nullopt, report(error.what())};
  }
  if (run_command->parsed()) {
    if (command.empty()) {
      return {std::nullopt, report("run: a command must follow, after \"--\": mock_server run -- "
                                     "npm test")};
    }
    choose_run(app, std::move(run), std::move(command), options);
  }
  if (const std::string problem = read_words(words, options); !problem.empty()) {
    return {std::nullopt, report(problem)};
  }
  options.sessions.idle = std::chrono::seconds(words.session_idle);
  find_data(words, options);
  return {std::move(options), 0};
}

}  // namespace mock_server::program
