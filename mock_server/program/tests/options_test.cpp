// The command line: which fixtures are played, and which numbers are none.

#include "mock_server/program/program_options.hpp"
#include "spec/load_error.hpp"
#include "spec/process/data_root.hpp"
#include "spec/tests/folder.hpp"
#include "spec/tests/paths.hpp"
#include "spec/tests/rows.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <sstream>
#include <string>
#include <vector>

namespace mock_server::program {
namespace {

namespace fs = std::filesystem;

fs::path shipped() {
  return *spec::process::find_data_root(spec::process::executable_path()) / "fixtures";
}

const fs::path kExample = fs::path(test_paths::source()) / "mock_server/mock_server.example.toml";

CommandLine parse(std::vector<std::string> flags) {
  flags.insert(flags.begin(), "mock_server");
  std::vector<char*> words;
  for (std::string& flag : flags) {
    words.push_back(flag.data());
  }
  return parse_command_line(static_cast<int>(words.size()), words.data());
}

// The folders that are read, by their canonical paths.
std::vector<fs::path> folders(const std::vector<std::string>& flags) {
  const CommandLine parsed = parse(flags);
  std::vector<fs::path> read;
  for (const fs::path& folder : parsed.options.value().api.folders) {
    read.push_back(fs::canonical(folder));
  }
  return read;
}

struct FoldersCase {
  std::string name;
  std::vector<std::string> flags;
  std::vector<fs::path> expected;
};

using Folders = spec::tests::RowTest;

TEST_P(Folders, are_the_shipped_ones_before_the_callers) {
  const FoldersCase& row = GetParam();

  EXPECT_EQ(folders(row.flags), row.expected);
}

std::vector<FoldersCase> folder_cases() {
  const fs::path mine = fs::canonical(testing::TempDir());
  const std::string contract = (shipped().parent_path() / "spec/payments.openapi.yaml").string();
  const std::string winding = (shipped() / ".." / "fixtures").string();
  return {
      {"without_flags", {}, {shipped()}},
      {"beside", {"--fixtures", mine.string()}, {shipped(), mine}},
      {"alone", {"--no-default-fixtures", "--fixtures", mine.string()}, {mine}},
      {"none", {"--no-default-fixtures"}, {}},
      {"named_by_the_caller_too", {"--fixtures", winding}, {shipped()}},
      {"named_last", {"--fixtures", mine.string(), "--fixtures", winding}, {mine, shipped()}},
      {"of_another_contract", {"--contract", contract}, {}},
      {"beside_another_contract", {"--contract", contract, "--fixtures", mine.string()}, {mine}},
  };
}

INSTANTIATE_TEST_SUITE_P(CommandLine, Folders, testing::ValuesIn(spec::tests::rows(folder_cases())),
                         spec::tests::kRowNames);

struct NumberCase {
  std::string name;
  std::vector<std::string> flags;
  std::string said;
};

using Numbers = spec::tests::RowTest;

TEST_P(Numbers, that_a_flag_cannot_hold_are_rejected_with_its_range) {
  const NumberCase& row = GetParam();

  testing::internal::CaptureStderr();

  const CommandLine parsed = parse(row.flags);

  EXPECT_THAT(testing::internal::GetCapturedStderr(), testing::HasSubstr(row.said));
  EXPECT_FALSE(parsed.options);
  EXPECT_EQ(parsed.exit_code, 2);
}

const std::vector<NumberCase> kCommandLineNumbers = {
    {"seed_too_large",
     {"--seed", "18446744073709551616"},
     "--seed: must be a whole number from 0 to 18446744073709551615, but is 184467"},
    {"seed_negative", {"--seed", "-1"}, "but is -1"},
    {"coverage_nan",
     {"run", "--min-coverage", "nan", "--", "true"},
     "--min-coverage: must be a number from 0 to 100, but is nan"},
    {"coverage_infinite",
     {"run", "--min-coverage", "inf", "--", "true"},
     "--min-coverage: must be a number from 0 to 100, but is inf"}};

INSTANTIATE_TEST_SUITE_P(CommandLine, Numbers,
                         testing::ValuesIn(spec::tests::rows(kCommandLineNumbers)),
                         spec::tests::kRowNames);

using Recordings = spec::tests::RowTest;

TEST_P(Recordings, that_flags_do_not_describe_whole_are_rejected) {
  const NumberCase& row = GetParam();

  testing::internal::CaptureStderr();

  const CommandLine parsed = parse(row.flags);

  EXPECT_THAT(testing::internal::GetCapturedStderr(), testing::HasSubstr(row.said));
  EXPECT_EQ(parsed.exit_code, 2);
}

const std::vector<NumberCase> kCommandLineRecordings = {
    {"nowhere",
     {"--upstream", "http://localhost", "--mode", "record"},
     "--record-into: says where --mode record writes; give both"},
    {"in_another_mode",
     {"--upstream", "http://localhost", "--record-into", "here"},
     "--record-into: says where --mode record writes; give both"},
    {"of_nothing",
     {"--mode", "record", "--record-into", "here"},
     "--mode and --fill-on: have no use without --upstream URL"},
    {"in_front_of_an_empty_url",
     {"--upstream", ""},
     "--upstream: is empty; name the service's URL"},
    {"in_front_of_an_empty_url_in_one_word", {"--upstream="}, "--upstream"},
    {"observing_nothing",
     {"--mode", "observe"},
     "--mode and --fill-on: have no use without --upstream URL"},
    {"with_names_alone",
     {"--record-redact", "pin"},
     "--record-...: has no use without --mode record"}};

INSTANTIATE_TEST_SUITE_P(CommandLine, Recordings,
                         testing::ValuesIn(spec::tests::rows(kCommandLineRecordings)),
                         spec::tests::kRowNames);

TEST(CommandLine, seed_records_without_inference_are_rejected) {
  testing::internal::CaptureStderr();

  const CommandLine parsed = parse({"--stateless", "--seed-records", "3"});

  EXPECT_THAT(testing::internal::GetCapturedStderr(),
              testing::HasSubstr("--seed-records: has no use with --stateless"));
  EXPECT_EQ(parsed.exit_code, 2);
  EXPECT_TRUE(parse({"--stateless", "--seed-records", "0"}).options);
}

TEST(Variables, set_flags_of_every_kind_after_the_command_line) {
  const std::map<std::string, std::string> variables{{"COUNTERPART_PORT", "4711"},
                                                     {"COUNTERPART_BODY_BYTES", "21"},
                                                     {"COUNTERPART_WATCH", "true"},
                                                     {"COUNTERPART_RATE_LIMIT", "5/60"},
                                                     {"COUNTERPART_TOKEN", "a b"}};
  for (const auto& [name, value] : variables) {
    ::setenv(name.c_str(), value.c_str(), 1);
  }
  const auto parsed = parse({"--body-bytes", "22"});
  ::setenv("COUNTERPART_PORT", "four", 1);
  testing::internal::CaptureStderr();
  const auto rejected = parse({});
  const auto message = testing::internal::GetCapturedStderr();
  for (const auto& [name, value] : variables) {
    ::unsetenv(name.c_str());
  }

  const Options options = parsed.options.value();
  EXPECT_EQ(options.listener.port, 4711);
  EXPECT_EQ(options.listener.limits.body_bytes, 22U);
  EXPECT_TRUE(options.watch);
  EXPECT_EQ(options.service.control.rate_limit->requests, 5U);
  EXPECT_THAT(options.service.tokens, testing::ElementsAre("a b"));
  EXPECT_EQ(rejected.exit_code, 2);
  EXPECT_THAT(
      message,
      testing::HasSubstr("COUNTERPART_PORT: must be a whole number from 0 to 65535, but is four"));
}

class ConfigFile : public testing::Test {
 protected:
  ~ConfigFile() override { ::unsetenv("COUNTERPART_CONTROL_TOKEN"); }

  CommandLine parse_with(const std::string& text, std::vector<std::string> flags = {}) const {
    flags.insert(flags.begin(), {"--config", folder_.write("ci/mock.toml", text).string()});
    return parse(std::move(flags));
  }

  test_support::Folder folder_;
};

TEST_F(ConfigFile, sets_flags_of_every_kind) {
  folder_.write("ci/records/customers.yaml", "{}");

  const Options options = parse_with(
                              "port = 4711\nidle-ms = 20\nbody-bytes = 21\nwatch = true\n"
                              "token = [a, \"b c\"]\nrate-limit = 5/60\nlog-level = warn\n"
                              "no-default-fixtures = true\nfixtures = records\n")
                              .options.value();

  EXPECT_EQ(options.listener.port, 4711);
  EXPECT_EQ(options.listener.limits.idle, std::chrono::milliseconds(20));
  EXPECT_EQ(options.listener.limits.body_bytes, 21U);
  EXPECT_TRUE(options.watch);
  EXPECT_THAT(options.service.tokens, testing::ElementsAre("a", "b c"));
  EXPECT_EQ(options.service.control.rate_limit->requests, 5U);
  EXPECT_EQ(options.log_level, LogLevel::kWarn);
  EXPECT_THAT(options.api.folders, testing::ElementsAre(folder_.path() / "ci" / "records"));
}

TEST_F(ConfigFile, comes_after_the_command_line_and_the_environment) {
  ::setenv("COUNTERPART_CONTROL_TOKEN", "of_the_environment", 1);

  const Options options =
      parse_with("port = 4711\ncontrol-token = of_the_file\nwatch = true\n", {"--port", "4712"})
          .options.value();

  EXPECT_EQ(options.listener.port, 4712);
  EXPECT_EQ(options.service.control.token, "of_the_environment");
  EXPECT_TRUE(options.watch);
}

TEST_F(ConfigFile, serves_run_and_no_run) {
  const std::string text = "min-coverage = 80\nport = 4711\n";

  EXPECT_EQ(parse_with(text).options.value().listener.port, 4711);
  const Options run = parse_with(text, {"run", "--", "true"}).options.value();
  EXPECT_EQ(run.run.value().min_coverage, 80);
  EXPECT_EQ(run.listener.port, 4711);
}

TEST_F(ConfigFile, that_cannot_be_used_is_rejected_with_its_place) {
  const std::string file = (folder_.path() / "ci/mock.toml").string();
  const auto said = [this](const std::string& text) {
    try {
      parse_with(text);
      return std::string("it was accepted");
    } catch (const spec::LoadError& error) {
      return std::string(error.what());
    }
  };

  EXPECT_EQ(said("\nfixture = a"), file + ":2:1: there is no flag fixture; did you mean fixtures?");
  EXPECT_EQ(said("port = 65536"),
            file + ":1:1: port: must be a whole number from 0 to 65535, but is 65536");
  EXPECT_EQ(said("examples = all"),
            file + ":1:1: examples: must be one of valid, as-written, but is all");
  EXPECT_EQ(said("check = true"), file + ":1:1: check: only for the command line");
  EXPECT_EQ(said("[run]"), file + ":1:1: sections are not used; write NAME = VALUE without one");
}

// Whoever uncomments lines starts with a file that changes nothing.
TEST_F(ConfigFile, of_defaults_is_accepted) {
  std::istringstream example(test_support::read_file(kExample));
  std::string text;
  for (std::string line; std::getline(example, line);) {
    const bool is_default = line.starts_with('#') && !line.starts_with("# ") &&
                            !line.starts_with("##") &&
                            line.find_first_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ") == std::string::npos;
    text += is_default ? line.substr(1) + '\n' : "";
  }

  const Options options = parse_with(text).options.value();

  EXPECT_THAT(text, testing::HasSubstr("idle-ms = 60000\n"));
  EXPECT_EQ(options.listener.port, parse({}).options.value().listener.port);
}

TEST_F(ConfigFile, that_is_shipped_has_every_flag) {
  testing::internal::CaptureStdout();

  const CommandLine parsed = parse({"--print-config"});

  EXPECT_EQ(testing::internal::GetCapturedStdout(), test_support::read_file(kExample))
      << "write it again: mock_server --print-config >" << kExample;
  EXPECT_EQ(parsed.exit_code, 0);
  EXPECT_FALSE(parsed.options);
}

}  // namespace
}  // namespace mock_server::program
