#include "spec/process/program_flags.hpp"

#include "spec/document/text_file.hpp"
#include "spec/load_error.hpp"
#include "spec/process/config_text.hpp"
#include "spec/text/ascii.hpp"
#include "spec/text/names.hpp"
#include "spec/text/quote.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace spec::process {

namespace {

namespace fs = std::filesystem;

constexpr const char* kEmpty = "must not be empty; give it a value, or leave it out";

// The options of `app` and its subcommands.
std::vector<CLI::Option*> options_of(CLI::App& app) {
  auto options = app.get_options();
  for (CLI::App* sub : app.get_subcommands([](const CLI::App*) { return true; })) {
    const auto more = sub->get_options();
    options.insert(options.end(), more.begin(), more.end());
  }
  return options;
}

bool is_path(const CLI::Option& option) {
  const auto type = option.get_type_name();
  const auto word = std::string_view(type).substr(0, type.find(':'));
  return word == "FILE" || word == "DIR" || word == "FOLDER";
}

std::vector<std::string> names_of(CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* const option : options_of(app)) {
    names.insert(names.end(), option->get_lnames().begin(), option->get_lnames().end());
  }
  return names;
}

// The program's flags beside those of the app.
struct KnownFlags {
  std::map<std::string, std::string> variables;
  std::vector<std::string> names;  // of the program, though a command may have removed them
};

class ConfigFile {
 public:
  ConfigFile(CLI::App& app, const KnownFlags& known, std::string file)
      : options_(options_of(app)),
        program_(app.get_name()),
        known_(known),
        file_(std::move(file)) {}

  void apply() {
    if (file_.empty()) {
      throw LoadError(Problem{"--config", 0, 0, "", kEmpty});
    }
    const auto text = document::read_file(file_, document::kMebibyte);
    if (!text) {
      throw LoadError(Problem{file_, 0, 0, "", text.error() + " (--config)"});
    }
    auto read = read_config_text(text.value(), file_);
    problems_ = std::move(read.problems);
    for (auto& line : read.lines) {
      at_ = {.file = file_, .line = line.line, .column = line.column, .pointer = "", .message = ""};
      take(line);
    }
    if (!problems_.empty()) {
      std::ranges::stable_sort(problems_, {}, &Problem::line);
      throw LoadError(problems_);
    }
  }

 private:
  void note(std::string message) {
    problems_.push_back(at_);
    problems_.back().message = std::move(message);
  }

  CLI::Option* option_of(const std::string& name) const {
    const auto found = std::ranges::find_if(options_, [&name](const CLI::Option* option) {
      return std::ranges::find(option->get_lnames(), name) != option->get_lnames().end();
    });
    return found == options_.end() ? nullptr : *found;
  }

  std::string unknown(const std::string& name) const {
    if (std::ranges::find(known_.names, name) != known_.names.end()) {
      return name + ": " + program_ +
             " does not have this flag; leave it out, or give the command a file of its own";
    }
    std::vector<std::string_view> names;
    for (const CLI::Option* const option : options_) {
      if (option->get_configurable()) {
        names.insert(names.end(), option->get_lnames().begin(), option->get_lnames().end());
      }
    }
    return text::unknown_flag(name, names);
  }

  void take(ConfigLine& line) {
    CLI::Option* const option = option_of(line.name);
    if (option == nullptr) {
      note(unknown(line.name));
    } else if (!option->get_configurable()) {
      note(line.name + ": only for the command line");
    } else if (const auto [first, is_new] = lines_.try_emplace(option, at_.line); !is_new) {
      note(line.name + ": given twice, first in line " + std::to_string(first->second) +
           "; several values are a list, NAME = [A, B]");
    } else if (const auto why = why_not(*option, line); !why.empty()) {
      note(line.name + ": " + why);
    } else if (option->count() == 0 && !is_in_environment(line.name)) {
      give(*option, line);
    }
  }

  static std::string why_not(const CLI::Option& option, const ConfigLine& line) {
    if (line.values.empty() || std::ranges::count(line.values, std::string()) > 0) {
      return kEmpty;
    }
    const bool is_switch = option.get_items_expected_max() == 0;
    if (line.is_list && (is_switch || option.get_items_expected_max() == 1)) {
      return "must be one value, but is a list";
    }
    if (is_switch && line.values.front() != "true" && line.values.front() != "false") {
      return "must be true or false, but is " + line.values.front();
    }
    return "";
  }

  bool is_in_environment(const std::string& name) const {
    const auto found = known_.variables.find("--" + name);
    const char* const value =
        found == known_.variables.end() ? nullptr : std::getenv(found->second.c_str());
    return value != nullptr && *value != '\0';
  }

  void give(CLI::Option& option, ConfigLine& line) {
    for (auto& value : line.values) {
      if (is_path(option) && fs::path(value).is_relative()) {
        value = (fs::path(file_).parent_path() / value).string();
      }
    }
    try {
      option.add_result(std::move(line.values));
      option.run_callback();
    } catch (const CLI::ParseError& error) {
      const std::string_view message = error.what();
      note(std::string(message.substr(message.starts_with("--") ? 2 : 0)));
    }
  }

  std::vector<CLI::Option*> options_;
  std::string program_;
  const KnownFlags& known_;
  std::string file_;
  Problem at_;                                       // the place of a line
  std::map<const CLI::Option*, std::size_t> lines_;  // the line of each flag
  std::vector<Problem> problems_;
};

bool is_given(const CLI::Option* option) {
  return option != nullptr && option->count() > 0;
}

}  // namespace

// Callbacks of options run when the command line and the environment are read.
void add_config_flags(CLI::App& app, const std::map<std::string, std::string>& variables) {
  constexpr const char* kGroup = "Flags in a file";
  const std::string name = app.get_name();  // with that of a command, which may print no file
  const std::string program = name.substr(0, name.find(' '));
  app.add_option_function<std::string>(
         "--config",
         [&app, known = KnownFlags{variables, names_of(app)}](const std::string& file) {
           if (!is_given(app.get_help_ptr()) && !is_given(app.get_version_ptr())) {
             ConfigFile(app, known, file).apply();
           }
         },
         "File of flags, NAME = VALUE; see " + program + " --print-config")
      ->option_text("FILE")
      ->type_name("FILE")
      ->group(kGroup)
      ->configurable(false);
  app.add_flag_callback(
         "--print-config",
         [&app] { throw CLI::CallForVersion(example_config(app), 0); },  // prints it and ends
         "Print a file for --config with every flag in a comment, exit")
      ->group(kGroup)
      ->configurable(false);
}

namespace {

constexpr std::size_t kColumns = 98;

void add_prose(std::string& out, std::string_view text) {
  std::string line(text);
  std::ranges::replace(line, '\n', ' ');
  for (const char letter : "# " + text::wrapped(line, kColumns)) {
    out += letter;
    out += letter == '\n' ? "# " : "";
  }
  out += '\n';
}

bool is_number(std::string_view word) {
  static constexpr std::array<std::string_view, 4> kWords{"N", "MS", "SECONDS", "PERCENT"};
  return std::ranges::find(kWords, word) != kWords.end() ||
         text::parse_number<double>(word).has_value();
}

// The default or, without one, the placeholder of the value.
std::string value_of(const CLI::Option& option) {
  if (option.get_items_expected_max() == 0) {
    return "false";
  }
  const auto type = option.get_type_name();
  const auto value =
      option.get_default_str().empty() ? type.substr(0, type.find(':')) : option.get_default_str();
  const auto quoted = is_number(value) ? value : '"' + value + '"';
  return option.get_items_expected_max() > 1 ? '[' + quoted + ']' : quoted;
}

void add_option(std::string& out, const CLI::Option& option) {
  auto prose = option.get_description();
  if (const auto variable = option.get_envname();
      !variable.empty() && prose.find(variable) == std::string::npos) {
    prose += "; or set " + variable;
  }
  out += '\n';
  add_prose(out, prose);
  out += '#' + option.get_lnames().front() + " = " + value_of(option) + '\n';
}

void add_options(std::string& out, const CLI::App& app, const std::string& group,
                 const std::string& title) {
  const auto options = app.get_options([&group](const CLI::Option* option) {
    return option->get_group() == group && option->get_configurable();
  });
  if (!options.empty()) {
    out += "\n## " + title + '\n';
  }
  for (const CLI::Option* const option : options) {
    add_option(out, *option);
  }
}

}  // namespace

std::string example_config(const CLI::App& app) {
  std::string out;
  add_prose(out,
            "Every flag of " + app.get_name() +
                ", for --config FILE. Remove the # before a line to use it. Flags on the command "
                "line come first, then variables of the environment, then this file. Relative "
                "paths start at the folder of this file. A token is safer in the environment.");
  for (const auto& group : app.get_groups()) {
    add_options(out, app, group, group);
  }
  for (const CLI::App* const sub : app.get_subcommands([](const CLI::App*) { return true; })) {
    for (const auto& group : sub->get_groups()) {
      add_options(out, *sub, group, "For " + app.get_name() + ' ' + sub->get_name() + " alone");
    }
  }
  out.pop_back();
  return out;
}

namespace {

// The position of `flag` as a word of `message`; npos if it is missing.
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
      [min, max](const std::string& text) { return text::whole_number_error(text, min, max); }, "");
}

CLI::Validator one_of(std::initializer_list<const char*> words, const char* otherwise) {
  return CLI::Validator(
      [known = std::vector<std::string_view>(words.begin(), words.end()),
       otherwise](const std::string& given) {
        if (std::ranges::find(known, given) != known.end()) {
          return std::string();
        }
        std::string list;
        for (const auto word : known) {
          text::append_to_list(list, word);
        }
        const auto meant = text::did_you_mean(given, known);
        return "must be one of " + list + ", but is " + given + (meant.empty() ? otherwise : meant);
      },
      "");
}

CLI::Validator readable_file() {
  return CLI::Validator(
      [](const std::string& file) {
        const std::string why = document::obstacle(file);
        return why.empty() ? "" : why + ": " + file;
      },
      "");
}

std::string why_no_contract(const std::string& given, const std::vector<std::string>& arguments,
                            const std::vector<std::string_view>& commands) {
  if (std::ranges::any_of(arguments, [](const std::string& argument) {
        return argument == "--contract" || argument.starts_with("--contract=");
      })) {
    return "unexpected argument " + text::in_quotes(given) +
           ": --contract names the contract already; leave one of the two out";
  }
  const auto why = document::obstacle(given);
  return why.empty() ? ""
                     : text::in_quotes(given) + " is neither a command nor a contract (" + why +
                           ')' + text::suggest_known(given, commands);
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

}  // namespace spec::process
