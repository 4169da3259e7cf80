#pragma once

// A file for --config with every flag, its sentence and its default, all in comments.

#include <string>

namespace CLI {
class App;
}

namespace spec::flags {

// Of the flags of `app` and its subcommands that may be in a file, in the groups of --help. Without
// a line break at the end.
std::string example_config(const CLI::App& app);

}  // namespace spec::flags
