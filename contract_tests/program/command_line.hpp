#pragma once

// Flags as --help shows them: in a group, wrapped. For the flags of a run and those that a command
// has beside them.

#include "spec/text/quote.hpp"

#include <CLI/CLI.hpp>

#include <cstddef>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace contract_tests::program {

inline constexpr std::size_t kTextColumns = 68;  // beside the column of the flags

// The values of --annotate.
inline constexpr std::initializer_list<const char*> kCodeHosts = {"auto", "github", "gitlab",
                                                                  "none"};

// An option as --help shows it: "--contract FILE".
struct Usage {
  const char* name;
  const char* value;
};

template <typename Value>
CLI::Option* add(CLI::App& app, const char* group, const Usage& usage, Value& variable,
                 const char* text) {
  CLI::Option* const option =
      app.add_option(usage.name, variable, spec::text::wrapped(text, kTextColumns))
          ->group(group)
          ->option_text(usage.value)
          ->type_name(usage.value);
  if constexpr (std::is_arithmetic_v<Value>) {
    return variable == Value{} ? option : option->capture_default_str();  // none: no limit
  }
  return option;
}

inline CLI::Option* add_flag(CLI::App& app, const char* group, const char* name, bool& variable,
                             const char* text) {
  return app.add_flag(name, variable, spec::text::wrapped(text, kTextColumns))->group(group);
}

// An argument without a flag.
template <typename Value>
CLI::Option* add_argument(CLI::App& app, const char* group, const char* name, Value& variable,
                          const char* text) {
  return app.add_option(name, variable, text)->group(group)->option_text(" ");
}

// Another text for a flag that means something else for a command.
inline void describe(CLI::App& app, const char* name, const char* text) {
  app.get_option(name)->description(spec::text::wrapped(text, kTextColumns));
}

inline void remove_flags(CLI::App& app, std::initializer_list<const char*> names) {
  for (const char* name : names) {
    app.remove_option(app.get_option(name));
  }
}

}  // namespace contract_tests::program

namespace CLI {

// Exit codes, and what every command line of this program does with mistakes: one line on standard
// error, exit code 2.

class App;
class ParseError;

}  // namespace CLI

namespace contract_tests::program {

// Exit codes beside 0, passed, and 1, failed.
inline constexpr int kUsage = 2;  // or it could not start
inline constexpr int kInconclusive = 3;

// Prints the parser's message about `arguments`, or a variable, in one line; gives kUsage.
int print_usage_error(const CLI::App& app, std::span<const char* const> arguments,
                      const CLI::ParseError& error);

// True if no flag has an empty value, which is a mistake: an unset variable in a script, for
// example.
bool none_is_empty(const CLI::App& app);

// "there is no flag --base-ur; did you mean --base-url?"
std::string describe_extra(const CLI::App& app, const std::string& extra);

// Parses the arguments of a command. The exit code of --help or of a mistake, which is printed;
// nothing when the command may begin.
std::optional<int> parse_command(CLI::App& app, int argc, char** argv);

// Commands beside testing a server: `contract_tests compare OLD NEW`. Without one the arguments are
// those of a run (run_options.hpp).

struct Command {
  std::string_view name;
  std::string_view arguments;  // "OLD NEW", for --help
  std::string_view says;       // what it does, in one line of --help
  // Takes the arguments behind the name, with the name itself as the first; gives the exit code.
  // Problems of files are spec::LoadErrors.
  int (*run)(int argc, char** argv);
};

// The command that the first argument names; null if it names none.
const Command* find_command(int argc, char** argv);

std::vector<std::string_view> command_names();

// The commands as --help lists them.
std::string commands_text();

int run_compare(int argc, char** argv);
int run_merge(int argc, char** argv);
int run_parity(int argc, char** argv);
int run_recorded(int argc, char** argv);
int run_replay(int argc, char** argv);

}  // namespace contract_tests::program
