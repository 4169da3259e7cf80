// Records whose key in the path is a secret by its name: each keeps a key of its own, everywhere
// the same.

#include "mock_server/record/tests/record_case.hpp"
#include "spec/tests/rows.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <ostream>
#include <string>

namespace mock_server::record {
namespace {

using testing::HasSubstr;
using testing::Not;
using tests::entry;
using tests::har;
using tests::json;
using tests::Record;

// One of "{...}" in the path, and the member of the record that has the same value.
struct KeyRow {
  std::string name;
  json in_path;    // the schema
  json in_record;  // the schema
  std::string member;
  json first;  // the keys of two records
  json second;
};

void PrintTo(const KeyRow& row, std::ostream* out) {
  *out << row.name;
}

json contract_of(const KeyRow& row) {
  const json session{{"type", "object"},
                     {"required", {row.member}},
                     {"properties", {{row.member, row.in_record}, {"user", {{"type", "string"}}}}}};
  const auto response = [](const std::string& status, const json& schema) {
    return json{
        {status,
         {{"description", "d"}, {"content", {{"application/json", {{"schema", schema}}}}}}}};
  };
  const json list{{"type", "array"}, {"items", session}};
  const json body{
      {"content",
       {{"application/json",
         {{"schema", {{"type", "object"}, {"properties", {{"user", {{"type", "string"}}}}}}}}}}}};
  return {
      {"openapi", "3.1.0"},
      {"info", {{"title", "Sessions"}, {"version", "1"}}},
      {"paths",
       {{"/sessions",
         {{"get", {{"operationId", "list_sessions"}, {"responses", response("200", list)}}},
          {"post",
           {{"operationId", "create_session"},
            {"requestBody", body},
            {"responses", response("201", session)}}}}},
        {"/sessions/{session_id}",
         {{"parameters", json::array({{{"name", "session_id"},
                                       {"in", "path"},
                                       {"required", true},
                                       {"schema", row.in_path}}})},
          {"get", {{"operationId", "get_session"}, {"responses", response("200", session)}}}}}}}};
}

std::string plain(const json& value) {
  return value.is_string() ? value.get<std::string>() : value.dump();
}

class PathSecretKeys : public Record, public testing::WithParamInterface<KeyRow> {
 protected:
  PathSecretKeys() { put("contract.json", contract_of(GetParam()).dump()); }

  static json session_of(const json& key, const std::string& user) {
    return {{GetParam().member, key}, {"user", user}};
  }

  // Both are created, read and listed.
  static json calls() {
    const auto& row = GetParam();
    const json one = session_of(row.first, "ann");
    const json other = session_of(row.second, "bob");
    return har({entry("POST", "/sessions", 201, one, {{"user", "ann"}}),
                entry("POST", "/sessions", 201, other, {{"user", "bob"}}),
                entry("GET", "/sessions/" + plain(row.first), 200, one),
                entry("GET", "/sessions/" + plain(row.second), 200, other),
                entry("GET", "/sessions", 200, json::array({one, other}))});
  }
};

TEST_P(PathSecretKeys, are_replaced_by_one_value_everywhere) {
  const auto& row = GetParam();
  ASSERT_EQ(record(calls()), 0) << notes_.str();

  std::map<std::string, std::string> user_of;
  const json records = json::parse(text("sessions.json"));
  for (const auto& [key, session] : records.items()) {
    EXPECT_EQ(plain(session.at(row.member)), key);
    EXPECT_THAT(text("calls.jsonl"), HasSubstr("\"/sessions/" + key + '"'));
    user_of[session.at("user")] = key;
  }
  EXPECT_EQ(user_of.size(), 2U) << records.dump(1);
  EXPECT_THAT(everything(), Not(HasSubstr(plain(row.first))));
  EXPECT_THAT(everything(), Not(HasSubstr(plain(row.second))));
  const json rules = json::parse(text("scenarios/recorded.json")).at("rules");
  ASSERT_EQ(rules.size(), 2U) << rules.dump(1);  // the response to creating them
  EXPECT_EQ(rules.at(0).at("steps").at(0).at("response").at("body"), records.at(user_of.at("ann")));
  EXPECT_NE(api({folder_ / "out"}), nullptr);
}

const json kString{{"type", "string"}};
const json kUuid{{"type", "string"}, {"format", "uuid"}};
const json kPattern{{"type", "string"}, {"pattern", "^ses_[a-z0-9]{8}$"}};
const json kInteger{{"type", "integer"}, {"minimum", 1}};
constexpr const char* kFirstUuid = "6f9619ff-8b86-4011-b42d-00c04fc964ff";
constexpr const char* kSecondUuid = "7a0c19ff-1b86-4d11-a42d-00c04fc964aa";

INSTANTIATE_TEST_SUITE_P(
    Table, PathSecretKeys,
    testing::Values(
        KeyRow{"text", kString, kString, "session_id", "planted~one", "planted~two"},
        KeyRow{"member_called_id", kString, kString, "id", "planted-one", "planted-two"},
        KeyRow{"short", kString, kString, "id", "p1x", "p2x"},
        KeyRow{"uuid", kUuid, kUuid, "id", kFirstUuid, kSecondUuid},
        KeyRow{"uuid_in_the_path_alone", kUuid, kString, "id", kFirstUuid, kSecondUuid},
        KeyRow{"uuid_in_the_record_alone", kString, kUuid, "id", kFirstUuid, kSecondUuid},
        KeyRow{"pattern", kPattern, kString, "session_id", "ses_planted1", "ses_planted2"},
        KeyRow{"number", kInteger, kInteger, "session_id", 48151623, 48151642},
        KeyRow{"number_called_id", kInteger, kInteger, "id", 48151623, 48151642}),
    spec::tests::kRowNames);

TEST_P(PathSecretKeys, stay_when_the_lines_are_recorded_again) {
  record(calls());
  const std::string before = text("sessions.json") + text("calls.jsonl");
  options_.from = {folder_ / "out/calls.jsonl"};

  EXPECT_EQ(record_files(*api(), options_, out_, notes_, "1"), 0);

  EXPECT_EQ(text("sessions.json") + text("calls.jsonl"), before);
  EXPECT_THAT(out_.str(), HasSubstr("calls: 5 valid"));
}

// A poll of the second is not played to who asks for the first.
TEST_P(PathSecretKeys, keep_the_steps_of_each_apart) {
  const auto& row = GetParam();
  const std::string target = "/sessions/" + plain(row.second);
  ASSERT_EQ(record(har({entry("GET", target, 200, session_of(row.second, "pending")),
                        entry("GET", target, 200, session_of(row.second, "bob")),
                        entry("GET", "/sessions/" + plain(row.first), 200,
                              session_of(row.first, "ann"))})),
            0);

  const json rules = json::parse(text("scenarios/recorded.json")).at("rules");
  ASSERT_EQ(rules.size(), 1U) << rules.dump(1);
  EXPECT_EQ(rules.at(0).at("when").at(0).at("equals"),
            rules.at(0).at("steps").at(0).at("response").at("body").at(row.member));
}

}  // namespace
}  // namespace mock_server::record
