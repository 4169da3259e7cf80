#include "mock_server/program/help.hpp"

#include "spec/text/quote.hpp"

#include <sstream>

namespace mock_server::program {
namespace {

constexpr std::size_t kNameColumns = 32;
constexpr std::size_t kTextColumns = 66;

}  // namespace

HelpFormatter::HelpFormatter() {
  column_width(kNameColumns);
}

std::string HelpFormatter::make_usage(const CLI::App* app, std::string name) const {
  if (app->get_parent() != nullptr) {
    return app->get_name() == "run" ? "Usage: mock_server run [FLAGS] -- COMMAND...\n"
                                    : "Usage: mock_server " + app->get_name() + " URL\n";
  }
  return "Usage: " + name + " [FLAGS]\n       " + name + " run [FLAGS] -- COMMAND...\n       " +
         name + " healthcheck URL\n";
}

std::string HelpFormatter::make_subcommand(const CLI::App* sub) const {
  std::ostringstream out;
  CLI::detail::format_help(out, "  " + sub->get_name(),
                           spec::text::wrapped(sub->get_description(), kTextColumns), kNameColumns);
  return out.str();
}

// CLI11 appends what validators check after a colon: "FILE:FILE".
std::string HelpFormatter::make_option_opts(const CLI::Option* option) const {
  if (option->get_type_size() == 0) {
    return "";
  }
  const std::string type = option->get_type_name();
  return ' ' + type.substr(0, type.find(':'));
}

std::string HelpFormatter::make_option_desc(const CLI::Option* option) const {
  std::string text = option->get_description();
  if (!option->get_default_str().empty()) {
    text += " (default " + option->get_default_str() + ')';
  }
  return spec::text::wrapped(text, kTextColumns);
}

}  // namespace mock_server::program
