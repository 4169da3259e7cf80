#include "contract_tests/runs/comparison_text.hpp"

#include "contract_tests/runs/comparison_lines.hpp"
#include "spec/text/xml.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <string_view>

namespace contract_tests::runs {

using nlohmann::json;
using spec::text::escape_xml;

namespace {

constexpr std::size_t kMaxLines = 60;  // of a section on a console

std::string more(std::size_t left, const char* where) {
  return "and " + std::to_string(left) + " more" + where;
}

// Text that Markdown shows as it is: no markup, no link, no cell of a table, no mention.
std::string in_markdown(std::string_view text) {
  std::string out;
  for (const char letter : text) {
    if (letter == '&' || letter == '<' || letter == '>') {
      out += escape_xml({&letter, 1});
    } else if (letter == '\n' || letter == '\r' || letter == '\t') {
      out += ' ';
    } else {
      constexpr std::string_view kMarkup = "\\`*_{}[]()#+!|~@";
      out += kMarkup.find(letter) == std::string_view::npos ? "" : "\\";
      out += letter;
    }
  }
  return out;
}

}  // namespace

std::string comparison_text(const json& comparison) {
  auto out = comparability(comparison) + '\n';
  const auto lines = difference_lines(comparison);
  for (const auto& line : lines) {
    out += "  differs: " + line + '\n';
  }
  if (!comparison.at("comparable").get<bool>()) {
    return out;
  }
  if (lines.empty()) {
    out += "  contract, plan, seed and settings are the same\n";
  }
  for (const auto& section : comparison_sections(comparison)) {
    out += '\n' + section.title + '\n';
    const auto shown = std::min(section.lines.size(), kMaxLines);
    for (std::size_t at = 0; at < shown; ++at) {
      const auto& line = section.lines[at];
      out += "  " + line.what + (line.because.empty() ? "" : " (" + line.because + ')') + '\n';
    }
    if (shown < section.lines.size()) {
      out += "  " + more(section.lines.size() - shown, "; --format json has all") + '\n';
    }
  }
  return out + '\n' + comparison_totals(comparison) + '\n';
}

std::string comparison_markdown(const json& comparison) {
  constexpr std::size_t kMaxMarkdownBytes = 60'000;
  auto out = "### Contract tests: " + in_markdown(comparability(comparison)) + "\n\n";
  for (const auto& line : difference_lines(comparison)) {
    out += "- differs: " + in_markdown(line) + '\n';
  }
  if (!comparison.at("comparable").get<bool>()) {
    return out;
  }
  out += "\n**" + in_markdown(comparison_totals(comparison)) + "**\n";
  std::size_t left = 0;
  for (const auto& section : comparison_sections(comparison)) {
    const auto title =
        "\n#### " + in_markdown(section.title) + "\n\n| change | because of |\n|---|---|\n";
    bool titled = false;
    for (const auto& line : section.lines) {
      const auto row = "| " + in_markdown(line.what) + " | " + in_markdown(line.because) + " |\n";
      if (left > 0 || out.size() + title.size() + row.size() > kMaxMarkdownBytes) {
        ++left;
        continue;
      }
      out += (titled ? "" : title) + row;
      titled = true;
    }
  }
  return left == 0 ? out : out + '\n' + more(left, "; `--format json` has all") + '\n';
}

}  // namespace contract_tests::runs
