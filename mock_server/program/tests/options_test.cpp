// What the command line says: which fixtures are played, and which numbers are none.

#include "mock_server/program/options.hpp"

#include "mock_server/program/data_root.hpp"
#include "spec/tests/row_names.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <ostream>
#include <string>
#include <vector>

namespace mock_server::program {
namespace {

namespace fs = std::filesystem;

fs::path shipped() {
  return *find_data_root(executable_path()) / "fixtures";
}

Parsed parse(std::vector<std::string> flags) {
  flags.insert(flags.begin(), "mock_server");
  std::vector<char*> words;
  for (std::string& flag : flags) {
    words.push_back(flag.data());
  }
  return parse_command_line(static_cast<int>(words.size()), words.data());
}

// The folders that are read, by their canonical paths.
std::vector<fs::path> folders(const std::vector<std::string>& flags) {
  const Parsed parsed = parse(flags);
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

void PrintTo(const FoldersCase& one, std::ostream* out) {
  *out << one.name;
}

class Folders : public testing::TestWithParam<FoldersCase> {};

TEST_P(Folders, are_the_shipped_ones_before_the_callers) {
  EXPECT_EQ(folders(GetParam().flags), GetParam().expected);
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

INSTANTIATE_TEST_SUITE_P(CommandLine, Folders, testing::ValuesIn(folder_cases()),
                         spec::tests::kRowNames);

struct NumberCase {
  std::string name;
  std::vector<std::string> flags;
  std::string said;
};

void PrintTo(const NumberCase& one, std::ostream* out) {
  *out << one.name;
}

class Numbers : public testing::TestWithParam<NumberCase> {};

TEST_P(Numbers, that_a_flag_cannot_hold_are_rejected_with_its_range) {
  testing::internal::CaptureStderr();

  const Parsed parsed = parse(GetParam().flags);

  EXPECT_THAT(testing::internal::GetCapturedStderr(), testing::HasSubstr(GetParam().said));
  EXPECT_FALSE(parsed.options);
  EXPECT_EQ(parsed.exit_code, 2);
}

INSTANTIATE_TEST_SUITE_P(
    CommandLine, Numbers,
    testing::Values(
        NumberCase{"seed_too_large",
                   {"--seed", "18446744073709551616"},
                   "--seed: must be a whole number from 0 to 18446744073709551615, but is 184467"},
        NumberCase{"seed_negative", {"--seed", "-1"}, "but is -1"},
        NumberCase{"coverage_nan",
                   {"run", "--min-coverage", "nan", "--", "true"},
                   "--min-coverage: must be a number from 0 to 100, but is nan"},
        NumberCase{"coverage_infinite",
                   {"run", "--min-coverage", "inf", "--", "true"},
                   "--min-coverage: must be a number from 0 to 100, but is inf"}),
    spec::tests::kRowNames);

}  // namespace
}  // namespace mock_server::program
