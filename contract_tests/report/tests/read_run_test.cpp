// The error for a file that is not a run as this program writes it: one problem with its place and
// its remedy.

#include "contract_tests/report/saved_run.hpp"
#include "contract_tests/report/tests/runs.hpp"
#include "spec/json/value.hpp"
#include "spec/load_error.hpp"
#include "spec/tests/folder.hpp"
#include "spec/tests/paths.hpp"
#include "spec/tests/rows.hpp"

#include <gmock/gmock.h>

#include <functional>
#include <vector>

namespace contract_tests::report {
namespace {

using nlohmann::json;
using testing::ElementsAre;
using testing::HasSubstr;

std::filesystem::path schema() {
  return std::filesystem::path(test_paths::source()) / "contract_tests/report/run.schema.json";
}

std::string problem_of(const std::filesystem::path& file) {
  try {
    read_run(file, schema());
  } catch (const spec::LoadError& error) {
    EXPECT_EQ(error.problems().size(), 1U);
    return error.what();
  }
  return "";
}

TEST(ReadRun, reads_what_a_run_wrote_by_file_and_by_folder) {
  const test_support::Folder folder;
  const auto value = tests::Run().add("GET /a", "one", run::Verdict::kPassed).value();
  const auto file = folder.write("run.json", spec::json::write_pretty(value));

  EXPECT_EQ(read_run(file, schema()).value, value);
  EXPECT_EQ(read_run(folder.path(), schema()).file, file);
}

TEST(ReadRun, names_a_file_or_a_run_that_is_not_there) {
  const test_support::Folder folder;

  EXPECT_THAT(problem_of(folder.path() / "none.json"), HasSubstr("none.json: no such file"));
  EXPECT_THAT(problem_of(folder.path()), HasSubstr("this folder has no run.json"));
}

struct Text {
  std::string name;
  std::function<std::string(const json&)> text;  // of a right run
  std::string says;
};

std::string with(json value, const std::string& pointer, json other) {
  value[json::json_pointer(pointer)] = std::move(other);
  return spec::json::write(value);
}

using WrongRun = spec::tests::RowTest;

TEST_P(WrongRun, is_one_problem_with_place_and_remedy) {
  const Text& row = GetParam();

  const test_support::Folder folder;
  const auto value =
      tests::Run().add("GET /a", "one", run::Verdict::kFailed).find("body/name").value();

  const auto file = folder.write("run.json", row.text(value));

  EXPECT_THAT(problem_of(file), HasSubstr(file.string()));
  EXPECT_THAT(problem_of(file), HasSubstr(row.says));
}

const std::vector<Text> kReadRunWrongRun = {
    {"empty", [](const json&) { return ""; }, ":1:1: the file ends in the middle"},
    {"cut",
     [](const json& value) {
       const auto text = spec::json::write_pretty(value);
       return text.substr(0, text.size() / 2);
     },
     "the file ends in the middle of a value"},
    {"no_json", [](const json&) { return "<html>\n"; }, ":1:1: not a run.json: "},
    {"another_json", [](const json&) { return R"({"log": {"version": "1.2"}})"; },
     "not a run of contract_tests"},
    {"a_list", [](const json&) { return "[]"; }, "not a run of contract_tests"},
    {"newer", [](const json& value) { return with(value, "/run", 5); },
     "written by a newer contract_tests (version 5"},
    {"older", [](const json& value) { return with(value, "/run", 3); },
     "written by an older contract_tests (version 3"},
    {"edited", [](const json& value) { return with(value, "/verdict", "green"); }, "[/verdict]"},
    {"case_beyond_the_plan", [](const json& value) { return with(value, "/plan/cases", 0); },
     "case GET_a.one has index 0, which is not there"},
    {"exchange_that_is_not_there",
     [](const json& value) { return with(value, "/cases/0/findings/0/exchange", 3); },
     "case GET_a.one has exchange 3, which is not there"}};

INSTANTIATE_TEST_SUITE_P(ReadRun, WrongRun, testing::ValuesIn(spec::tests::rows(kReadRunWrongRun)),
                         spec::tests::kRowNames);

}  // namespace
}  // namespace contract_tests::report
