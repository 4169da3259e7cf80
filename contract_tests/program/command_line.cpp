#include "contract_tests/program/command_line.hpp"

#include "spec/process/program_flags.hpp"
#include "spec/text/names.hpp"
#include "spec/text/quote.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <array>
#include <iostream>
#include <iterator>
#include <vector>

namespace contract_tests::program {

int print_usage_error(const CLI::App& app, std::span<const char* const> arguments,
                      const CLI::ParseError& error) {
  auto message = spec::process::name_variable(app, error.what(), arguments);
  const auto colon = message.find(':');
  if (error.get_name() == "ArgumentMismatch" && message.ends_with("missing")) {
    message = message.substr(0, colon) + " needs a value";
  }
  std::ranges::replace(message, '\n', ' ');
  std::cerr << "contract_tests: " << message << "; see --help\n";
  return kUsage;
}

bool none_is_empty(const CLI::App& app) {
  for (const auto* option : app.get_options()) {
    for (const auto& value : option->results()) {
      if (value.empty() && option->get_items_expected_max() > 0) {
        std::cerr << "contract_tests: " << option->get_name()
                  << " must not be empty; give it a value, or leave it out\n";
        return false;
      }
    }
  }
  return true;
}

std::string describe_extra(const CLI::App& app, const std::string& extra) {
  if (!extra.starts_with('-')) {
    return "unexpected argument " + spec::text::in_quotes(extra);
  }
  std::vector<std::string> names;
  for (const auto* option : app.get_options()) {
    names.push_back(option->get_name());
  }
  return spec::text::unknown_flag(extra.substr(0, extra.find('=')), {names.begin(), names.end()});
}

std::optional<int> parse_command(CLI::App& app, int argc, char** argv) {
  app.allow_extras();
  app.set_help_flag("-h,--help", "Print this text, exit");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return error.get_exit_code() == 0 ? app.exit(error)
                                      : print_usage_error(app, {argv, argv + argc}, error);
  }
  if (!app.remaining().empty()) {
    std::cerr << "contract_tests: " << describe_extra(app, app.remaining().front())
              << "; see contract_tests " << argv[0] << " --help\n";
    return kUsage;
  }
  return none_is_empty(app) ? std::nullopt : std::optional(kUsage);
}

namespace {

// A further command is a line here, its declaration in the header and a file of its own.
constexpr std::array kCommands{
    Command{"compare", "OLD NEW", "Compare two runs: what is new, fixed, worse, and why",
            &run_compare},
    Command{"replay", "RUN [ID|CASE]", "Send the requests of findings again: are they fixed?",
            &run_replay},
    Command{"parity", "--base-url URL", "Compare the mock and a service: who is wrong?",
            &run_parity},
    Command{"recorded", "FILE", "Validate recorded calls (HAR), and report them like a run",
            &run_recorded},
    Command{"merge", "RUN...", "Make one run of the shards of a run", &run_merge},
};

}  // namespace

const Command* find_command(int argc, char** argv) {
  const std::string_view name = argc > 1 ? argv[1] : "";
  const auto* found = std::ranges::find(kCommands, name, &Command::name);
  return found == kCommands.end() ? nullptr : found;
}

std::vector<std::string_view> command_names() {
  std::vector<std::string_view> names;
  std::ranges::transform(kCommands, std::back_inserter(names), &Command::name);
  return names;
}

std::string commands_text() {
  constexpr std::size_t kColumn = 26;
  std::string text = "Commands (each has its own --help; a RUN is a run.json, or its folder):\n";
  for (const auto& command : kCommands) {
    auto line = "  " + std::string(command.name) + ' ' + std::string(command.arguments);
    line.resize(std::max(line.size() + 1, kColumn), ' ');
    text += line + std::string(command.says) + '\n';
  }
  return text;
}

}  // namespace contract_tests::program
