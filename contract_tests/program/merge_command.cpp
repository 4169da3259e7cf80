#include "contract_tests/plan/rule_book.hpp"
#include "contract_tests/program/command_line.hpp"
#include "contract_tests/program/tested_server.hpp"
#include "contract_tests/report/formats/console_summary.hpp"
#include "contract_tests/report/formats/report_files.hpp"
#include "contract_tests/report/merged_shards.hpp"
#include "spec/process/program_flags.hpp"

#include <CLI/CLI.hpp>

#include <iostream>
#include <string>
#include <vector>

namespace contract_tests::program {

namespace fs = std::filesystem;

namespace {

constexpr const char* kMergeExamples =
    "Examples:\n"
    "  GTEST_TOTAL_SHARDS=10 GTEST_SHARD_INDEX=3 contract_tests --report out\n"
    "      Run the fourth tenth of the cases; write out/shard_3/run.json.\n"
    "  contract_tests merge out/shard_* --report whole\n"
    "      The same verdict and reports as one run of all cases.\n"
    "\n"
    "Exit codes: those of the whole run; 2 where the files are not shards of one run.";

}  // namespace

int run_merge(int argc, char** argv) {
  std::vector<std::string> files;
  fs::path folder;
  std::string host = "none";
  CLI::App app{"Makes one run of the shards of a run.", "contract_tests merge"};
  app.add_option("RUN", files, "run.json of each shard, or its folder")->required();
  app.add_option("--report", folder, "Write run.json and all other reports here")
      ->option_text("DIR");
  app.add_option("--annotate", host,
                 "Show findings in the pull request, as for a run: auto, github, gitlab or none")
      ->option_text("WHERE")
      ->check(spec::process::one_of(kCodeHosts));
  app.footer(kMergeExamples);
  if (const auto code = parse_command(app, argc, argv)) {
    return *code;
  }
  if (!folder.empty()) {
    report::formats::check_report_folder(folder);
  }
  const auto root = find_data_root();
  std::vector<report::SavedRun> shards;
  shards.reserve(files.size());
  for (const auto& file : files) {
    shards.push_back(report::read_run(file, root / "contract_tests/report/run.schema.json"));
  }
  plan::DataFiles data(root / "contract_tests/rules/schemas");
  const auto run = report::merge(
      shards, plan::load_rule_book(data, root / "contract_tests/rules/rule_book.yaml"));
  if (!folder.empty()) {
    report::formats::write_reports(folder, run);
  }
  report::formats::annotate(host, folder, run, std::cout);
  std::cout << report::formats::summary(run) << std::flush;
  return run.at("exit").get<int>();
}

}  // namespace contract_tests::program
