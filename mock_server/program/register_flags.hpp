#pragma once

// The flags of the command line, as CLI11 knows them.

#include "mock_server/program/program_options.hpp"

#include <CLI/CLI.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace mock_server::program {

// Flags as they were given, before they are read further.
struct RawFlags {
  std::string contract;
  std::vector<std::string> fixtures;
  bool no_default_fixtures = false;
  bool stateless = false;
  std::optional<std::size_t> seed_records;
  std::string unknown_records = "reject";
  std::string examples = "valid";
  std::string rate_limit;
  std::optional<std::string> upstream;  // given, perhaps empty
  std::string mode;                     // "" is observe
  std::string fill_on;
  record::RecordOptions live_record;
  std::string state;
  std::int64_t session_idle = 3600;
  std::int64_t journal_age = 0;
  std::string log_format = "text";
  std::string log_level = "info";
};

// Every flag but those of a subcommand. Both must live as long as `app`.
void register_flags(CLI::App& app, RawFlags& flags, Options& options);

// `run`.
CLI::App* register_run(CLI::App& app, RunOptions& run);

}  // namespace mock_server::program
