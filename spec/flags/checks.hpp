#pragma once

// What both programs check of a flag's value, and how they say where a wrong one is from.

#include <cstdint>
#include <span>
#include <string>

namespace CLI {
class App;
class Validator;
}  // namespace CLI

namespace spec::flags {

// A whole number within the bounds: text::why_not_whole().
CLI::Validator whole(std::uint64_t min, std::uint64_t max);

// A file that can be read: document::obstacle().
CLI::Validator readable_file();

// A message of CLI11, which names flags ("--port: must be ..."), with the variable of the
// environment in place of a flag that none of `arguments` is, and that the variable sets.
std::string name_variable(const CLI::App& app, std::string message,
                          std::span<const char* const> arguments);

}  // namespace spec::flags
