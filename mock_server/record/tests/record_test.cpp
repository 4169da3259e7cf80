// `record --from`: what a session's calls become, and that no secret of a list is on the disk.

#include "mock_server/record/recorder.hpp"
#include "spec/document/file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace mock_server::record {
namespace {

namespace fs = std::filesystem;

using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

constexpr const char* kContract = R"({
  "openapi": "3.1.0", "info": {"title": "Notes", "version": "1"},
  "security": [{"key": []}],
  "paths": {
    "/notes": {"get": {"operationId": "list_notes", "responses": {"200": {"description": "d",
        "content": {"application/json": {"schema": {"type": "array",
            "items": {"$ref": "#/components/schemas/Note"}}}}}}}},
    "/notes/{id}": {
      "parameters": [{"name": "id", "in": "path", "required": true, "schema": {"type": "string"}}],
      "get": {"operationId": "get_note", "responses": {"200": {"description": "d",
        "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Note"}}}}}},
      "patch": {"operationId": "patch_note",
        "requestBody": {"content": {"application/json": {"schema": {"type": "object",
            "properties": {"title": {"type": "string"}}}}}},
        "responses": {"200": {"description": "d",
        "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Note"}}}}}}},
    "/login": {"post": {"operationId": "login", "security": [],
      "requestBody": {"content": {"application/json": {"schema": {"type": "object",
        "required": ["user", "password"], "properties": {"user": {"type": "string"},
          "pin": {"type": "integer", "minimum": 1000, "maximum": 9999},
          "password": {"type": "string", "format": "password", "minLength": 10, "maxLength": 14}}}}}},
      "responses": {"200": {"description": "d", "content": {"application/json": {"schema": {
        "type": "object", "required": ["access_token"],
        "properties": {"access_token": {"type": "string", "pattern": "^tok-[a-f0-9]{16}$"}}}}}}}}}},
  "components": {
    "securitySchemes": {"key": {"type": "apiKey", "in": "query", "name": "sid"}},
    "schemas": {"Note": {"type": "object", "required": ["id"], "properties": {
      "id": {"type": "string"}, "title": {"type": "string"},
      "owner": {"type": "string", "format": "email", "maxLength": 40},
      "tier": {"enum": ["gold", "silver", "lead"]},
      "state": {"enum": ["pending", "done"]}}}}}})";

json entry(const std::string& method, const std::string& target, int status, const json& answer,
           const json& body = nullptr) {
  json request{
      {"method", method},
      {"url", "https://api.example.com" + target},
      {"httpVersion", "HTTP/2"},
      {"headers", json::array({{{"name", ":authority"}, {"value", "api.example.com"}},
                               {{"name", "Cookie"}, {"value", "s=planted-cookie-1"}},
                               {{"name", "X-Trace"}, {"value", "by mira@planted.example"}}})},
      {"cookies", json::array()},
      {"queryString", json::array()},
      {"headersSize", -1},
      {"bodySize", -1}};
  if (!body.is_null()) {
    request["postData"] = {{"mimeType", "application/json"}, {"text", body.dump()}};
    request["headers"].push_back({{"name", "Content-Type"}, {"value", "application/json"}});
  }
  return {{"startedDateTime", "2026-01-01T00:00:00Z"},
          {"time", 1},
          {"request", request},
          {"response",
           {{"status", status},
            {"statusText", ""},
            {"httpVersion", "HTTP/2"},
            {"headers", json::array({{{"name", "Content-Type"}, {"value", "application/json"}}})},
            {"cookies", json::array()},
            {"content", {{"size", 1}, {"mimeType", "application/json"}, {"text", answer.dump()}}},
            {"redirectURL", ""},
            {"headersSize", -1},
            {"bodySize", -1}}},
          {"cache", json::object()},
          {"timings", {{"send", 0}, {"wait", 1}, {"receive", 0}}}};
}

json har(const json& entries) {
  return {
      {"log",
       {{"version", "1.2"}, {"creator", {{"name", "t"}, {"version", "1"}}}, {"entries", entries}}}};
}

json note(const std::string& state, const std::string& title = "t") {
  return {{"id", "n1"},
          {"title", title},
          {"owner", "mira@planted.example"},
          {"tier", "gold"},
          {"state", state}};
}

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

class Record : public testing::Test {
 protected:
  Record() {
    std::string pattern = (fs::temp_directory_path() / "record.XXXXXX").string();
    folder_ = ::mkdtemp(pattern.data());
    put("contract.json", kContract);
    options_.into = folder_ / "out";
    options_.redaction.names = {"pin"};
  }

  ~Record() override { fs::remove_all(folder_); }

  void put(const std::string& name, const std::string& text) const {
    fs::create_directories((folder_ / name).parent_path());
    std::ofstream(folder_ / name, std::ios::binary) << text;
  }

  std::string text(const std::string& name) const {
    const auto read = spec::document::read_file(folder_ / "out" / name);
    return read ? *read : "";
  }

  std::string everything() const {
    std::string all = out_.str() + notes_.str();
    for (const auto& file : fs::recursive_directory_iterator(folder_ / "out")) {
      if (file.is_regular_file()) {
        all += *spec::document::read_file(file.path());
      }
    }
    return all;
  }

  std::shared_ptr<const fixtures::LoadedApi> api(std::vector<fs::path> folders = {}) const {
    return fixtures::load_api(
        {.contract = folder_ / "contract.json", .folders = std::move(folders), .infers = true});
  }

  int record(const json& archive) {
    put("calls.har", archive.dump());
    options_.from = {folder_ / "calls.har"};
    return record_files(*api(), options_, out_, notes_, "1");
  }

  fs::path folder_;
  RecordOptions options_;
  std::ostringstream out_;
  std::ostringstream notes_;
};

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
  EXPECT_EQ(steps.at(0).at("answer").at("body").at("state"), "pending");
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

  record(har(entries));

  EXPECT_THAT(notes_.str(), HasSubstr("1 calls without a response"));
  EXPECT_THAT(notes_.str(), HasSubstr("1 calls to https://ads.example.net"));
  EXPECT_FALSE(json::parse(text("notes.json")).contains("n7"));
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
  const ValidatedCall call;
  LineFile file("/dev/full");

  EXPECT_THROW(file.append(to_line(call, Key("k"))), std::runtime_error);
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

}  // namespace
}  // namespace mock_server::record
