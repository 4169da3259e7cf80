// Which calls of a recording `record --from` takes: those of one server, below one path.

#include "mock_server/record/tests/record_case.hpp"
#include "spec/load_error.hpp"
#include "spec/tests/rows.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ostream>
#include <string>

namespace mock_server::record {
namespace {

using testing::HasSubstr;
using tests::entry;
using tests::har;
using tests::json;
using tests::Record;

struct OriginRow {
  std::string name;
  std::string url;     // of the note n1
  std::string origin;  // the flag
  int exit = 0;        // 0: the note is recorded
  std::string says{};
};

void PrintTo(const OriginRow& row, std::ostream* out) {
  *out << row.name;
}

class Origins : public Record, public testing::WithParamInterface<OriginRow> {
 protected:
  json calls() const {
    json one = entry("GET", "/", 200, {{"id", "n1"}});
    one["request"]["url"] = GetParam().url;
    return har(json::array({one}));
  }
};

TEST_P(Origins, are_of_one_server_below_one_path) {
  const auto& row = GetParam();
  options_.origin = row.origin;

  EXPECT_EQ(record(calls()), row.exit);

  EXPECT_THAT(notes_.str(), HasSubstr(row.says));
  EXPECT_EQ(text("notes.json").find("n1") != std::string::npos, row.exit == 0);
  EXPECT_EQ(std::filesystem::exists(folder_ / "out"), row.exit == 0);
}

INSTANTIATE_TEST_SUITE_P(
    Table, Origins,
    testing::Values(
        OriginRow{"likely", "https://a.example/notes/n1", ""},
        OriginRow{"named", "https://a.example/notes/n1", "https://a.example/"},
        OriginRow{"default_port", "https://a.example:443/notes/n1", "https://a.example"},
        OriginRow{"path", "https://a.example/api/v2/notes/n1", "https://a.example/api/v2"},
        OriginRow{"path_is_not_named", "https://a.example/api/v2/notes/n1", "", 1,
                  "pass --origin https://a.example/api/v2\n"},
        OriginRow{"path_is_lacking", "https://a.example/api/v2/notes/n1", "https://a.example", 1,
                  "pass --origin https://a.example/api/v2\n"},
        OriginRow{"other_server", "https://a.example/notes/n1", "https://b.example", 1,
                  "another origin than https://b.example"},
        OriginRow{"other_server_is_likely", "https://a.example/notes/n1", "https://b.example", 1,
                  "pass --origin https://a.example\n"},
        OriginRow{"no_operation", "https://a.example/x", "", 1, "look at --contract"}),
    spec::tests::kRowNames);

TEST_F(Record, keeps_the_url_of_a_call_below_a_path) {
  json one = entry("GET", "/v2/notes/n1", 200, {{"id", "n1"}});
  options_.origin = "https://api.example.com/v2";

  record(har(json::array({one})));
  const std::string lines = text("calls.jsonl");
  options_.from = {folder_ / "out/calls.har"};
  record_files(*api(), options_, out_, notes_, "1");

  EXPECT_THAT(lines, HasSubstr(R"("origin":"https://api.example.com/v2")"));
  EXPECT_THAT(text("calls.har"), HasSubstr(R"("url":"https://api.example.com/v2/notes/n1")"));
  EXPECT_EQ(text("notes.json"), "{\n  \"n1\": {\n    \"id\": \"n1\"\n  }\n}\n");
}

TEST_F(Record, rejects_an_origin_that_is_no_url) {
  options_.origin = "api.example.com";

  EXPECT_THROW(record(har(json::array())), spec::LoadError);
}

}  // namespace
}  // namespace mock_server::record
