#pragma once

// The command line of mock_server, and what it means.

#include "mock_server/api/loaded_api.hpp"
#include "mock_server/program/request_log.hpp"
#include "mock_server/record/recorder.hpp"
#include "mock_server/service/service_options.hpp"
#include "mock_server/state/memory_journal.hpp"
#include "mock_server/state/rate_limit.hpp"
#include "mock_server/state/session_store.hpp"
#include "mock_server/state/shared/redis_connection.hpp"
#include "mock_server/transport/listener.hpp"
#include "mock_server/upstream/gateway.hpp"
#include "mock_server/upstream/upstream_settings.hpp"
#include "spec/result.hpp"

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace mock_server::program {

// The place of the state, as --state names it. A plain value; nothing is opened here.

struct StateAddress {
  enum class Kind { kMemory, kSqlite, kRedis };

  Kind kind = Kind::kMemory;
  std::string file;                   // of kSqlite; never empty then
  state::shared::RedisAddress redis;  // of kRedis
};

// Reads "" (memory), "sqlite:FILE", "redis://[:PASSWORD@]HOST[:PORT][/DB]" or "rediss://...". The
// error is a sentence that never shows the password.
spec::Result<StateAddress, std::string> parse_state_address(const std::string& text);

// `mock_server run -- COMMAND...`.
struct RunOptions {
  std::vector<std::string> command;  // never empty
  std::vector<std::string> allowed;  // calls that are no violation, "GET /favicon.ico"
  double min_coverage = 0;           // percent
  std::string junit;                 // a file; "" for none
  std::string report;                // a folder; "" for none
};

// `mock_server state export|import FILE`.
struct StateCommand {
  std::string action;                  // "export" or "import"
  std::string file;                    // of JSON
  std::optional<std::string> session;  // that one alone
};

// `mock_server init`.
struct InitCommand {
  std::string into = "mock";
  std::string program;  // as it was called
};

struct Options {
  api::LoadedApiOptions api;
  transport::ListenerOptions listener;
  service::ServiceOptions service;  // what flags say of it
  state::StoreLimits sessions;
  StateAddress state;
  bool allow_eviction = false;         // the Redis of `state` may drop keys
  std::vector<std::string> scenarios;  // armed for every session
  bool journal_secrets = false;        // with a real service: nothing is redacted
  std::size_t journal_bytes = state::MemoryJournal::kDefaultBytes;
  std::chrono::seconds journal_age{0};         // 0: no bound
  std::optional<upstream::Settings> upstream;  // the real service
  upstream::GatewayOptions gateway;
  bool quiet = false;
  LogFormat log_format = LogFormat::kText;
  LogLevel log_level = LogLevel::kInfo;
  std::optional<RunOptions> run;
  // The URL of `mock_server healthcheck URL`.
  std::optional<std::string> healthcheck;
  // `mock_server record`.
  std::optional<record::RecordOptions> record;
  // --mode record.
  std::optional<record::RecordOptions> live_record;
  std::optional<StateCommand> state_command;
  std::optional<InitCommand> init;
  bool prints_types = false;  // `mock_server types`
  bool watch = false;         // reload when a file changes
  bool until_stdin_closes = false;
  bool check = false;
  bool list_assumptions = false;
};

// Options, or the code to exit with: 0 after --help and --version, 2 after a wrong command line;
// everything is printed then. Throws spec::LoadError if the program's own data cannot be found and
// no
// --contract is given.
struct CommandLine {
  std::optional<Options> options;
  int exit_code = 0;
};

CommandLine parse_command_line(int count, char** argv);

// True for hosts that only this machine can reach: loopback addresses, "localhost", a socket path.
bool is_this_machine(const std::string& host);

// "5/60": five requests in sixty seconds; nothing for anything else.
std::optional<state::RateLimit> parse_rate_limit(const std::string& text);

}  // namespace mock_server::program
