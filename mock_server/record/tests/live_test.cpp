// Recording while a mock passes requests on: what is on the disk when, and what goes wrong.

#include "mock_server/api/loading/load_api.hpp"
#include "mock_server/record/live_recording.hpp"
#include "spec/document/text_file.hpp"
#include "spec/har/har.hpp"
#include "spec/load_error.hpp"
#include "spec/tests/folder.hpp"
#include "spec/tests/rows.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <filesystem>
#include <string>
#include <sys/resource.h>
#include <thread>
#include <vector>

namespace mock_server::record {
namespace {

namespace fs = std::filesystem;

using testing::HasSubstr;
using testing::Not;

constexpr const char* kPets = R"({
  "openapi": "3.1.0", "info": {"title": "Pets", "version": "1"},
  "paths": {"/pets": {"get": {"operationId": "list_pets", "responses": {"200": {"description": "d",
      "content": {"application/json": {"schema": {"type": "array",
        "items": {"$ref": "#/components/schemas/Pet"}}}}}}}},
    "/pets/{id}": {
    "parameters": [{"name": "id", "in": "path", "required": true, "schema": {"type": "string"}}],
    "get": {"operationId": "get_pet", "responses": {"200": {"description": "d",
      "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Pet"}}}}}}}},
  "components": {"schemas": {"Pet": {"type": "object", "required": ["id"],
    "properties": {"id": {"type": "string"}, "name": {"type": "string"}}}}}})";

// A forwarded GET of a pet.
struct Exchanged {
  std::string id = "p1";
  std::string body = R"({"id": "p1", "name": "Rex"})";
  spec::http::Headers fields{};  // of the request
  bool is_whole = true;
  int status = 200;
  std::string request_body{};
  std::string method = "GET";
};

class LiveRecording : public testing::Test {
 protected:
  LiveRecording() {
    folder_.write("pets.json", kPets);
    options_.into = root_ / "out";
    options_.flags = "--record-";
    api_ = api::load_api({.contract = root_ / "pets.json", .folders = {}, .infers = true});
  }

  std::unique_ptr<Live> open() {
    return std::make_unique<Live>(
        api_, options_, "1",
        [this](const std::string& message) {
          const std::lock_guard lock(mutex_);
          warnings_ += message + '\n';
        },
        [this](const std::string& message) {
          const std::lock_guard lock(mutex_);
          events_ += message + '\n';
        });
  }

  void add(Live& live, const Exchanged& made) const {
    spec::http::Request request{made.method, "/pets/" + made.id, made.fields, made.request_body};
    spec::http::Response response;
    response.status = made.status;
    response.headers.add("Content-Type", "application/json");
    response.body = made.body;
    const std::string url = "https://api.example.com/v1" + request.target;
    live.add({.url = url, .request = request, .decoded = response, .is_whole = made.is_whole});
  }

  std::string file(const std::string& name) const {
    const auto read = spec::document::read_file(root_ / "out" / name);
    return read ? *read : "";
  }

  std::string warnings() const {
    const std::lock_guard lock(mutex_);
    return warnings_;
  }

  // Waits until the file has the text.
  bool comes(const std::string& name, const std::string& text) const {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(30);
    while (file(name).find(text) == std::string::npos) {
      if (std::chrono::steady_clock::now() > end) {
        return false;
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return true;
  }

  const test_support::Folder folder_;
  const fs::path& root_ = folder_.path();
  RecordOptions options_;
  std::shared_ptr<const api::LoadedApi> api_;
  mutable std::mutex mutex_;
  std::string warnings_;
  std::string events_;
};

TEST_F(LiveRecording, has_the_line_when_the_client_gets_the_response) {
  const auto live = open();
  add(*live, {});

  EXPECT_THAT(file("calls.jsonl"), HasSubstr(R"("origin":"https://api.example.com/v1")"));
  EXPECT_THAT(file("calls.jsonl"), HasSubstr(R"("verdict":"valid")"));
  EXPECT_EQ(live->health().written, 1U);
}

TEST_F(LiveRecording, has_records_and_har_at_the_end_and_changes_records_in_place) {
  {
    const auto live = open();
    add(*live, {});
    EXPECT_TRUE(live->finish());
    EXPECT_THAT(file("pets.json"), HasSubstr("Rex"));
    EXPECT_THAT(file("calls.har"), HasSubstr("https://api.example.com/v1/pets/p1"));
  }
  const auto again = open();
  add(*again, {.body = R"({"id": "p1", "name": "Max"})"});

  EXPECT_TRUE(again->finish());
  EXPECT_THAT(file("pets.json"), AllOf(HasSubstr("Max"), Not(HasSubstr("Rex"))));
  EXPECT_EQ(warnings(), "");
}

TEST_F(LiveRecording, has_the_har_when_no_call_came_for_a_while) {
  const auto live = open();
  add(*live, {});

  EXPECT_TRUE(comes("calls.har", "/pets/p1"));
  EXPECT_EQ(file("pets.json"), "");
}

TEST_F(LiveRecording, takes_a_secret_out_of_lines_that_were_written_before_it_was_known) {
  const auto live = open();
  add(*live, {.body = R"({"id": "p1", "name": "planted-late \"one\""})"});
  EXPECT_THAT(file("calls.jsonl"), HasSubstr("planted-late"));
  add(*live, {.fields = {{"Authorization", "Bearer planted-late \"one\""}}});

  EXPECT_TRUE(live->finish());
  add(*live, {.id = "p2", .body = R"({"id": "p2"})"});
  for (const auto* const name : {"calls.jsonl", "calls.har", "pets.json"}) {
    EXPECT_THAT(file(name), Not(HasSubstr("planted-late"))) << name;
  }
  EXPECT_THAT(file("calls.jsonl"), HasSubstr("/pets/p2"));
}

TEST_F(LiveRecording, says_that_a_long_body_is_missing) {
  const auto live = open();
  add(*live, {.body = "", .is_whole = false});

  EXPECT_THAT(file("calls.jsonl"), HasSubstr(R"("body_is_missing":true)"));
  EXPECT_THAT(file("calls.jsonl"), HasSubstr("the body of the response is not in the recording"));
}

struct BrokenBody {
  std::string name;
  std::string request;
  std::string response;
  std::string says;  // in the finding
};

void PrintTo(const BrokenBody& row, std::ostream* out) {
  *out << row.name;
}

class BrokenBodies : public LiveRecording, public testing::WithParamInterface<BrokenBody> {};

TEST_P(BrokenBodies, are_not_in_the_line_but_the_rest_is) {
  const auto live = open();
  add(*live, {.body = GetParam().response,
              .fields = {{"Content-Type", "application/json"}},
              .status = 502,
              .request_body = GetParam().request});

  EXPECT_THAT(file("calls.jsonl"), AllOf(HasSubstr(R"("status":502)"), HasSubstr("/pets/p1"),
                                         HasSubstr(R"("body_is_missing":true)"),
                                         HasSubstr(GetParam().says), Not(HasSubstr("planted"))));
  EXPECT_EQ(live->health().written, 1U);
  EXPECT_EQ(live->health().not_written, 0U);
  EXPECT_TRUE(live->finish());
}

INSTANTIATE_TEST_SUITE_P(
    Table, BrokenBodies,
    testing::Values(BrokenBody{"response", "", "<html>planted", "response: the body is no JSON"},
                    BrokenBody{"request", "{\"planted", "{}", "request: the body is no JSON"},
                    BrokenBody{"both", "{\"planted", "planted", "request: the body is no JSON"}),
    spec::tests::kRowNames);

TEST_F(LiveRecording, says_at_the_end_what_became_of_the_calls) {
  const auto live = open();
  add(*live, {});
  add(*live, {.id = "p2", .body = "", .is_whole = false});

  EXPECT_TRUE(live->finish());

  EXPECT_THAT(events_, HasSubstr("recording: pets/p1: added\n"));
  EXPECT_THAT(events_, HasSubstr("recording: the calls are in "));
  EXPECT_THAT(events_, HasSubstr("calls.har\n"));
  EXPECT_THAT(warnings(), HasSubstr("its body is not in the recording; the mock makes one"));
  const auto calls = spec::har::read_har(file("calls.har"), "calls.har").calls;
  ASSERT_EQ(calls.size(), 2U);
  EXPECT_TRUE(calls[0].has_response_body);
  EXPECT_FALSE(calls[1].has_response_body);
}

TEST_F(LiveRecording, makes_no_step_of_304_of_an_interim_response_and_of_head) {
  const auto live = open();
  add(*live, {.body = "", .method = "HEAD"});
  add(*live, {});
  add(*live, {.body = "", .status = 304});
  add(*live, {.body = "", .status = 101});
  add(*live, {.body = "", .method = "HEAD"});

  EXPECT_TRUE(live->finish());
  EXPECT_EQ(file("scenarios/recorded.json"), "");
  EXPECT_THAT(file("pets.json"), HasSubstr("Rex"));
}

// Limits the size of files of this process while it lives.
class SmallDisk {
 public:
  explicit SmallDisk(rlim_t bytes) {
    std::signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit small{bytes, before_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &small);
  }

  ~SmallDisk() { setrlimit(RLIMIT_FSIZE, &before_); }

  SmallDisk(const SmallDisk&) = delete;
  SmallDisk& operator=(const SmallDisk&) = delete;

 private:
  rlimit before_{};
};

TEST_F(LiveRecording, keeps_whole_lines_on_a_full_disk_and_goes_on_when_there_is_room) {
  const auto live = open();
  add(*live, {});
  const std::string before = file("calls.jsonl");
  {
    const SmallDisk full(before.size() + 20);
    add(*live, {.id = "p2"});
    EXPECT_EQ(file("calls.jsonl"), before);
    EXPECT_THAT(live->health().problem, HasSubstr("calls.jsonl: a call could not be written"));
    EXPECT_FALSE(live->finish());
    EXPECT_THAT(warnings(), HasSubstr("mock_server record --from"));
  }
  add(*live, {.id = "p3", .body = R"({"id": "p3"})"});

  EXPECT_EQ(live->health().problem, "");
  EXPECT_EQ(live->health().not_written, 1U);
  EXPECT_FALSE(live->finish());
  EXPECT_THAT(file("pets.json"), AllOf(HasSubstr("p1"), HasSubstr("p3")));
}

struct BadFolder {
  std::string name;
  std::string into;  // below the root, unless it begins with a slash
  std::string says;
};

void PrintTo(const BadFolder& row, std::ostream* out) {
  *out << row.name;
}

class LiveFolders : public LiveRecording, public testing::WithParamInterface<BadFolder> {};

TEST_P(LiveFolders, that_cannot_be_recorded_into_are_rejected_at_the_start) {
  folder_.write("others/pets.json", R"({"p9": {"id": "p9"}})");
  options_.into = root_ / GetParam().into;

  try {
    open();
    FAIL() << "must be rejected";
  } catch (const spec::LoadError& error) {
    EXPECT_THAT(error.what(), HasSubstr(GetParam().says));
  }
  EXPECT_FALSE(fs::exists(root_ / "others/calls.jsonl"));
}

INSTANTIATE_TEST_SUITE_P(
    Table, LiveFolders,
    testing::Values(
        BadFolder{"other_fixtures", "others", "in place with --record-merge"},
        BadFolder{"file", "pets.json", "is no folder; name a folder with --record-into"},
        BadFolder{"below_a_file", "pets.json/in", "--record-into"},
        BadFolder{"not_to_be_written", "/proc/self/attr", "can write with --record-into"}),
    spec::tests::kRowNames);

TEST_F(LiveRecording, is_of_one_program_at_a_time) {
  const auto live = open();

  EXPECT_THROW(open(), spec::LoadError);
}

}  // namespace
}  // namespace mock_server::record
