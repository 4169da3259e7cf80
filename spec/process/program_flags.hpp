#pragma once

// `--config FILE`: a program's flags in a file. The command line has precedence, then the
// environment, then the file. Called once, while the command line is defined.

#include <cstdint>
#include <map>
#include <span>
#include <string>

namespace CLI {

class App;

}  // namespace CLI

namespace spec::process {

// Adds --config and --print-config to `app`. A file may hold its flags and those of its subcommands
// that are configurable(). Parsing throws LoadError for an unusable file, with every problem and
// its line. A relative path, the value of an option that calls it FILE, DIR or FOLDER, is relative
// to the file's folder. A flag that was removed from `app` afterwards is reported as one of other
// commands. `variables`: a flag, with "--", and the variable that is read in its place, if CLI11
// does not know it. `app` must outlive its parsing.
void add_config_flags(CLI::App& app, const std::map<std::string, std::string>& variables = {});

}  // namespace spec::process

namespace CLI {

// Checks of a flag's value that both programs have, and messages that name the source of an invalid
// one.

class App;
class Validator;

}  // namespace CLI

namespace spec::process {

// A whole number within the bounds: text::why_not_whole().
CLI::Validator whole(std::uint64_t min, std::uint64_t max);

// A file that can be read: document::obstacle().
CLI::Validator readable_file();

// A message of CLI11, which names flags ("--port: must be ..."), with the environment variable in
// place of a flag that is not one of `arguments` and that the variable sets.
std::string name_variable(const CLI::App& app, std::string message,
                          std::span<const char* const> arguments);

}  // namespace spec::process

namespace CLI {

// A file for --config with every flag, its sentence and its default, all in comments.

class App;

}  // namespace CLI

namespace spec::process {

// The flags of `app` and its subcommands that may be in a file, in the groups of --help. Without a
// line break at the end.
std::string example_config(const CLI::App& app);

}  // namespace spec::process
