#include "contract_tests/program/output/annotate.hpp"

#include "contract_tests/program/output/reports.hpp"
#include "contract_tests/report/hosts/annotations.hpp"
#include "contract_tests/report/hosts/gitlab.hpp"
#include "contract_tests/report/hosts/job_summary.hpp"
#include "spec/load_error.hpp"

#include <nlohmann/json.hpp>

#include <cstdlib>
#include <fstream>
#include <iostream>
#include <string>
#include <string_view>

namespace contract_tests::program::output {

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
  out << report::hosts::job_summary(run);
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
    out << report::hosts::github_annotations(run) << std::flush;
    append_job_summary(run);
  } else if (chosen == "gitlab" && folder.empty()) {
    try {
      write_file("gl-code-quality-report.json", report::hosts::gitlab_code_quality(run));
    } catch (const spec::LoadError& error) {
      std::cerr << "contract_tests: " << to_line(error.problems().front()) << '\n';
    }
  }
}

}  // namespace contract_tests::program::output
