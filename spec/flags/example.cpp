#include "spec/flags/example.hpp"

#include "spec/text/number.hpp"
#include "spec/text/quote.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace spec::flags {
namespace {

constexpr std::size_t kColumns = 98;

void add_prose(std::string& out, std::string_view text) {
  std::string line(text);
  std::ranges::replace(line, '\n', ' ');
  for (const char letter : "# " + text::wrapped(line, kColumns)) {
    out += letter;
    out += letter == '\n' ? "# " : "";
  }
  out += '\n';
}

bool is_number(std::string_view word) {
  static constexpr std::array<std::string_view, 4> kWords{"N", "MS", "SECONDS", "PERCENT"};
  return std::ranges::find(kWords, word) != kWords.end() ||
         text::parse_number<double>(word).has_value();
}

// The default; where there is none, the word for the value.
std::string value_of(const CLI::Option& option) {
  if (option.get_items_expected_max() == 0) {
    return "false";
  }
  const auto type = option.get_type_name();
  const auto value =
      option.get_default_str().empty() ? type.substr(0, type.find(':')) : option.get_default_str();
  const auto quoted = is_number(value) ? value : '"' + value + '"';
  return option.get_items_expected_max() > 1 ? '[' + quoted + ']' : quoted;
}

void add_option(std::string& out, const CLI::Option& option) {
  auto prose = option.get_description();
  if (const auto variable = option.get_envname();
      !variable.empty() && prose.find(variable) == std::string::npos) {
    prose += "; or set " + variable;
  }
  out += '\n';
  add_prose(out, prose);
  out += '#' + option.get_lnames().front() + " = " + value_of(option) + '\n';
}

void add_options(std::string& out, const CLI::App& app, const std::string& group,
                 const std::string& title) {
  const auto options = app.get_options([&group](const CLI::Option* option) {
    return option->get_group() == group && option->get_configurable();
  });
  if (!options.empty()) {
    out += "\n## " + title + '\n';
  }
  for (const CLI::Option* const option : options) {
    add_option(out, *option);
  }
}

}  // namespace

std::string example_config(const CLI::App& app) {
  std::string out;
  add_prose(out,
            "Every flag of " + app.get_name() +
                ", for --config FILE. Remove the # before a line to use it. Flags on the command "
                "line come first, then variables of the environment, then this file. Relative "
                "paths start at the folder of this file. A token is safer in the environment.");
  for (const auto& group : app.get_groups()) {
    add_options(out, app, group, group);
  }
  for (const CLI::App* const sub : app.get_subcommands([](const CLI::App*) { return true; })) {
    for (const auto& group : sub->get_groups()) {
      add_options(out, *sub, group, "For " + app.get_name() + ' ' + sub->get_name() + " alone");
    }
  }
  out.pop_back();
  return out;
}

}  // namespace spec::flags
