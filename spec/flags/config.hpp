#pragma once

// `--config FILE`: flags of a program in a file. On the command line they come first, then in the
// environment, then in the file. Called once, while the command line is made.

#include <map>
#include <string>

namespace CLI {
class App;
}

namespace spec::flags {

// Adds --config and --print-config to `app`. A file may hold its flags and those of its subcommands
// that are configurable(). Parsing throws LoadError for a file that cannot be used, with every
// problem and its line. A relative path, the value of an option that calls it FILE, DIR or FOLDER,
// starts at the file's folder. A flag that was removed from `app` afterwards is named as one of
// others. `variables`: a flag, with "--", and the variable that is read in its place, where CLI11
// does not know it. `app` must outlive its parsing.
void add_config_flags(CLI::App& app, const std::map<std::string, std::string>& variables = {});

}  // namespace spec::flags
