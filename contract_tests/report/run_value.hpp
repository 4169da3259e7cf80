#pragma once

// A run as one JSON value, of which every other report is a function, and read from it again;
// run.schema.json says its shape.

#include "contract_tests/client/secret_texts.hpp"
#include "contract_tests/findings/baseline.hpp"
#include "contract_tests/plan/rule_book.hpp"
#include "contract_tests/run/case.hpp"
#include "contract_tests/run/outcome.hpp"
#include "contract_tests/run/undo.hpp"
#include "spec/contract/checking/contract_coverage.hpp"

#include <nlohmann/json.hpp>

#include <chrono>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace contract_tests::report {

// The contract's file as reports name it: relative to the repository, else its name alone.
struct ContractFile {
  std::string path;
  bool in_repository = false;
};

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(ContractFile, path, in_repository)

inline constexpr int kRunVersion = 4;  // of the shape of a run value

// The settings that select cases, allow requests or weigh results, as far as runs can differ by
// them.
struct RunSettings {
  bool tolerate = false;
  bool allow_writes = false;
  std::vector<std::string> allow_writes_to;
  bool sandbox = false;
  bool allow_live = false;
  bool allow_probes = false;
  bool allow_burst = false;
  std::string filter;
  unsigned repeat = 1;
  std::size_t max_requests = 0;
  std::string subjects;           // hash of them, without secrets; "" if they were not read
  std::string fail_on = "error";  // "note", "warning", "error"; "never": no finding fails the run
};

// The members of `settings` in the run value, without min_coverage.
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(RunSettings, tolerate, allow_writes,
                                                allow_writes_to, sandbox, allow_live, allow_probes,
                                                allow_burst, filter, repeat, max_requests, subjects,
                                                fail_on)

// A part of a plan, by GoogleTest's variables.
struct Shard {
  std::size_t index = 0;
  std::size_t of = 1;
};

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Shard, index, of)

// A file of recorded calls; such a run sends nothing.
struct RecordedInput {
  std::string file;                   // as a report shows it
  std::size_t calls = 0;              // that were validated
  std::vector<std::string> left_out;  // what of the file was not, one line each
};

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(RecordedInput, file, calls, left_out)

// A run and its results.
struct Run {
  const run::Plan& plan;
  run::Outcomes outcomes;  // of selected cases alone
  std::string base_url;
  std::string target;    // "mock" or "service"
  std::string contract;  // title and version
  std::string started;   // RFC 3339, UTC
  std::chrono::microseconds time{0};
  bool document_only = false;
  bool interrupted = false;
  std::size_t records = 0;                         // that were changed, or may have been
  std::vector<run::RemainingChange> not_put_back;  // what is not as it was before the run
  std::vector<std::string> unverified = {};        // what may not be
  std::chrono::milliseconds waited{0};             // because the server asked for it
  std::chrono::milliseconds max_wait{0};
  spec::contract::CoverageReport coverage;  // of the operations with selected cases
  double min_coverage = 0;                  // percent
  // Problems of the whole run, because of which its cases say nothing: "the token expired ...".
  std::vector<std::string> headlines;
  bool unusable = false;  // it could not start; the headlines say why
  // Every request that went out; without it, those of the cases are counted.
  std::optional<std::size_t> requests = std::nullopt;
  std::optional<findings::BaselineResult> baseline = std::nullopt;  // where the run has one
  ContractFile contract_file = {};
  const plan::RuleBook* book = nullptr;  // says what the rules require; null: they go unexplained
  client::Secrets secrets = {};          // never to be shown
  nlohmann::json inputs = nlohmann::json::object();  // what the command line named
  std::string version = {};                          // version of contract_tests
  std::string contract_hash = {};                    // "" if no contract could be loaded
  std::string plan_hash = {};  // instead of the plan's own, of a plan that is not here in full
  std::string basis = {};      // hash of what else cases are made by and weighed by
  RunSettings settings = {};
  std::optional<Shard> shard = std::nullopt;
  std::optional<RecordedInput> recorded = std::nullopt;
  // Exchanges that were read from a run value; the others are written by exchange_json.
  std::map<const client::Exchange*, nlohmann::json> exchanges = {};
  // The same of what cases planned, by index; the others are written by planned_json.
  std::map<std::size_t, nlohmann::json> planned = {};
};

enum class Exit : int { kPassed = 0, kFailed = 1, kUnusable = 2, kInconclusive = 3 };

// 2 when the run could not start; 1 when a case failed (unless fail_on is "never"), or entries of
// the baseline are fixed that must not be there; 3 when a case is inconclusive for another reason
// than a case that is known, the run was interrupted or has a headline, no case ran, less was
// covered than was asked for, or an operation had cases selected that should have run
// (Reason::is_not_allowed) and none did; else 0. Of a shard, what no case ran for, reached or
// covered is left to the merged run.
Exit exit_of(const Run& run);

// "passed", "failed", "unusable", "inconclusive".
std::string_view to_text(Exit exit);

nlohmann::json to_json(const Run& run);

// Reads what to_json made of a run, as its schema says; of coverage, names of operations and values
// of enumerations only as far as they are there. The cases are in `plan` at their indices, the
// others are empty; of those without details, findings have severity, state and fingerprint alone.
Run run_from(const nlohmann::json& value, run::Plan& plan);

}  // namespace contract_tests::report
