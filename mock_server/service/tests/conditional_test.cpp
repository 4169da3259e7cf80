// Records whose reads have an ETag are changed under the preconditions of RFC 9110 §13.

#include "mock_server/service/tests/test_service.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <string>
#include <thread>
#include <vector>

namespace mock_server::service {
namespace {

using ::testing::HasSubstr;

// ETAG is the header that the contract declares.
constexpr const char* kNotesContract = R"yaml(
openapi: 3.1.0
info: {title: Notes, version: "1"}
paths:
  /notes/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: integer}}]
    get: {operationId: get_note, responses: {"200": {description: d, headers: {ETAG}, content: {application/json: {schema: {$ref: "#/components/schemas/Note"}}}}}}
    put:
      operationId: put_note
      requestBody: {content: {application/json: {schema: {$ref: "#/components/schemas/Note"}}}}
      responses: {"204": {description: d, headers: {ETAG}}}
    patch:
      operationId: change_note
      requestBody: {content: {application/json: {schema: {$ref: "#/components/schemas/Note"}}}}
      responses: {"200": {description: d, content: {application/json: {schema: {$ref: "#/components/schemas/Note"}}}}}
    delete: {operationId: delete_note, responses: {"204": {description: d}}}
components:
  schemas:
    Note: {type: object, properties: {id: {type: integer}, text: {type: string}}}
)yaml";

constexpr const char* kNotesOperations = R"yaml(
collections: {notes: {id: /id}}
operations:
  get_note: {behaviour: read, collection: notes, key: /path/id}
  put_note: {behaviour: replace, collection: notes, key: /path/id, creates: true}
  change_note: {behaviour: update, collection: notes, key: /path/id, fields: {text: {}}}
  delete_note: {behaviour: delete, collection: notes, key: /path/id}
)yaml";

std::string notes_contract(const std::string& header) {
  std::string text = kNotesContract;
  for (std::size_t at = text.find("ETAG"); at != std::string::npos; at = text.find("ETAG")) {
    text.replace(at, 4, header);
  }
  return text;
}

TestService::Files notes_files() {
  return {{"contract.yaml", notes_contract("ETag: {schema: {type: string}}")},
          {"fixtures/operations.yaml", kNotesOperations},
          {"fixtures/notes.yaml", R"("7": {id: 7, text: a})"}};
}

class Notes {
 public:
  explicit Notes(TestService& service) : service_(service) {}

  std::string tag() { return header(service_.get("/notes/7"), "ETag"); }

  spec::http::Response send(const std::string& method, const std::string& field,
                            const std::string& value, const std::string& text = "",
                            const std::string& path = "/notes/7") {
    return service_
        .ask({method, path, {{field, value}, {"Content-Type", "application/json"}}, text})
        .response;
  }

  static std::string header(const spec::http::Response& response, std::string_view name) {
    return std::string(response.headers.find(name).value_or(""));
  }

 private:
  TestService& service_;
};

TEST(NotesWithTags, are_changed_only_where_if_match_names_their_version) {
  TestService service(notes_files());
  Notes notes(service);
  const std::string first = notes.tag();

  const auto other = notes.send("PATCH", "If-Match", "\"other\"", R"({"text": "b"})");

  EXPECT_EQ(other.status, 412);
  EXPECT_THAT(other.body, HasSubstr("header/If-Match: must have the record's ETag"));
  EXPECT_EQ(notes.tag(), first);
  EXPECT_EQ(notes.send("PATCH", "If-Match", first, R"({"text": "b"})").status, 200);
  EXPECT_NE(notes.tag(), first);
  EXPECT_EQ(notes.send("PATCH", "If-Match", first, R"({"text": "c"})").status, 412);
  EXPECT_EQ(notes.send("PUT", "If-Match", first, R"({"text": "c"})").status, 412);
  EXPECT_EQ(notes.send("DELETE", "If-Match", first).status, 412);
  EXPECT_EQ(notes.send("DELETE", "If-Match", notes.tag()).status, 204);
  EXPECT_EQ(notes.send("DELETE", "If-Match", "*").status, 404);
}

TEST(NotesWithTags, are_not_sent_again_to_who_has_them) {
  TestService service(notes_files());
  Notes notes(service);
  const std::string tag = notes.tag();

  const auto same = notes.send("GET", "If-None-Match", tag);

  EXPECT_EQ(same.status, 304);
  EXPECT_EQ(same.body, "");
  EXPECT_EQ(Notes::header(same, "ETag"), tag);
  EXPECT_EQ(notes.send("GET", "If-None-Match", "\"other\"").status, 200);
}

TEST(NotesWithTags, are_created_and_not_replaced_under_if_none_match) {
  TestService service(notes_files());
  Notes notes(service);
  const std::string text = R"({"text": "b"})";

  EXPECT_EQ(notes.send("PUT", "If-None-Match", "*", text).status, 412);
  EXPECT_EQ(notes.send("PUT", "If-Match", "*", text, "/notes/8").status, 412);
  EXPECT_EQ(notes.send("PUT", "If-None-Match", "*", text, "/notes/8").status, 204);
  const auto changed = notes.send("PUT", "If-Match", notes.tag(), text);
  EXPECT_EQ(changed.status, 204);
  EXPECT_EQ(Notes::header(changed, "ETag"), notes.tag());
}

TEST(NotesWithTags, have_the_tag_of_the_example_until_they_are_changed) {
  TestService service(
      {{"contract.yaml",
        notes_contract(R"(ETag: {required: true, schema: {type: string, pattern: '^W/"'}})")}},
      0);
  Notes notes(service);
  const std::string first = notes.tag();
  ASSERT_THAT(first, ::testing::StartsWith("W/\""));

  EXPECT_EQ(notes.send("PATCH", "If-Match", "W/\"other\"", R"({"text": "b"})").status, 412);
  EXPECT_EQ(notes.send("PATCH", "If-Match", first, R"({"text": "b"})").status, 200);
  EXPECT_EQ(notes.send("PATCH", "If-Match", first, R"({"text": "c"})").status, 412);
}

TEST(NotesWithTags, without_a_declared_tag_have_no_versions) {
  TestService service({{"contract.yaml", notes_contract("")},
                       {"fixtures/operations.yaml", kNotesOperations},
                       {"fixtures/notes.yaml", R"("7": {id: 7, text: a})"}});
  Notes notes(service);

  EXPECT_EQ(notes.tag(), "");
  EXPECT_EQ(notes.send("PATCH", "If-Match", "\"other\"", R"({"text": "b"})").status, 200);
}

TEST(NotesWithTags, are_changed_by_one_of_several_requests_that_name_the_same_version) {
  constexpr int kRequests = 8;
  TestService service(notes_files());
  Notes notes(service);
  const std::string tag = notes.tag();
  std::atomic<int> changed{0};
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < kRequests; ++i) {
      threads.emplace_back([&, i] {
        const std::string text = R"({"text": "by )" + std::to_string(i) + "\"}";
        changed += notes.send("PATCH", "If-Match", tag, text).status == 200 ? 1 : 0;
      });
    }
  }

  EXPECT_EQ(changed, 1);
}

}  // namespace
}  // namespace mock_server::service
