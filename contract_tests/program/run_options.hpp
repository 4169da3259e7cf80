#pragma once

// The command line and environment of contract_tests.

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace contract_tests::program {

struct Options {
  std::string base_url;  // "" starts the mock
  std::string token;
  bool is_token_of_environment = false;  // from DODO_PAYMENTS_API_KEY
  std::string other_token;
  std::filesystem::path contract;
  std::filesystem::path rules;
  std::filesystem::path cases;
  std::filesystem::path subjects;
  std::filesystem::path severities;
  std::vector<std::string> fixtures;  // of the mock that is started
  std::filesystem::path ca_file;
  std::filesystem::path report;
  std::string annotate = "none";   // auto, github, gitlab, none
  std::filesystem::path baseline;  // "" for none
  bool baseline_write = false;
  bool baseline_prune = false;
  bool baseline_strict = false;
  unsigned baseline_days = 90;  // from today until the last day of an entry, at most
  std::string baseline_reason;  // of entries that are written
  std::string baseline_owner;
  std::vector<std::string> writes_to;  // operations by id or by method and path
  bool document_only = false;
  bool tolerate = false;
  bool allow_writes = false;
  bool sandbox = false;
  bool allow_live = false;
  bool allow_probes = false;
  bool allow_burst = false;
  std::string filter;                 // of cases by name; "" for all
  std::filesystem::path last_failed;  // only what failed in this run
  std::uint64_t seed = 1;
  bool names_seed = false;  // --seed was given
  bool list = false;
  bool print_subjects = false;
  bool print_rules = false;
  bool dry_run = false;
  bool verbose = false;  // GoogleTest's own listing
  unsigned jobs = 1;
  unsigned repeat = 1;
  double rate = 0;                           // requests a second; 0: no bound
  std::size_t max_requests = 0;              // 0: no bound
  unsigned deadline_s = 600;                 // of the whole run; 0: no bound
  unsigned max_wait_s = 30;                  // in all, when the server asks to wait
  unsigned timeout_s = 60;                   // of a response
  double min_coverage = 0;                   // percent
  std::string fail_on = "error";             // or warning, note, never
  std::vector<std::string> gtest_arguments;  // --gtest_..., with the program's name first
  // The time when the program was called: --deadline counts from here.
  std::chrono::steady_clock::time_point started = std::chrono::steady_clock::now();

  // True if GoogleTest prints its own listing: --verbose, or a GoogleTest flag about output.
  bool wants_listing() const;

  // The key in the environment may be the real service's: only a test key is sent to the mock.
  bool token_is_not_for_mock() const {
    return is_token_of_environment && !token.starts_with("dodo_test_");
  }

  // The time when the run must end; the far future if it need not.
  std::chrono::steady_clock::time_point latest() const {
    return deadline_s == 0 ? std::chrono::steady_clock::time_point::max()
                           : started + std::chrono::seconds(deadline_s);
  }
};

struct ParsedOptions {
  Options options;
  int exit_code = -1;  // of --help, --version or a wrong flag; -1: continue
};

// The help text of a command.
struct CommandHelp {
  std::string text;
  std::string name;
  std::string footer;
};

// Adds flags to those of a run, or takes some away.
using AddOwnFlags = std::function<void(CLI::App&, Options&)>;

// Prints help and usage errors itself. Reads DODO_PAYMENTS_API_KEY and TEST_API_BASE_URL where
// --token and --base-url are not given.
ParsedOptions parse_options(int argc, char** argv, const CommandHelp& about,
                            const AddOwnFlags& add_own = {});

// False, which is printed, where flags for GoogleTest are given to a command that runs none.
bool runs_google_test(const Options& options, const std::string& command);

// Takes DODO_PAYMENTS_API_KEY where no token is given and `options` names a server. False, which is
// printed, where the token cannot be sent.
bool take_key_of_environment(Options& options);

}  // namespace contract_tests::program
