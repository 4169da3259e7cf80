#include "contract_tests/program/commands/command.hpp"

#include <algorithm>
#include <array>

namespace contract_tests::program::commands {

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

}  // namespace contract_tests::program::commands
