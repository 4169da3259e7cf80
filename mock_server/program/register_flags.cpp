#include "mock_server/program/register_flags.hpp"

#include "mock_server/program/record_command.hpp"
#include "mock_server/program/run_watch.hpp"
#include "mock_server/transport/listener.hpp"
#include "spec/process/program_flags.hpp"
#include "spec/text/ascii.hpp"
#include "spec/text/quote.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <sstream>
#include <string_view>
#include <utility>

namespace mock_server::program {
namespace {

constexpr std::size_t kNameColumns = 32;
constexpr std::size_t kTextColumns = 66;

// The subcommands' words, in the order in which the usage lists them.
constexpr std::array<std::pair<std::string_view, std::string_view>, 6> kUsages{
    {{"init", "init [CONTRACT] [--into FOLDER]"},
     {"types", "types [CONTRACT] [--fixtures FOLDER]"},
     {"run", "run [FLAGS] -- COMMAND..."},
     {"record", "record --from FILE --into FOLDER [FLAGS]"},
     {"state", "state export|import FILE --state sqlite:FILE [--session NAME]"},
     {"healthcheck", "healthcheck URL"}}};

constexpr std::uint64_t kKibibyte = 1024;
constexpr std::uint64_t kMaxSeedRecords = 1000;

using spec::process::one_of;
using spec::process::whole;

constexpr const char* kToServe = "What to serve";
constexpr const char* kBehaviour = "Behaviour";
constexpr const char* kControl = "Control API and sessions";
constexpr const char* kUpstream = "The real service behind the mock";
constexpr const char* kLog = "Log";
constexpr const char* kInstead = "Instead of serving";

void register_api_flags(CLI::App& app, RawFlags& flags, Options& options) {
  app.option_defaults()->group(kToServe);
  app.add_option("--contract", flags.contract,
                 "OpenAPI 3.0 to 3.2 document to serve, YAML or JSON; may be given as the first "
                 "argument alone (default: the payments service's)")
      ->check(spec::process::readable_file())
      ->type_name("FILE");
  app.add_option("--fixtures", flags.fixtures,
                 "Folder of records, operations.yaml and scenarios. May be repeated: later folders "
                 "replace records by key. Without --contract it is read after the fixtures of the "
                 "payments service")
      ->check(CLI::ExistingDirectory)
      ->take_all()
      ->type_name("FOLDER");
  app.add_flag(
      "--edit-fixtures", options.service.control.fixtures.may_edit,
      "Let the console and POST /_mock/fixtures write what a session changed into the last "
      "--fixtures folder");
  app.add_flag("--no-default-fixtures", flags.no_default_fixtures,
               "Do not read the fixtures of the payments service");
  app.add_flag("--document-only", options.api.document_only,
               "Serve only what the source document says; ignore every x-assumed part");
  app.add_flag(
      "--tolerate", options.api.tolerate,
      "Start even if parts of the contract are not understood. Each is a warning; operations "
      "that depend on a $ref to nothing are left out, and what depends on another part is "
      "undecided");
  app.add_flag("--watch", options.watch,
               "Reload contract, fixtures and certificates when a file changes, as SIGHUP does. "
               "After an error the last good version stays in use");
  app.add_flag("--until-stdin-closes", options.until_stdin_closes,
               "End when standard input closes: however the program that holds its other end ends, "
               "no mock is left behind");
}

void register_state_flags(CLI::App& app, RawFlags& flags) {
  app.option_defaults()->group(kBehaviour);
  app.add_flag("--stateless", flags.stateless,
               "Infer no behaviour: operations without a binding always send the contract's "
               "examples. Without it, what is posted is read, listed, changed and deleted where "
               "the contract shows how; --check says where");
  app.add_option("--seed-records", flags.seed_records,
                 "Start each inferred collection with so many records: of the contract's examples, "
                 "then generated ones. With 0, the contract's examples are sent until something is "
                 "created")
      ->check(whole(0, kMaxSeedRecords))
      ->default_str("3")
      ->type_name("COUNT");
}

void register_behaviour_flags(CLI::App& app, RawFlags& flags, Options& options) {
  app.option_defaults()->group(kBehaviour);
  app.add_option("--token", options.service.tokens,
                 "Token to accept; may be repeated. Replaces the credentials of the fixtures and "
                 "of DODO_PAYMENTS_API_KEY")
      ->take_all()
      ->type_name("TOKEN");
  app.add_option("--unknown-records", flags.unknown_records,
                 "Response for a key that has no record: 404 (reject) or the example (sample)")
      ->check(one_of({"reject", "sample"}))
      ->capture_default_str()
      ->type_name("reject|sample");
  app.add_option("--examples", flags.examples,
                 "For an example that violates its own schema, send a generated one and a warning "
                 "(valid), or send it as it is (as-written)")
      ->check(one_of({"valid", "as-written"}))
      ->capture_default_str()
      ->type_name("valid|as-written");
  app.add_flag("--strict-query", options.service.strict_query,
               "Reject undeclared query parameters with 422 (default: name them in "
               "X-Counterpart-Warning)");
  app.add_flag("--strict-preferences", options.service.strict_preferences,
               "Reject a preferred status that the operation does not declare with 404 (default: "
               "send it and say so in X-Counterpart-Warning)");
  app.add_option("--scenario", options.scenarios,
                 "Scenario to arm for every session, and after each reset: of the fixtures, or "
                 "slow, very_slow, flaky, outage, rate_limited_once, maintenance; may be repeated")
      ->take_all()
      ->type_name("NAME");
  app.add_option("--rate-limit", flags.rate_limit,
                 "Send 429 after COUNT requests of one caller to one operation in SECONDS")
      ->type_name("COUNT/SECONDS");
  app.add_option("--seed", options.service.control.seed, "Seed of generated examples and of chance")
      ->check(spec::text::seed_error)
      ->capture_default_str()
      ->type_name("N");
}

void register_control_flags(CLI::App& app, RawFlags& flags, Options& options) {
  app.option_defaults()->group(kControl);
  app.add_option("--control-token", options.service.control.token,
                 "Token that every caller of /_mock/ must send (default: only callers on this "
                 "machine may call)")
      ->check([](const std::string& token) { return token.empty() ? "must not be empty" : ""; })
      ->type_name("TOKEN");
  app.add_flag("--open-control", options.service.control.is_open,
               "Let every caller use /_mock/ without a token, from other machines too");
  app.add_option("--journal-bytes", options.journal_bytes, "Size of the journal of requests")
      ->check(whole(64 * kKibibyte, 1024 * 1024 * kKibibyte))
      ->capture_default_str()
      ->type_name("N");
  app.add_option("--journal-age", flags.journal_age,
                 "Forget requests after so many seconds by the machine's clock; 0: only when "
                 "the journal is full")
      ->check(whole(0, 31'536'000))
      ->capture_default_str()
      ->type_name("SECONDS");
  app.add_flag("--journal-secrets", options.journal_secrets,
               "With --upstream: keep secrets in journal, state file and log as they are");
  app.add_option("--state", flags.state,
                 "Keep sessions and journal in a file, so that the next start goes on with them: "
                 "sqlite:FILE; or in Redis, where all mocks of the same address share them: "
                 "redis://[:PASSWORD@]HOST[:PORT][/DB] (default: in memory, gone at the end)")
      ->type_name("PLACE");
  app.add_flag("--allow-eviction", options.allow_eviction,
               "Keep state also in a Redis that drops records when it is full (maxmemory-policy "
               "allkeys-...)");
  app.add_option("--max-sessions", options.sessions.sessions,
                 "Max number of sessions; a new one replaces the one that was idle longest")
      ->check(whole(1, 1'000'000))
      ->capture_default_str()
      ->type_name("N");
  app.add_option("--session-idle", flags.session_idle,
                 "Delete a session after so many seconds without a request; 0: never")
      ->check(whole(0, 31'536'000))
      ->capture_default_str()
      ->type_name("SECONDS");
  app.add_option("--session-bytes", options.sessions.bytes, "Max size of all sessions together")
      ->check(whole(64 * kKibibyte, 16 * 1024 * 1024 * kKibibyte))
      ->capture_default_str()
      ->type_name("N");
}

void register_log_flags(CLI::App& app, RawFlags& flags, Options& options) {
  app.option_defaults()->group(kLog);
  app.add_flag("--quiet", options.quiet, "Do not log requests");
  app.add_option("--log-format", flags.log_format, "Log lines as text, or as JSON objects")
      ->check(one_of({"text", "json"}))
      ->capture_default_str()
      ->type_name("text|json");
  app.add_option("--log-level", flags.log_level,
                 "Min level to log: debug (also requests of the control API), info, warn, error or "
                 "off")
      ->check(one_of({"debug", "info", "warn", "error", "off"}))
      ->capture_default_str()
      ->type_name("LEVEL");
}

void register_mode_flags(CLI::App& app, Options& options) {
  app.option_defaults()->group(kInstead);
  app.add_flag("--check", options.check,
               "Validate contract, examples and fixtures, print every problem, exit")
      ->configurable(false);
  app.add_flag("--list-assumptions", options.list_assumptions,
               "Print what the contract assumes beyond its source document, exit")
      ->configurable(false);
  app.set_version_flag("--version", "mock_server " COUNTERPART_VERSION, "Print the version, exit");
  app.set_help_flag("--help,-h", "Print this help, exit");
}

void register_upstream_flags(CLI::App& app, RawFlags& flags, Options& options) {
  app.option_defaults()->group(kUpstream);
  app.add_option("--upstream", flags.upstream,
                 "Pass requests on to the service at this URL and validate what it sends; proxies "
                 "are those of HTTP_PROXY, HTTPS_PROXY and NO_PROXY")
      ->type_name("URL");
  app.add_option("--mode", flags.mode,
                 "With --upstream: alter nothing (observe, the default), also write what is passed "
                 "on into --record-into (record), or let the mock respond where the service sends "
                 "what --fill-on lists (fill)")
      ->check(one_of({"observe", "record", "fill"}))
      ->type_name("MODE");
  app.add_option("--fill-on", flags.fill_on,
                 "With --mode fill: statuses of the service, 404-operation (a 404 that the "
                 "operation does not declare), connect-error, timeout; separated by commas")
      ->type_name("LIST");
  app.add_option("--upstream-ca", options.gateway.ca_file,
                 "Certificates (PEM) to trust besides the system's")
      ->check(CLI::ExistingFile)
      ->type_name("FILE");
  app.add_option_function<std::uint64_t>(
         "--upstream-timeout-ms",
         [&options](std::uint64_t wait) {
           options.gateway.exchange.wait = std::chrono::milliseconds(wait);
           options.gateway.connect =
               std::min(options.gateway.connect, options.gateway.exchange.wait);
         },
         "How long the service may send nothing (default: 30000)")
      ->check(whole(1, 3'600'000))
      ->type_name("MS");
}

// --body-bytes is COUNTERPART_BODY_BYTES, too. COUNTERPART_REPORT is a folder of scripts/ci/run.sh.
void name_variables(CLI::App& app) {
  for (CLI::Option* const option : app.get_options()) {
    if (option->get_configurable() && !option->get_lnames().empty() &&
        !option->check_lname("report")) {
      auto name = spec::text::to_upper(option->get_lnames().front());
      std::ranges::replace(name, '-', '_');
      option->envname("COUNTERPART_" + name);
    }
  }
}

// Formats --help: "--contract FILE", the default at the end of the description, lines of at
// most 100 columns.
class HelpFormatter final : public CLI::Formatter {
 public:
  HelpFormatter();

  std::string make_usage(const CLI::App* app, std::string name) const override;
  std::string make_subcommand(const CLI::App* sub) const override;
  std::string make_option_opts(const CLI::Option* option) const override;
  std::string make_option_desc(const CLI::Option* option) const override;
};

HelpFormatter::HelpFormatter() {
  column_width(kNameColumns);
}

std::string HelpFormatter::make_usage(const CLI::App* app, std::string name) const {
  const bool is_of_all = app->get_parent() == nullptr;
  std::string usage = is_of_all ? "Usage: " + name + " [CONTRACT] [FLAGS]\n" : "";
  for (const auto& [subcommand, words] : kUsages) {
    if (is_of_all || app->get_name() == subcommand) {
      usage.append(usage.empty() ? "Usage: mock_server " : "       mock_server ")
          .append(words)
          .append("\n");
    }
  }
  return usage;
}

std::string HelpFormatter::make_subcommand(const CLI::App* sub) const {
  std::ostringstream out;
  CLI::detail::format_help(out, "  " + sub->get_name(),
                           spec::text::wrapped(sub->get_description(), kTextColumns), kNameColumns);
  return out.str();
}

// CLI11 appends what validators check after a colon: "FILE:FILE".
std::string HelpFormatter::make_option_opts(const CLI::Option* option) const {
  if (option->get_type_size() == 0) {
    return "";
  }
  const std::string type = option->get_type_name();
  return ' ' + type.substr(0, type.find(':'));
}

std::string HelpFormatter::make_option_desc(const CLI::Option* option) const {
  std::string text = option->get_description();
  if (!option->get_default_str().empty()) {
    text += " (default " + option->get_default_str() + ')';
  }
  return spec::text::wrapped(text, kTextColumns);
}

}  // namespace

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
      ->check(why_no_call, "")
      ->take_all()
      ->type_name("CALL");
  sub->add_option("--min-coverage", run.min_coverage,
                  "Fail if less than so many percent of the contract were exercised")
      ->check([](const std::string& text) { return spec::text::bounds_error(text, 0, 100); }, "")
      ->type_name("PERCENT");
  sub->add_option("--junit", run.junit, "Write the report as JUnit XML to this file, too")
      ->type_name("FILE");
  sub->add_option("--report", run.report,
                  "Write console.html into this folder: every request with its explanation, "
                  "coverage and records, as a page that needs no server")
      ->type_name("FOLDER");
  name_variables(*sub);
  return sub;
}

void register_flags(CLI::App& app, RawFlags& flags, Options& options) {
  register_api_flags(app, flags, options);
  register_behaviour_flags(app, flags, options);
  register_state_flags(app, flags);
  register_upstream_flags(app, flags, options);
  register_live_record(app, flags.live_record);
  transport::register_address_flags(app, options.listener);
  register_control_flags(app, flags, options);
  register_log_flags(app, flags, options);
  register_mode_flags(app, options);
  app.option_defaults()->group("Options");
  transport::register_limit_flags(app, options.listener);
  name_variables(app);
  spec::process::add_config_flags(app);
  app.formatter(std::make_shared<HelpFormatter>());
  app.footer(
      "Examples:\n"
      "  mock_server                                  serve the payments service on port 4010\n"
      "  mock_server api.yaml --watch                 serve another API, reload on changes\n"
      "  mock_server init api.yaml                    write first fixtures for it into mock/\n"
      "  mock_server run --min-coverage 80 -- npm test\n"
      "                                               run tests against the mock on a free port\n"
      "  mock_server healthcheck http://127.0.0.1:4010\n"
      "                                               exit 0 if that mock is ready, else 1\n"
      "\n"
      "Every flag is a variable of the environment, too: COUNTERPART_PORT=4020 for --port 4020.");
}

}  // namespace mock_server::program
