#pragma once

// What code hosts show of a run beside a pull request, written where they look for it.

#include <nlohmann/json_fwd.hpp>

#include <filesystem>
#include <iosfwd>
#include <string>

namespace contract_tests::program::output {

// `host` is a value of --annotate, `folder` that of --report or "". GitHub: its commands to `out`,
// and a summary appended to the file that GITHUB_STEP_SUMMARY names. GitLab:
// gl-code-quality-report.json in the working directory, where no `folder` has it. `auto` is the one
// that GITHUB_ACTIONS or GITLAB_CI names, else none. A file that cannot be written is a line on
// standard error: the verdict stays.
void annotate(const std::string& host, const std::filesystem::path& folder,
              const nlohmann::json& run, std::ostream& out);

}  // namespace contract_tests::program::output
