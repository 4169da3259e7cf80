#pragma once

// A comparison (comparison.hpp) for people: on a console, in a pull request. Pure functions.

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <string_view>

namespace contract_tests::report::formats {

std::string comparison_text(const nlohmann::json& comparison);

// Markdown as GitHub and GitLab show it; at most 60 kB, as a comment may be.
std::string comparison_markdown(const nlohmann::json& comparison);

}  // namespace contract_tests::report::formats
