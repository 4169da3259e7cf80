#include "spec/flags/checks.hpp"

#include "spec/document/file.hpp"
#include "spec/text/ascii.hpp"
#include "spec/text/number.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdlib>
#include <string_view>

namespace spec::flags {
namespace {

// Where `flag` is a word of `message`; npos if nowhere.
std::size_t find_word(std::string_view message, std::string_view flag) {
  for (auto at = message.find(flag); at != std::string_view::npos;
       at = message.find(flag, at + 1)) {
    const auto end = at + flag.size();
    if (end == message.size() || !(text::is_letter_or_digit(message[end]) || message[end] == '-')) {
      return at;
    }
  }
  return std::string_view::npos;
}

}  // namespace

CLI::Validator whole(std::uint64_t min, std::uint64_t max) {
  return CLI::Validator(
      [min, max](const std::string& text) { return text::why_not_whole(text, min, max); }, "");
}

CLI::Validator readable_file() {
  return CLI::Validator(
      [](const std::string& file) {
        const std::string why = document::obstacle(file);
        return why.empty() ? "" : why + ": " + file;
      },
      "");
}

std::string name_variable(const CLI::App& app, std::string message,
                          std::span<const char* const> arguments) {
  for (const CLI::Option* const option : app.get_options()) {
    if (option->get_lnames().empty() || option->get_envname().empty() ||
        std::getenv(option->get_envname().c_str()) == nullptr) {
      continue;
    }
    const std::string flag = "--" + option->get_lnames().front();
    const bool is_given = std::ranges::any_of(arguments, [&flag](std::string_view argument) {
      return argument == flag || argument.starts_with(flag + '=');
    });
    const auto at = find_word(message, flag);
    if (!is_given && at != std::string::npos) {
      message.replace(at, flag.size(), option->get_envname());
    }
  }
  return message;
}

}  // namespace spec::flags
