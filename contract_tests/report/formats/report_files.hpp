#pragma once

// The folder of a run's reports, other files that a run writes, and what code hosts show beside a
// pull request, written where they look for it.

#include "contract_tests/report/run_value.hpp"

#include <nlohmann/json_fwd.hpp>

#include <filesystem>
#include <iosfwd>
#include <span>
#include <string>
#include <string_view>

namespace contract_tests::report::formats {

// Throws spec::LoadError where `file` cannot be written.
void write_file(const std::filesystem::path& file, const std::string& text);

// Makes `folder` if it is missing and checks that files can be written into it, so that this fails
// before the run and not after it. Throws spec::LoadError.
void check_report_folder(const std::filesystem::path& folder);

// Checks that files can be written into `folder`. Throws spec::LoadError about `named`.
void check_folder(const std::filesystem::path& folder, const std::filesystem::path& named,
                  const std::string& remedy);

// A path as a report shows it: from the working directory where it is inside, else by its folder
// and name.
std::string shown_path(const std::filesystem::path& path);

// Relative to GITHUB_WORKSPACE or CI_PROJECT_DIR, else to the working directory.
ContractFile contract_file(const std::filesystem::path& contract);

// A file of --report.
struct ReportFile {
  std::string_view name;
  std::string (*text)(const nlohmann::json& run);
  std::string_view says;  // what it is, in parentheses behind its name
};

// Another format is a function of the run value and a row of this.
std::span<const ReportFile> report_files();

// Writes each of them. Throws spec::LoadError with the file that cannot be written.
void write_reports(const std::filesystem::path& folder, const nlohmann::json& run);

// `host` is a value of --annotate, `folder` that of --report or "". GitHub: its commands to `out`,
// and a summary appended to the file that GITHUB_STEP_SUMMARY names. GitLab:
// gl-code-quality-report.json in the working directory, where no `folder` has it. `auto` is the one
// that GITHUB_ACTIONS or GITLAB_CI names, else none. A file that cannot be written is a line on
// standard error: the verdict stays.
void annotate(const std::string& host, const std::filesystem::path& folder,
              const nlohmann::json& run, std::ostream& out);

}  // namespace contract_tests::report::formats
