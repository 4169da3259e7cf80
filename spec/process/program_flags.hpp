#pragma once

// A program's flags: in a file (`--config FILE`), checks of their values, and messages that name
// the source of an invalid one.

#include <cstdint>
#include <initializer_list>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace CLI {

class App;
class Validator;

}  // namespace CLI

namespace spec::process {

// Adds --config and --print-config to `app`. The command line has precedence, then the environment,
// then the file. Called once, while the command line is defined. A file may hold its flags and
// those of its subcommands that are configurable(). Parsing throws LoadError for an unusable file,
// with every problem and its line. A relative path, the value of an option that calls it FILE, DIR
// or FOLDER, is relative to the file's folder. A flag that was removed from `app` afterwards is
// reported as one of other commands. `variables`: a flag, with "--", and the variable that is read
// in its place, if CLI11 does not know it. `app` must outlive its parsing.
void add_config_flags(CLI::App& app, const std::map<std::string, std::string>& variables = {});

// A whole number within the bounds: text::whole_number_error().
CLI::Validator whole(std::uint64_t min, std::uint64_t max);

// One of `words`; where none is near to what came, the message ends with `otherwise`.
CLI::Validator one_of(std::initializer_list<const char*> words, const char* otherwise = "");

// A file that can be read: document::obstacle().
CLI::Validator readable_file();

// The error about an argument as the contract's file; "" if it can be that. `arguments` are all:
// the contract may be named with --contract already. `commands`: what it may have been meant to be.
std::string why_no_contract(const std::string& given, const std::vector<std::string>& arguments,
                            const std::vector<std::string_view>& commands);

// A message of CLI11, which names flags ("--port: must be ..."), with the environment variable in
// place of a flag that is not one of `arguments` and that the variable sets.
std::string name_variable(const CLI::App& app, std::string message,
                          std::span<const char* const> arguments);

// A file for --config with every flag of `app` and its subcommands that may be in one, its sentence
// and its default, all in comments, in the groups of --help. Without a line break at the end.
std::string example_config(const CLI::App& app);

}  // namespace spec::process
