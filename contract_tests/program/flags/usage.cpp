#include "contract_tests/program/flags/usage.hpp"

#include "spec/process/program_flags.hpp"
#include "spec/text/names.hpp"
#include "spec/text/quote.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <iostream>
#include <vector>

namespace contract_tests::program::flags {

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

}  // namespace contract_tests::program::flags
