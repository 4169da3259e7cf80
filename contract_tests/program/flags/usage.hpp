#pragma once

// Exit codes, and what every command line of this program does with mistakes: one line on standard
// error, exit code 2.

#include <optional>
#include <span>
#include <string>

namespace CLI {
class App;
class ParseError;
}  // namespace CLI

namespace contract_tests::program::flags {

// Exit codes beside 0, passed, and 1, failed.
inline constexpr int kUsage = 2;  // or it could not start
inline constexpr int kInconclusive = 3;

// Prints the parser's message about `arguments`, or a variable, in one line; gives kUsage.
int print_usage_error(const CLI::App& app, std::span<const char* const> arguments,
                      const CLI::ParseError& error);

// Whether no flag has an empty value, which is a mistake: an unset variable in a script, say.
bool none_is_empty(const CLI::App& app);

// "there is no flag --base-ur; did you mean --base-url?"
std::string describe_extra(const CLI::App& app, const std::string& extra);

// Parses the arguments of a command. The exit code of --help or of a mistake, which is printed;
// nothing when the command may begin.
std::optional<int> parse_command(CLI::App& app, int argc, char** argv);

}  // namespace contract_tests::program::flags
