#include "contract_tests/program/known_findings.hpp"

#include "contract_tests/program/run_identity.hpp"
#include "contract_tests/report/formats/report_files.hpp"
#include "spec/document/text_file.hpp"
#include "spec/load_error.hpp"

#include <algorithm>
#include <chrono>

namespace contract_tests::program {

namespace fs = std::filesystem;
using findings::EntryState;

namespace {

bool is_blank(const std::string& text) {
  return text.find_first_not_of(" \t\r\n") == std::string::npos;
}

// Flags about a baseline that is not named.
void check_without_file(const Options& options) {
  const bool write =
      options.baseline_write || !options.baseline_reason.empty() || !options.baseline_owner.empty();
  if (write || options.baseline_prune || options.baseline_strict) {
    throw spec::LoadError(write                    ? "--baseline-write"
                          : options.baseline_prune ? "--baseline-prune"
                                                   : "--baseline-strict",
                          "needs --baseline FILE");
  }
}

void check_flags(const Options& options) {
  if (options.baseline_write &&
      (is_blank(options.baseline_reason) || is_blank(options.baseline_owner))) {
    throw spec::LoadError(
        "--baseline-write",
        "needs --baseline-reason WORDS and --baseline-owner NAME: why the new findings are "
        "accepted, and who mends them");
  }
  if ((options.baseline_write || options.baseline_prune) && shard_of_environment()) {
    throw spec::LoadError(
        options.baseline_write ? "--baseline-write" : "--baseline-prune",
        "a shard has a part of the findings only; run without GTEST_TOTAL_SHARDS to change "
        "the baseline");
  }
}

bool is_dropped(const findings::EntryResult& standing) {
  return standing.state == EntryState::kFixed || standing.state == EntryState::kStale;
}

// The unknown findings as entries, as the flags complete them.
std::vector<findings::BaselineEntry> completed(std::vector<findings::BaselineEntry> entries,
                                               const Options& options, findings::Date today) {
  for (auto& entry : entries) {
    entry.reason = options.baseline_reason;
    entry.owner = options.baseline_owner;
    entry.expires = today + std::chrono::days(options.baseline_days);
  }
  return entries;
}

}  // namespace

std::optional<KnownFindings> load_known(const Options& options, plan::DataFiles& files,
                                        const plan::RuleBook& book, findings::Date today) {
  if (options.baseline.empty()) {
    check_without_file(options);
    return std::nullopt;
  }
  check_flags(options);
  KnownFindings known{.today = today, .entries = {}};
  std::error_code error;
  if (fs::exists(options.baseline, error)) {
    known.entries = findings::load(
        files, options.baseline, {.today = today, .max_days = options.baseline_days, .book = book});
  } else if (!options.baseline_write) {
    throw spec::LoadError(options.baseline.string(), "no such file; --baseline-write creates it");
  }
  if (options.baseline_write || options.baseline_prune) {
    const auto folder = options.baseline.parent_path();
    report::formats::check_folder(folder.empty() ? "." : folder, options.baseline,
                                  "name another file with --baseline");
  }
  return known;
}

BaselineComparison compare_known(const Options& options, const KnownFindings& known,
                                 const run::Outcomes& outcomes, const findings::RunInput& around,
                                 bool may_write) {
  BaselineComparison compared{.result = {.file = report::formats::shown_path(options.baseline),
                                         .strict = options.baseline_strict,
                                         .entries = entry_results(known.entries, outcomes, around)},
                              .text = std::nullopt};
  auto& result = compared.result;
  auto unknown = unknown_findings_in(outcomes, around);
  result.unknown = unknown.entries.size() + unknown.leaks.size();
  std::vector<findings::BaselineEntry> kept;
  for (const auto& standing : result.entries) {
    if (options.baseline_prune && may_write && is_dropped(standing)) {
      result.pruned.push_back(standing.entry.id);
    } else {
      kept.push_back(options.baseline_write ? without_masked(standing.entry, outcomes, around.plan)
                                            : standing.entry);
    }
  }
  if (options.baseline_write && may_write) {
    for (auto& entry : completed(std::move(unknown.entries), options, known.today)) {
      result.written.push_back(entry.id);
      kept.push_back(std::move(entry));
    }
    for (const auto& leak : unknown.leaks) {
      result.not_written.push_back(leak.id);
    }
  }
  std::error_code error;
  const bool creates = options.baseline_write && !fs::exists(options.baseline, error);
  if (may_write && (creates || !result.written.empty() || !result.pruned.empty())) {
    compared.text = findings::text_of(std::move(kept));
  }
  return compared;
}

void write_known(const fs::path& file, const std::string& text) {
  if (const auto why = spec::document::replace_file(file, text); !why.empty()) {
    throw spec::LoadError(file.string(), "cannot be replaced: " + why);
  }
}

}  // namespace contract_tests::program
