#include "mock_server/program/help.hpp"

#include "spec/text/quote.hpp"

#include <array>
#include <sstream>
#include <string_view>
#include <utility>

namespace mock_server::program {
namespace {

constexpr std::size_t kNameColumns = 32;
constexpr std::size_t kTextColumns = 66;

// The subcommands' words, in the order in which the usage lists them.
constexpr std::array<std::pair<std::string_view, std::string_view>, 4> kUsages{
    {{"run", "run [FLAGS] -- COMMAND..."},
     {"record", "record --from FILE --into FOLDER [FLAGS]"},
     {"state", "state export|import FILE --state sqlite:FILE [--session NAME]"},
     {"healthcheck", "healthcheck URL"}}};

}  // namespace

HelpFormatter::HelpFormatter() {
  column_width(kNameColumns);
}

std::string HelpFormatter::make_usage(const CLI::App* app, std::string name) const {
  const bool is_of_all = app->get_parent() == nullptr;
  std::string usage = is_of_all ? "Usage: " + name + " [FLAGS]\n" : "";
  for (const auto& [subcommand, words] : kUsages) {
    if (is_of_all || app->get_name() == subcommand) {
      usage.append(usage.empty() ? "Usage: mock_server " : "       mock_server ")
          .append(words)
          .append("\n");
    }
  }
  return usage;
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
