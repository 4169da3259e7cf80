#include "contract_tests/report/formats/report_files.hpp"

#include "contract_tests/report/formats/code_hosts.hpp"
#include "contract_tests/report/formats/console_summary.hpp"
#include "contract_tests/report/formats/html_page.hpp"
#include "contract_tests/report/formats/job_summary.hpp"
#include "contract_tests/report/formats/junit.hpp"
#include "contract_tests/report/formats/sarif.hpp"
#include "spec/json/value.hpp"
#include "spec/load_error.hpp"

#include <nlohmann/json.hpp>

#include <array>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <unistd.h>

namespace contract_tests::report::formats {

namespace fs = std::filesystem;

namespace {

std::string run_text(const nlohmann::json& run) {
  return spec::json::write_pretty(run) + '\n';
}

}  // namespace

void write_file(const fs::path& file, const std::string& text) {
  std::ofstream out(file, std::ios::binary);
  out << text;
  if (!out.flush()) {
    throw spec::LoadError(file.string(), "cannot write this file");
  }
}

std::string shown_path(const fs::path& path) {
  if (path.empty()) {
    return {};
  }
  std::error_code error;
  const auto whole = fs::absolute(path, error).lexically_normal();
  const auto near = whole.lexically_relative(fs::current_path(error).lexically_normal());
  const bool inside = !near.empty() && *near.begin() != "..";
  return inside ? near.generic_string()
                : (whole.parent_path().filename() / whole.filename()).generic_string();
}

ContractFile contract_file(const fs::path& contract) {
  std::error_code error;
  auto folder = fs::current_path(error);
  for (const auto* name : {"GITHUB_WORKSPACE", "CI_PROJECT_DIR"}) {
    const char* value = std::getenv(name);
    if (value != nullptr && *value != '\0') {
      folder = value;
      break;
    }
  }
  const auto whole = fs::weakly_canonical(contract, error);
  const auto path = whole.lexically_relative(fs::weakly_canonical(folder, error));
  if (path.empty() || *path.begin() == "..") {
    return {.path = contract.filename().generic_string()};
  }
  return {.path = path.generic_string(), .in_repository = true};
}

void check_report_folder(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  check_folder(folder, folder, "name another with --report");
}

void check_folder(const fs::path& folder, const fs::path& named, const std::string& remedy) {
  std::error_code error;
  if (!fs::is_directory(folder, error) || ::access(folder.c_str(), W_OK | X_OK) != 0) {
    throw spec::LoadError(named.string(), "cannot write into this folder; " + remedy);
  }
}

std::span<const ReportFile> report_files() {
  static constexpr auto kFiles = std::to_array<ReportFile>({
      {"run.json", &run_text, "the run, for compare, merge and replay"},
      {"report.html", &page, "a page that works offline"},
      {"junit.xml", &junit, "tests, for CI systems"},
      {"summary.txt", &summary, "what is printed at the end"},
      {"run.sarif", &sarif, "for code scanning"},
      {"gl-code-quality-report.json", &gitlab_code_quality, "for GitLab"},
      {"outputs.env", &outputs, "numbers, for scripts"},
  });
  return kFiles;
}

void write_reports(const fs::path& folder, const nlohmann::json& run) {
  for (const auto& [name, text, says] : report_files()) {
    write_file(folder / name, text(run));
  }
}

namespace {

std::string_view variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string_view() : std::string_view(value);
}

std::string code_host(const std::string& chosen) {
  if (chosen != "auto") {
    return chosen;
  }
  return variable("GITHUB_ACTIONS") == "true" ? "github"
         : variable("GITLAB_CI") == "true"    ? "gitlab"
                                              : "none";
}

void append_job_summary(const nlohmann::json& run) {
  const std::string file(variable("GITHUB_STEP_SUMMARY"));
  if (file.empty()) {
    return;
  }
  std::ofstream out(file, std::ios::binary | std::ios::app);
  out << job_summary(run);
  if (!out.flush()) {
    std::cerr << "contract_tests: cannot write the file that GITHUB_STEP_SUMMARY names: the job "
                 "has no summary\n";
  }
}

}  // namespace

void annotate(const std::string& host, const std::filesystem::path& folder,
              const nlohmann::json& run, std::ostream& out) {
  const auto chosen = code_host(host);
  if (chosen == "github") {
    out << github_annotations(run) << std::flush;
    append_job_summary(run);
  } else if (chosen == "gitlab" && folder.empty()) {
    try {
      write_file("gl-code-quality-report.json", gitlab_code_quality(run));
    } catch (const spec::LoadError& error) {
      std::cerr << "contract_tests: " << to_line(error.problems().front()) << '\n';
    }
  }
}

}  // namespace contract_tests::report::formats
