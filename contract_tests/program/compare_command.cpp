#include "contract_tests/program/command_line.hpp"
#include "contract_tests/program/tested_server.hpp"
#include "contract_tests/report/comparison.hpp"
#include "contract_tests/report/formats/comparison_text.hpp"
#include "contract_tests/report/formats/report_files.hpp"
#include "spec/json/value.hpp"
#include "spec/process/program_flags.hpp"

#include <CLI/CLI.hpp>

#include <iostream>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace contract_tests::program {

namespace fs = std::filesystem;

namespace {

constexpr const char* kCompareExamples =
    "Examples:\n"
    "  contract_tests compare main/run.json out/run.json\n"
    "      What is new, fixed and worse since the run of the main branch, and why.\n"
    "  contract_tests compare main out --format markdown --fail-on new,worse\n"
    "      A comment for a pull request; exit code 1 if something is new or worse.\n"
    "\n"
    "A change is because of the contract, the plan (cases, rules, seed, settings, version) or the\n"
    "service, or it says \"cannot tell\". Exit codes: 0, 1 by --fail-on, 2 wrong input, 3 the runs "
    "cannot\n"
    "be compared.";

std::string formatted(const nlohmann::json& comparison, const std::string& format) {
  if (format == "json") {
    return spec::json::write_pretty(comparison) + '\n';
  }
  if (format == "markdown") {
    return report::formats::comparison_markdown(comparison);
  }
  return report::formats::comparison_text(comparison);
}

}  // namespace

int run_compare(int argc, char** argv) {
  const std::map<std::string, report::FailOn> reasons{
      {"new", report::FailOn::kNew},
      {"worse", report::FailOn::kWorse},
      {"less-coverage", report::FailOn::kLessCoverage}};
  fs::path before;
  fs::path after;
  fs::path output;
  std::string format = "text";
  std::vector<std::string> fail_on;
  CLI::App app{"Compares two runs: what is new, fixed, worse, and why.", "contract_tests compare"};
  app.add_option("OLD", before, "run.json of the earlier run, or its folder")->required();
  app.add_option("NEW", after, "run.json of the later run, or its folder")->required();
  app.add_option("--format", format, "text, markdown or json (default text)")
      ->option_text("FORMAT")
      ->check(spec::process::one_of({"text", "markdown", "json"}));
  app.add_option("--output", output, "Write to this file instead of standard output")
      ->option_text("FILE");
  app.add_option("--fail-on", fail_on,
                 "new, worse, less-coverage, or several: end with exit code 1 if there is any")
      ->option_text("LIST")
      ->delimiter(',')
      ->check(spec::process::one_of({"new", "worse", "less-coverage"}));
  app.footer(kCompareExamples);
  if (const auto code = parse_command(app, argc, argv)) {
    return *code;
  }
  const auto schema = find_data_root() / "contract_tests/report/run.schema.json";
  const auto old_run = report::read_run(before, schema);
  const auto new_run = report::read_run(after, schema);
  const auto comparison = report::compare(old_run, new_run);
  if (output.empty()) {
    std::cout << formatted(comparison, format) << std::flush;
  } else {
    report::formats::write_file(output, formatted(comparison, format));
  }
  std::set<report::FailOn> chosen;
  for (const auto& name : fail_on) {
    chosen.insert(reasons.at(name));
  }
  return report::exit_of_comparison(comparison, chosen);
}

}  // namespace contract_tests::program
