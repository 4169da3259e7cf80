#pragma once

// Commands beside testing a server: `contract_tests compare OLD NEW`. Without one the arguments are
// those of a run (options.hpp).

#include <string>
#include <string_view>

namespace contract_tests::program::commands {

struct Command {
  std::string_view name;
  std::string_view arguments;  // "OLD NEW", for --help
  std::string_view says;       // what it does, in one line of --help
  // Takes the arguments behind the name, with the name itself as the first; gives the exit code.
  // Problems of files are spec::LoadErrors.
  int (*run)(int argc, char** argv);
};

// The command that the first argument names; null where it names none.
const Command* find_command(int argc, char** argv);

// The commands as --help lists them.
std::string commands_text();

int run_compare(int argc, char** argv);
int run_merge(int argc, char** argv);
int run_parity(int argc, char** argv);
int run_recorded(int argc, char** argv);
int run_replay(int argc, char** argv);

}  // namespace contract_tests::program::commands
