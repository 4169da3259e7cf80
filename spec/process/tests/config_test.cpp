// Flags in a file: precedence, rejected flags, and the commented file with all of them.

#include "spec/load_error.hpp"
#include "spec/process/program_flags.hpp"
#include "spec/tests/folder.hpp"
#include "spec/tests/rows.hpp"

#include <CLI/CLI.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <ostream>
#include <string>
#include <vector>

namespace spec::process {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// A program with a flag of each kind.
class Program {
 public:
  Program() {
    app.add_option("--jobs,--workers", jobs, "Run N cases at the same time")
        ->check(CLI::Range(1, 64))
        ->capture_default_str()
        ->type_name("N");
    app.add_option("--url", url, "Server to test")->envname("CONFIG_TEST_URL")->type_name("URL");
    app.add_option("--token", token, "Token")->type_name("TOKEN");
    app.add_option("--contract", contract, "A contract")->type_name("FILE");
    app.add_option("--fixtures", fixtures, "Folders")->take_all()->type_name("DIR");
    app.add_flag("--quiet", quiet, "Do not log");
    app.add_flag("--list", list, "Print, exit")->configurable(false);
    app.add_subcommand("run", "Run")
        ->fallthrough()
        ->add_option("--junit", junit, "A report")
        ->type_name("FILE");
    app.set_version_flag("--version", "program 1");
    add_config_flags(app, {{"--token", "CONFIG_TEST_KEY"}});
  }

  void parse(std::vector<std::string> arguments) {
    std::ranges::reverse(arguments);
    app.parse(arguments);
  }

  CLI::App app{"A program", "program"};
  int jobs = 1;
  std::string url;
  std::string token;
  std::string contract;
  std::vector<std::string> fixtures;
  bool quiet = false;
  bool list = false;
  std::string junit;
};

class Config : public testing::Test {
 protected:
  ~Config() override {
    ::unsetenv("CONFIG_TEST_URL");
    ::unsetenv("CONFIG_TEST_KEY");
  }

  void parse(const std::string& text, std::vector<std::string> arguments = {}) {
    arguments.insert(arguments.end(), {"--config", folder_.write("ci/f.toml", text).string()});
    program_.parse(std::move(arguments));
  }

  std::string in_folder(const std::string& name) const {
    return (folder_.path() / "ci" / name).string();
  }

  test_support::Folder folder_;
  Program program_;
};

TEST_F(Config, gives_flags_their_values) {
  parse("jobs = 4\nurl = \"http://h/\"\nquiet = true\nfixtures = [\"/a\", \"/b\"]\n");

  EXPECT_EQ(program_.jobs, 4);
  EXPECT_EQ(program_.url, "http://h/");
  EXPECT_TRUE(program_.quiet);
  EXPECT_THAT(program_.fixtures, ElementsAre("/a", "/b"));
}

TEST_F(Config, comes_after_the_command_line_and_the_environment) {
  ::setenv("CONFIG_TEST_URL", "http://environment/", 1);
  ::setenv("CONFIG_TEST_KEY", "key", 1);

  parse("jobs = 4\nurl = \"http://file/\"\ntoken = file\nquiet = true\nfixtures = /file",
        {"--jobs", "2", "--quiet=false", "--fixtures", "/given"});

  EXPECT_EQ(program_.jobs, 2);
  EXPECT_EQ(program_.url, "http://environment/");
  EXPECT_EQ(program_.token, "");  // whoever reads the variable has it
  EXPECT_FALSE(program_.quiet);
  EXPECT_THAT(program_.fixtures, ElementsAre("/given"));
}

TEST_F(Config, and_not_the_environment_comes_after_an_argument_that_is_in_all_three) {
  ::setenv("CONFIG_TEST_URL", "http://environment/", 1);

  parse("url = \"http://file/\"", {"--url", "http://given/"});

  EXPECT_EQ(program_.url, "http://given/");
}

TEST_F(Config, has_paths_that_start_at_its_folder) {
  parse("contract = api.yaml\nfixtures = [records, /elsewhere]\njunit = \"../out/j.xml\"");

  EXPECT_EQ(program_.contract, in_folder("api.yaml"));
  EXPECT_THAT(program_.fixtures, ElementsAre(in_folder("records"), "/elsewhere"));
  EXPECT_EQ(program_.junit, in_folder("../out/j.xml"));
}

TEST_F(Config, may_be_named_after_a_subcommand) {
  parse("junit = /j.xml", {"run"});

  EXPECT_EQ(program_.junit, "/j.xml");
}

TEST_F(Config, is_not_read_for_help_and_version) {
  EXPECT_THROW(parse("[no]", {"--help"}), CLI::CallForHelp);
  EXPECT_THROW(parse("[no]", {"--version"}), CLI::CallForVersion);
}

struct RejectedCase {
  std::string name;
  std::string text;
  std::string said;  // after the name of the file
};

void PrintTo(const RejectedCase& one, std::ostream* out) {
  *out << one.name;
}

class RejectedConfig : public Config, public testing::WithParamInterface<RejectedCase> {};

TEST_P(RejectedConfig, is_one_line_with_its_place) {
  try {
    parse(GetParam().text);
    FAIL() << "it was accepted";
  } catch (const LoadError& error) {
    EXPECT_EQ(std::string(error.what()), in_folder("f.toml") + ':' + GetParam().said);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Files, RejectedConfig,
    testing::Values(
        RejectedCase{"unknown_flag", "\njbos = 4",
                     "2:1: there is no flag jbos; did you mean jobs?"},
        RejectedCase{"flag_with_dashes", "--jobs = 4",
                     "1:1: there is no flag --jobs; did you mean jobs?"},
        RejectedCase{"underscore", "work_ers = 4",
                     "1:1: there is no flag work_ers; did you mean workers?"},
        RejectedCase{"value_out_of_range", "jobs = 65", "1:1: jobs: Value 65 not in range 1 to 64"},
        RejectedCase{"no_number", "jobs = many", "1:1: jobs: Value many not in range 1 to 64"},
        RejectedCase{"no_switch", "quiet = yes", "1:1: quiet: must be true or false, but is yes"},
        RejectedCase{"list_for_a_switch", "quiet = [true]",
                     "1:1: quiet: must be one value, but is a list"},
        RejectedCase{"list_for_one_value", "jobs = [1, 2]",
                     "1:1: jobs: must be one value, but is a list"},
        RejectedCase{"empty_value", "url = \"\"",
                     "1:1: url: must not be empty; give it a value, or leave it out"},
        RejectedCase{"empty_list", "fixtures = []",
                     "1:1: fixtures: must not be empty; give it a value, or leave it out"},
        RejectedCase{
            "twice", "jobs = 4\nworkers = 5",
            "2:1: workers: given twice, first in line 1; several values are a list, NAME = "
            "[A, B]"},
        RejectedCase{"flag_that_ends_the_program", "list = true",
                     "1:1: list: only for the command line"},
        RejectedCase{"help", "help = true", "1:1: help: only for the command line"},
        RejectedCase{"another_file", "config = \"g.toml\"",
                     "1:1: config: only for the command line"},
        RejectedCase{"section", "[run]\njunit = j",
                     "1:1: sections are not used; write NAME = VALUE without one"}),
    tests::kRowNames);

TEST_F(Config, names_every_problem_in_the_order_of_its_lines) {
  try {
    parse("jbos = 4\n[run]\nquiet = 3\n");
    FAIL() << "it was accepted";
  } catch (const LoadError& error) {
    EXPECT_THAT(error.problems(),
                ElementsAre(testing::Field(&Problem::line, 1U), testing::Field(&Problem::line, 2U),
                            testing::Field(&Problem::line, 3U)));
  }
}

TEST_F(Config, must_be_a_file) {
  const auto said = [](const std::string& file) {
    try {
      Program().parse({"--config", file});
      return std::string();
    } catch (const LoadError& error) {
      return std::string(error.what());
    }
  };

  EXPECT_EQ(said("/no/such.toml"), "/no/such.toml: no such file (--config)");
  EXPECT_EQ(said(folder_.path().string()),
            folder_.path().string() + ": a folder, not a file (--config)");
  EXPECT_EQ(said("/dev/zero"), "/dev/zero: not a regular file (--config)");
  EXPECT_EQ(said(""), "--config: must not be empty; give it a value, or leave it out");
  EXPECT_EQ(said(folder_.write("large.toml", std::string(1025 * 1024, '#')).string()),
            (folder_.path() / "large.toml").string() + ": larger than 1 MiB (--config)");
}

TEST_F(Config, has_every_flag_that_it_may_hold_in_the_example) {
  EXPECT_EQ(
      example_config(program_.app),
      "# Every flag of program, for --config FILE. Remove the # before a line to use it. "
      "Flags on the\n"
      "# command line come first, then variables of the environment, then this file. Relative "
      "paths start\n"
      "# at the folder of this file. A token is safer in the environment.\n"
      "\n## Options\n"
      "\n# Run N cases at the same time\n#jobs = 1\n"
      "\n# Server to test; or set CONFIG_TEST_URL\n#url = \"URL\"\n"
      "\n# Token\n#token = \"TOKEN\"\n"
      "\n# A contract\n#contract = \"FILE\"\n"
      "\n# Folders\n#fixtures = [\"DIR\"]\n"
      "\n# Do not log\n#quiet = false\n"
      "\n## For program run alone\n"
      "\n# A report\n#junit = \"FILE\"");
}

TEST_F(Config, is_printed_as_an_example_by_a_flag) {
  try {
    program_.parse({"--print-config"});
    FAIL() << "it went on";
  } catch (const CLI::Success& end) {
    EXPECT_THAT(end.what(), HasSubstr("#jobs = 1\n"));
  }
}

}  // namespace
}  // namespace spec::process
