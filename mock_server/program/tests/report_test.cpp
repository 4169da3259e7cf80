#include "mock_server/program/check_report.hpp"
#include "spec/contract/contract.hpp"
#include "spec/contract/loading/load_contract.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <memory>

namespace mock_server::program {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

api::Examination examination(const fs::path& folder) {
  auto api = std::make_shared<api::LoadedApi>(spec::contract::load_contract_text(
      "openapi: 3.1.0\ninfo: {title: T, version: '1'}\npaths: {/a: {get: {responses: {'200': "
      "{description: d}}}}}\n",
      "a.yaml"));
  api->options.folders = {folder};
  return {.api = api, .problems = {}, .warnings = {}, .notes = {}};
}

TEST(CheckReport, names_a_folder_relative_to_the_working_directory_or_as_given) {
  EXPECT_THAT(check_report(examination(fs::current_path() / "own" / "fixtures")),
              HasSubstr("\nfixtures own/fixtures\n"));
  EXPECT_THAT(check_report(examination("../fixtures")), HasSubstr("\nfixtures ../fixtures\n"));
  EXPECT_THAT(check_report(examination("/else/where")), HasSubstr("\nfixtures /else/where\n"));
}

TEST(CheckReport, has_the_notes_also_with_problems) {
  const std::string report = check_report({.api = nullptr,
                                           .problems = {{"a.yaml", 1, 1, "", "must be good"}},
                                           .warnings = {{"a.yaml", 2, 1, "", "is odd"}},
                                           .notes = {{"a.yaml", 3, 1, "", "is left out"}}});

  EXPECT_EQ(report, "warning: a.yaml:2:1: is odd\nnote: a.yaml:3:1: is left out\n");
}

}  // namespace
}  // namespace mock_server::program
