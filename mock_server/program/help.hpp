#pragma once

// How --help shows flags: "--contract FILE", the default at the end of the description, lines of at
// most 100 columns.

#include <CLI/CLI.hpp>

#include <string>

namespace mock_server::program {

class HelpFormatter : public CLI::Formatter {
 public:
  HelpFormatter();

  std::string make_usage(const CLI::App* app, std::string name) const override;
  std::string make_subcommand(const CLI::App* sub) const override;
  std::string make_option_opts(const CLI::Option* option) const override;
  std::string make_option_desc(const CLI::Option* option) const override;
};

}  // namespace mock_server::program
