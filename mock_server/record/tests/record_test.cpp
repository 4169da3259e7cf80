// `record --from`: what a session's calls become, and that no secret of a list is on the disk.

#include "mock_server/record/call_lines.hpp"
#include "mock_server/record/tests/record_case.hpp"
#include "spec/load_error.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace mock_server::record {
namespace {

namespace fs = std::filesystem;

using testing::HasSubstr;
using testing::Not;
using tests::entry;
using tests::har;
using tests::json;
using tests::note;
using tests::Record;

json session() {
  return har({entry("POST", "/login", 200, {{"access_token", "tok-00112233445566aa"}},
                    {{"user", "mira"}, {"pin", 4711}, {"password", "planted-pass"}}),
              entry("GET", "/notes/n1?sid=planted-key-9", 200, note("pending")),
              entry("GET", "/notes/n1?sid=planted-key-9", 200, note("pending")),
              entry("GET", "/notes/n1?sid=planted-key-9", 200, note("done")),
              entry("GET", "/notes/n2?sid=planted-key-9", 200,
                    {{"id", "n2"}, {"title", "uses tok-00112233445566aa"}}),
              entry("GET", "/notes/n3?sid=planted-key-9", 200, {{"title", "no id"}})});
}

// Each is nowhere in the folder afterwards.
const std::vector<std::string> kPlanted{"planted-cookie-1", "mira@planted", "tok-0011",
                                        "planted-pass",     "4711",         "planted-key-9"};

TEST_F(Record, has_a_record_for_each_key_and_no_secret_of_the_list_anywhere) {
  ASSERT_EQ(record(session()), 0) << notes_.str();

  const json notes = json::parse(text("notes.json"));
  EXPECT_EQ(notes.at("n1").at("state"), "done");
  EXPECT_THAT(notes.at("n1").at("owner").get<std::string>(), HasSubstr("@example.com"));
  EXPECT_FALSE(notes.contains("n3"));
  for (const std::string& secret : kPlanted) {
    EXPECT_THAT(everything(), Not(HasSubstr(secret)));
  }
  EXPECT_EQ(fs::status(folder_ / "out/.recording-key").permissions(),
            fs::perms::owner_read | fs::perms::owner_write);
}

TEST_F(Record, makes_steps_of_different_responses_to_equal_requests) {
  record(session());

  const json rules = json::parse(text("scenarios/recorded.json")).at("rules");
  ASSERT_EQ(rules.size(), 2U) << rules.dump(1);
  const json& steps = rules.at(1).at("steps");
  EXPECT_EQ(steps.at(0).at("times"), 2);
  EXPECT_EQ(steps.at(0).at("response").at("body").at("state"), "pending");
  EXPECT_EQ(steps.at(1), json::object());
}

TEST_F(Record, is_served_alone_and_recorded_again_without_a_change) {
  record(session());
  const std::string before = text("notes.json") + text("calls.jsonl");

  const auto played = api({folder_ / "out"});
  EXPECT_EQ(played->fixtures.collections().at("notes").records().size(), 2U);
  record(session());
  EXPECT_EQ(text("notes.json") + text("calls.jsonl"), before);
  options_.from = {folder_ / "out/calls.jsonl"};
  record_files(*api(), options_, out_, notes_, "1");
  EXPECT_EQ(text("notes.json") + text("calls.jsonl"), before);
}

TEST_F(Record, names_the_violation_in_the_line) {
  record(session());

  EXPECT_THAT(notes_.str(), HasSubstr("GET /notes/{id} 200: the response violates the contract"));
  EXPECT_THAT(text("calls.jsonl"), HasSubstr(R"("verdict":"violating")"));
  EXPECT_THAT(text("calls.har"), HasSubstr(R"("version":"1.2")"));
}

TEST_F(Record, finds_no_violation_in_parts_and_in_what_is_unchanged) {
  json archive = session();
  json& entries = archive["log"]["entries"];
  entries = json::array({entry("GET", "/notes/n1", 304, "x"), entry("GET", "/notes/n1", 206, "x"),
                         entry("GET", "/notes/n1", 416, "x")});
  for (json& one : entries) {
    one["request"]["headers"].push_back({{"name", "Range"}, {"value", "bytes=0-1"}});
  }

  record(archive);

  EXPECT_THAT(notes_.str(), Not(HasSubstr("violates the contract")));
}

TEST_F(Record, writes_nothing_of_a_call_that_cannot_be_redacted) {
  json archive = session();
  archive["log"]["entries"][1]["response"]["content"]["text"] = "{\"owner\": \"planted-half";

  EXPECT_EQ(record(archive), 1);

  EXPECT_THAT(everything(), Not(HasSubstr("planted-half")));
  EXPECT_THAT(notes_.str(), HasSubstr("not written: GET /notes/n1"));
}

TEST_F(Record, writes_nothing_in_a_dry_run) {
  options_.dry_run = true;

  EXPECT_EQ(record(session()), 0);

  EXPECT_FALSE(fs::exists(folder_ / "out"));
  EXPECT_THAT(out_.str(), HasSubstr("notes/n1: added"));
}

TEST_F(Record, does_not_touch_a_folder_of_other_fixtures_unless_it_is_asked_to) {
  put("out/notes.json", R"({"n1": {"id": "n1", "title": "mine"}, "n9": {"id": "n9"}})");

  EXPECT_THROW(record(session()), spec::LoadError);
  options_.merge = true;
  EXPECT_EQ(record(session()), 0);

  const json notes = json::parse(text("notes.json"));
  EXPECT_TRUE(notes.contains("n9"));
  EXPECT_THAT(out_.str(),
              HasSubstr("notes/n1: changed /owner, /state, /tier, /title (no recording"));
}

TEST_F(Record, keeps_the_record_as_it_was_before_the_session_changed_it) {
  record(har({entry("GET", "/notes/n1", 200, note("done", "first")),
              entry("PATCH", "/notes/n1", 200, note("done", "second"), {{"title", "second"}}),
              entry("GET", "/notes/n1", 200, note("done", "second"))}));

  EXPECT_EQ(json::parse(text("notes.json")).at("n1").at("title"), "first");
}

TEST_F(Record, leaves_out_preflights_other_origins_and_calls_without_a_response) {
  json entries = session()["log"]["entries"];
  entries.push_back(entry("GET", "/notes/n8", 0, note("done")));
  entries.push_back(entry("GET", "/notes/n7", 200, {{"id", "n7"}}));
  entries.back()["request"]["url"] = "https://ads.example.net/notes/n7";
  entries.push_back(entry("OPTIONS", "/notes/n6", 204, nullptr));
  entries.back()["request"]["headers"] =
      json::array({{{"name", "Origin"}, {"value", "https://app.example.com"}},
                   {{"name", "Access-Control-Request-Method"}, {"value", "GET"}}});

  record(har(entries));

  EXPECT_THAT(notes_.str(), HasSubstr("1 calls without a response"));
  EXPECT_THAT(notes_.str(), HasSubstr("1 calls to https://ads.example.net"));
  EXPECT_THAT(notes_.str(), HasSubstr("1 calls that a browser sent before others (preflights)"));
  EXPECT_THAT(text("calls.jsonl"), Not(HasSubstr("OPTIONS")));
  EXPECT_FALSE(json::parse(text("notes.json")).contains("n7"));
}

TEST_F(Record, says_that_no_call_has_a_response) {
  EXPECT_EQ(record(har(json::array({entry("GET", "/notes/n8", 0, note("done"))}))), 1);

  EXPECT_THAT(notes_.str() + out_.str(),
              HasSubstr("nothing is recorded: all calls are without a response (status 0)"));
}

TEST_F(Record, rejects_a_har_that_is_cut_with_its_place_and_writes_nothing) {
  const std::string whole = session().dump(1);
  put("cut.har", whole.substr(0, whole.size() / 2));
  options_.from = {folder_ / "cut.har"};

  try {
    record_files(*api(), options_, out_, notes_, "1");
    FAIL() << "must be rejected";
  } catch (const spec::LoadError& error) {
    EXPECT_THAT(error.what(), HasSubstr("the file ends here"));
  }
  EXPECT_FALSE(fs::exists(folder_ / "out"));
}

TEST_F(Record, has_no_pseudo_fields_in_its_lines) {
  record(session());

  EXPECT_THAT(text("calls.jsonl"), Not(HasSubstr(":authority")));
}

TEST_F(Record, plays_a_response_whose_body_is_missing_with_one_that_the_mock_makes) {
  json one = entry("GET", "/notes/n1", 200, note("done"));
  one["response"]["content"].erase("text");
  one["response"]["content"]["size"] = 99;

  EXPECT_EQ(record(har(json::array({one}))), 0);

  EXPECT_THAT(text("calls.jsonl"), HasSubstr("the body of the response is not in the recording"));
  EXPECT_THAT(notes_.str(), HasSubstr("its body is not in the recording; the mock makes one"));
  const json rules = json::parse(text("scenarios/recorded.json")).at("rules");
  EXPECT_EQ(rules.at(0).at("steps"), json::parse(R"([{"force": {"status": 200}}])"));
  EXPECT_NE(api({folder_ / "out"}), nullptr);
}

TEST_F(Record, has_no_secret_of_a_path_and_plays_any_other_value_there) {
  options_.redaction.names = {"id"};

  record(har({entry("GET", "/notes/planted-n1", 200, {{"id", "planted-n1"}}),
              entry("GET", "/notes/planted-n1", 200, {{"id", "planted-n1"}, {"title", "new"}})}));

  EXPECT_THAT(everything(), Not(HasSubstr("planted-n1")));
  const json rules = json::parse(text("scenarios/recorded.json")).at("rules");
  EXPECT_EQ(rules.at(0).at("when"), json::parse(R"([{"at": "/path/id", "exists": true}])"));
}

TEST_F(Record, plays_any_value_where_a_replacement_has_another_form) {
  record(session());

  const json when = json::parse(text("scenarios/recorded.json")).at("rules").at(0).at("when");
  EXPECT_THAT(when, testing::Contains(json::parse(R"({"at": "/body/pin", "exists": true})")));
}

TEST_F(Record, reads_the_saved_examples_of_a_postman_collection) {
  const json collection{
      {"info",
       {{"name", "c"},
        {"schema", "https://schema.getpostman.com/json/collection/v2.1.0/collection.json"}}},
      {"variable", json::array({{{"key", "base"}, {"value", "https://api.example.com"}}})},
      {"item",
       json::array(
           {{{"name", "folder"},
             {"item",
              json::array(
                  {{{"name", "note"},
                    {"request", {{"method", "GET"}, {"url", "{{base}}/notes/n1"}}},
                    {"response",
                     json::array({{{"name", "ok"},
                                   {"code", 200},
                                   {"header", json::array({{{"key", "Content-Type"},
                                                            {"value", "application/json"}}})},
                                   {"body", note("done").dump()}}})}},
                   {{"name", "unsaved"},
                    {"request", {{"method", "GET"}, {"url", "{{base}}/notes"}}}}})}}})}};

  record(collection);

  EXPECT_TRUE(json::parse(text("notes.json")).contains("n1"));
  EXPECT_THAT(notes_.str(), HasSubstr("\"unsaved\" has no saved example"));
}

TEST_F(Record, keeps_every_call_before_a_full_disk) {
  LineFile file("/dev/full");

  EXPECT_THROW(file.append("{}"), std::runtime_error);
}

TEST_F(Record, ends_a_line_that_a_killed_program_left_half) {
  record(session());
  std::ofstream(folder_ / "out/calls.jsonl", std::ios::app) << "{\"half";
  options_.redaction.names.clear();
  record(har(json::array({entry("GET", "/notes/n5", 200, {{"id", "n5"}})})));

  std::vector<spec::Problem> problems;
  EXPECT_EQ(read_lines(text("calls.jsonl"), "f", problems).size(), 7U);
  EXPECT_EQ(problems.size(), 1U);
}

TEST_F(Record, keeps_that_there_is_a_secret) {
  json one = note("done");
  one["has_password"] = true;
  record(har(json::array({entry("GET", "/notes/n1", 200, one)})));

  EXPECT_EQ(json::parse(text("notes.json")).at("n1").at("has_password"), true);
}

}  // namespace
}  // namespace mock_server::record
