#include "mock_server/program/program_options.hpp"

#include "mock_server/program/healthcheck.hpp"
#include "mock_server/program/init_command.hpp"
#include "mock_server/program/record_command.hpp"
#include "mock_server/program/register_flags.hpp"
#include "mock_server/program/state_command.hpp"
#include "mock_server/program/types_command.hpp"
#include "mock_server/state/session_clock.hpp"
#include "spec/load_error.hpp"
#include "spec/net/base_url.hpp"
#include "spec/process/data_root.hpp"
#include "spec/process/program_flags.hpp"
#include "spec/text/ascii.hpp"
#include "spec/text/names.hpp"
#include "spec/text/quote.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <arpa/inet.h>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <netinet/in.h>
#include <span>
#include <string_view>
#include <system_error>
#include <utility>

namespace mock_server::program {

namespace {

constexpr int kUsage = 2;

// Without --contract: the shipped contract, and the shipped fixtures before the given ones, unless
// they are given too or switched off. Another contract does not use the shipped fixtures.
void find_data(const RawFlags& flags, Options& options) {
  options.api.contract = flags.contract;
  options.api.folders.assign(flags.fixtures.begin(), flags.fixtures.end());
  options.service.control.fixtures.has_folder = !flags.fixtures.empty();
  if (!flags.contract.empty()) {
    return;
  }
  const auto root = spec::process::find_data_root(spec::process::executable_path());
  if (!root) {
    throw spec::LoadError(
        "",
        "cannot find the payments contract (spec/payments.openapi.yaml) beside the "
        "program or in a folder above it; name a contract with --contract FILE");
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

// True if the host looks like an IP address (digits and dots, or a colon) and is none.
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

// Reads the flags about recording. Returns the error; "" for none.
std::string read_recording(const RawFlags& flags, Options& options) {
  const record::RecordOptions& recording = flags.live_record;
  if ((flags.mode == "record") != !recording.into.empty()) {
    return "--record-into: says where --mode record writes; give both or neither";
  }
  if (flags.mode == "record") {
    options.live_record = recording;
    return "";
  }
  const bool is_given = recording.merge || recording.keep_violating ||
                        !recording.key_file.empty() || !recording.redaction.names.empty() ||
                        recording.redaction.is_off;
  return is_given ? "--record-...: has no use without --mode record" : "";
}

// Reads the flags about the real service. Returns the error; "" for none.
std::string read_upstream(const RawFlags& flags, Options& options) {
  if (!flags.upstream) {
    return !flags.mode.empty() || !flags.fill_on.empty()
               ? "--mode and --fill-on: have no use without --upstream URL"
               : read_recording(flags, options);
  }
  if (flags.upstream->empty()) {
    return "--upstream: is empty; name the service's URL, or leave the flag out to serve the mock";
  }
  auto url = upstream::parse_url(*flags.upstream);
  if (!url) {
    return "--upstream " + *flags.upstream + ": " + url.error();
  }
  auto fill = upstream::parse_fill(flags.fill_on);
  if (!fill) {
    return "--fill-on: " + fill.error();
  }
  if ((flags.mode == "fill") == flags.fill_on.empty()) {
    return "--fill-on lists when the mock responds with --mode fill; give both or neither";
  }
  options.upstream = upstream::Settings{
      std::move(url.value()), *upstream::mode_of(flags.mode.empty() ? "observe" : flags.mode),
      std::move(fill.value())};
  return read_recording(flags, options);
}

// Reads what no flag's own check can. The first problem in words; "" if there is none.
std::string read_flags(const RawFlags& flags, Options& options) {
  if (!flags.rate_limit.empty()) {
    options.service.control.rate_limit = parse_rate_limit(flags.rate_limit);
    if (!options.service.control.rate_limit) {
      return "--rate-limit: must be COUNT/SECONDS, for example 5/60, but is " + flags.rate_limit;
    }
  }
  for (const std::string& token : options.service.tokens) {
    if (token.empty()) {
      return "--token: must not be empty";
    }
  }
  if (options.listener.host.empty()) {
    return "--host: must not be empty; 127.0.0.1 is this machine alone, 0.0.0.0 every address";
  }
  if (is_broken_address(options.listener.host)) {
    return "--host " + options.listener.host + ": is not a valid IP address";
  }
  if (!is_this_machine(options.listener.host) && options.service.control.token.empty() &&
      !options.service.control.is_open && !options.check && !options.list_assumptions) {
    return "--host " + options.listener.host +
           ": other machines could use the control API; protect it with --control-token, or allow "
           "that with --open-control";
  }
  if (options.until_stdin_closes && options.run) {
    return "--until-stdin-closes: has no use with run, which ends with its command";
  }
  constexpr std::size_t kSeedRecords = 3;
  if (flags.stateless && flags.seed_records.value_or(0) > 0) {
    return "--seed-records: has no use with --stateless, which infers no collections";
  }
  if (std::string problem = read_upstream(flags, options); !problem.empty()) {
    return problem;
  }
  auto state = parse_state_address(flags.state);
  if (!state) {
    return state.error();
  }
  options.state = std::move(*state);
  options.log_format = *parse_log_format(flags.log_format);
  options.log_level = *parse_log_level(flags.log_level);
  const char* const token = std::getenv("DODO_PAYMENTS_API_KEY");
  if (token != nullptr && options.service.tokens.empty()) {
    options.service.extra_token = token;
  }
  options.service.unknown_records_are_samples = flags.unknown_records == "sample";
  options.service.examples_as_written = flags.examples == "as-written";
  options.sessions.idle = std::chrono::seconds(flags.session_idle);
  options.journal_age = std::chrono::seconds(flags.journal_age);
  options.api.infers = !flags.stateless;
  options.api.seed_records = flags.stateless ? 0 : flags.seed_records.value_or(kSeedRecords);
  options.api.seed = options.service.control.seed;
  constexpr std::chrono::sys_days kEndOf2025{std::chrono::year{2026} / 1 / 1};
  options.api.today = std::chrono::floor<std::chrono::days>(state::system_now()) - kEndOf2025;
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

// The error about an argument that no flag takes. `words` are all arguments.
std::string describe_extra(const std::string& extra, const CLI::App& app,
                           const CLI::App& run_command, const std::vector<std::string>& words) {
  const std::string given = extra.substr(0, extra.find('='));
  if (!given.starts_with('-')) {
    return run_command.parsed() ? "run: put -- before the command: " + with_dashes(words, extra)
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

// The first argument that no flag takes is the contract's file; of `run`, if its command is after
// "--". The error about the first other one; "" for none.
std::string take_extras(const CLI::App& app, const CLI::App& run_command, bool has_command,
                        const std::vector<std::string>& words, RawFlags& flags) {
  std::vector<std::string> extras = app.remaining(true);
  if (!extras.empty() && !extras.front().starts_with('-') &&
      (has_command || !run_command.parsed())) {
    std::vector<std::string> commands;
    for (const CLI::App* const sub : app.get_subcommands([](const CLI::App*) { return true; })) {
      commands.push_back(sub->get_name());
    }
    if (auto why = spec::process::why_no_contract(extras.front(), words,
                                                  {commands.begin(), commands.end()});
        !why.empty()) {
      return why;
    }
    flags.contract = extras.front();
    extras.erase(extras.begin());
  }
  return extras.empty() ? "" : describe_extra(extras.front(), app, run_command, words);
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
  return spec::net::is_loopback_host(host) || host.starts_with("unix:");
}

CommandLine parse_command_line(int count, char** argv) {
  CLI::App app{
      "mock_server plays the service that a contract describes: the payments service, or any other "
      "OpenAPI document.",
      "mock_server"};
  Options options;
  RawFlags flags;
  register_flags(app, flags, options);
  RunOptions run;
  const CLI::App* const run_command = register_run(app, run);
  std::string health_url;
  const CLI::App* const health_command = register_healthcheck(app, health_url);
  record::RecordOptions recording;
  const CLI::App* const record_command = register_record(app, recording);
  StateCommand state_command;
  const CLI::App* const state_part = register_state_command(app, state_command);
  InitCommand init{.program = argv[0]};
  const CLI::App* const init_command = register_init(app, init);
  const CLI::App* const types_command = register_types(app);
  std::vector<std::string> command = cut_command(count, argv);
  app.allow_extras();
  try {
    app.parse(count, argv);
  } catch (const CLI::Success& success) {
    return {std::nullopt, app.exit(success)};
  } catch (const CLI::ParseError& error) {
    const std::span<const char* const> arguments(argv, static_cast<std::size_t>(count));
    return {std::nullopt, report(spec::process::name_variable(app, error.what(), arguments))};
  }
  std::string problem =
      take_extras(app, *run_command, !command.empty(), {argv + 1, argv + count}, flags);
  if (problem.empty() && health_command->parsed()) {
    options.healthcheck = health_url;
    return {std::move(options), 0};
  }
  if (problem.empty() && run_command->parsed()) {
    problem = command.empty() ? kNoCommand : "";
    choose_run(app, std::move(run), std::move(command), options);
  }
  if (problem.empty()) {
    problem = read_flags(flags, options);
  }
  if (problem.empty() && record_command->parsed()) {
    problem = why_no_recording(recording);
    options.record = std::move(recording);
  }
  if (problem.empty() && state_part->parsed()) {
    problem = why_no_transfer(state_command, options.state);
    options.state_command = std::move(state_command);
  }
  if (!problem.empty()) {
    return {std::nullopt, report(problem)};
  }
  options.init = init_command->parsed() ? std::optional(std::move(init)) : std::nullopt;
  options.prints_types = types_command->parsed();
  if (!options.state_command) {
    find_data(flags, options);
  }
  return {std::move(options), 0};
}

namespace {

using state::shared::RedisAddress;

constexpr std::string_view kSqlite = "sqlite:";
constexpr std::string_view kRedis = "redis://";
constexpr std::string_view kEncryptedRedis = "rediss://";
constexpr std::uint32_t kMaxDatabase = 1'000'000;
constexpr const char* kForms =
    "--state: must be sqlite:FILE, redis://[:PASSWORD@]HOST[:PORT][/DB] or rediss://...";

// Takes "/DB" and ":PORT" off the end of `rest`. False if either is no such number.
bool read_numbers(std::string_view& rest, RedisAddress& address) {
  if (const auto slash = rest.find('/'); slash != std::string_view::npos) {
    const std::string_view digits = rest.substr(slash + 1);
    const auto database = spec::text::parse_number<std::uint32_t>(digits);
    if (!digits.empty() && (!database || *database > kMaxDatabase)) {
      return false;
    }
    address.database = static_cast<int>(database.value_or(0));
    rest = rest.substr(0, slash);
  }
  const auto colon = rest.rfind(':');
  if (colon != std::string_view::npos && rest.find(']', colon) == std::string_view::npos) {
    const auto port = spec::net::parse_port(rest.substr(colon + 1));
    if (!port) {
      return false;
    }
    address.port = *port;
    rest = rest.substr(0, colon);
  }
  return true;
}

spec::Result<StateAddress, std::string> read_redis(std::string_view rest, bool is_encrypted) {
  RedisAddress address{.is_encrypted = is_encrypted};
  if (const auto at = rest.rfind('@'); at != std::string_view::npos) {
    if (!rest.starts_with(':')) {
      return spec::Unexpected{
          std::string("--state: put a colon before the password: redis://:PASSWORD@HOST")};
    }
    address.password = rest.substr(1, at - 1);
    rest = rest.substr(at + 1);
  }
  if (!read_numbers(rest, address)) {
    return spec::Unexpected{
        std::string("--state: PORT must be 1 to 65535, and DB a number: redis://HOST:6379/0")};
  }
  if (rest.starts_with('[') && rest.ends_with(']')) {
    rest = rest.substr(1, rest.size() - 2);
  }
  if (rest.empty()) {
    return spec::Unexpected{
        std::string("--state: names no host; for example redis://127.0.0.1:6379/0")};
  }
  address.host = rest;
  return StateAddress{StateAddress::Kind::kRedis, "", std::move(address)};
}

}  // namespace

spec::Result<StateAddress, std::string> parse_state_address(const std::string& text) {
  const std::string_view given = text;
  StateAddress address;
  if (given.empty()) {
    return address;
  }
  if (given.starts_with(kSqlite)) {
    address.kind = StateAddress::Kind::kSqlite;
    address.file = given.substr(kSqlite.size());
    if (address.file.empty()) {
      return spec::Unexpected{std::string("--state: names no file; for example sqlite:mock.db")};
    }
    return address;
  }
  if (given.starts_with(kRedis)) {
    return read_redis(given.substr(kRedis.size()), false);
  }
  if (given.starts_with(kEncryptedRedis)) {
    return read_redis(given.substr(kEncryptedRedis.size()), true);
  }
  // A text with an @ may have a password, too, so it is not repeated.
  const bool may_be_file = text.find_first_of(":@") == std::string::npos;
  return spec::Unexpected{kForms + (may_be_file
                                        ? ", but is " + text + "; did you mean sqlite:" + text + '?'
                                        : std::string())};
}

}  // namespace mock_server::program
