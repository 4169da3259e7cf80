// A mock with --state sqlite:FILE that is killed goes on where it was: over real sockets, with the
// real program.

#include "mock_server/tests/server_process.hpp"
#include "spec/json/read.hpp"
#include "spec/tests/folder.hpp"
#include "spec/tests/paths.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace mock_server::tests {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;

constexpr std::chrono::seconds kPatience{60};

class RestartedMock : public ::testing::Test {
 protected:
  void start(const std::vector<std::string>& more = {}) {
    std::vector<std::string> flags{"--port",         "0",       "--contract",
                                   contract_,        "--state", "sqlite:" + file(),
                                   "--seed-records", "0"};
    flags.insert(flags.end(), more.begin(), more.end());
    mock_ = std::make_unique<ServerProcess>(
        ServerProcess::Start{test_paths::mock_server(), flags, {}, folder_.path().string()});
    ASSERT_TRUE(mock_->wait_until_listening(kPatience)) << mock_->errors();
  }

  void kill_it() {
    ::kill(mock_->pid(), SIGKILL);
    mock_->wait_for_exit(kPatience);
  }

  // The result of a program that ends by itself: code, standard output and errors.
  std::string run(const std::vector<std::string>& words) {
    ServerProcess process({test_paths::mock_server(), words, {}, folder_.path().string()});
    const int code = process.wait_for_exit(kPatience);
    return std::to_string(code) + ' ' + process.output() + process.errors();
  }

  // The same of a line for bash, in which $MOCK is the program.
  std::string run_shell(const std::string& line) {
    ServerProcess process({"/bin/bash",
                           {"-c", "MOCK='" + test_paths::mock_server() + "'; " + line},
                           {},
                           folder_.path().string()});
    const int code = process.wait_for_exit(kPatience);
    return std::to_string(code) + ' ' + process.output() + process.errors();
  }

  std::string file() const { return (folder_.path() / "mock.db").string(); }

  // `more`: further fields.
  spec::http::ResponseRecord send(std::string_view method, std::string_view target,
                                  const json& body = nullptr, std::string_view more = "") {
    const std::string text = body.is_null() ? "" : body.dump();
    std::string bytes =
        std::string(method) + ' ' + std::string(target) + " HTTP/1.1\r\nHost: localhost\r\n";
    bytes += "Connection: close\r\nContent-Type: application/json\r\nContent-Length: " +
             std::to_string(text.size()) + "\r\n" + std::string(more) + "\r\n" + text;
    return mock_->exchange(method, bytes);
  }

  int status(std::string_view method, std::string_view target, const json& body = nullptr,
             std::string_view more = "") {
    return send(method, target, body, more).response.status;
  }

  json value(std::string_view target, std::string_view more = "") {
    const auto read = spec::json::read(send("GET", target, nullptr, more).response.body);
    return read ? *read : json("no JSON");
  }

  test_support::Folder folder_;
  std::string contract_ =
      test_paths::source() + "/contract_tests/tests/services/json_server/openapi.yaml";
  std::unique_ptr<ServerProcess> mock_;
};

TEST_F(RestartedMock, goes_on_with_records_scenarios_limits_and_clock) {
  constexpr std::string_view kOther = "X-Counterpart-Session: b\r\n";
  start({"--rate-limit", "3/3600"});
  const auto made = send("POST", "/posts", {{"title", "one"}});
  ASSERT_EQ(made.response.status, 201) << made.response.body;
  const std::string post(made.response.headers.find("Location").value_or(""));
  EXPECT_EQ(status("PATCH", post, {{"title", "two"}}), 200);
  EXPECT_EQ(status("PUT", "/_mock/snapshots/before"), 200);
  EXPECT_EQ(status("DELETE", post), 200);
  EXPECT_EQ(status("PUT", "/_mock/clock", {{"now", "2030-01-02T03:04:05Z"}, {"frozen", true}}),
            200);
  EXPECT_EQ(status("POST", "/_mock/scenarios/outage/arm", json::object(), kOther), 200);
  for (int call = 0; call < 3; ++call) {
    EXPECT_EQ(status("GET", "/comments/1"), 200);
  }
  EXPECT_EQ(status("GET", "/comments/1"), 429);

  kill_it();
  start({"--rate-limit", "3/3600"});

  EXPECT_EQ(value("/_mock/clock").at("now"), "2030-01-02T03:04:05.000000Z");
  EXPECT_EQ(status("GET", post), 404);
  EXPECT_EQ(status("GET", "/posts", nullptr, kOther), 503);
  EXPECT_EQ(status("GET", "/comments/1"), 429);
  EXPECT_EQ(status("POST", "/_mock/snapshots/before/restore", json::object()), 200);
  EXPECT_EQ(value(post).at("title"), "two");
  EXPECT_GE(value("/_mock/requests?limit=100").at("requests").size(), 7U);
}

TEST_F(RestartedMock, passes_its_state_on_as_a_file) {
  const std::string exported = (folder_.path() / "state.json").string();
  start();
  ASSERT_EQ(status("POST", "/posts", {{"title", "one"}}, "Authorization: Bearer abcdef\r\n"), 201);
  EXPECT_THAT(run({"state", "export", exported, "--state", "sqlite:" + file()}),
              HasSubstr("in use by another process"));
  EXPECT_EQ(mock_->terminate(), 0);
  EXPECT_EQ(run({"state", "export", exported, "--state", "sqlite:" + file()}),
            "0 " + exported + ": 1 session exported\n");
  std::filesystem::remove(file());

  EXPECT_EQ(run({"state", "import", exported, "--state", "sqlite:" + file()}),
            "0 " + file() + ": 1 session imported\n");

  start();
  EXPECT_EQ(value("/posts").at(0).at("title"), "one");
  EXPECT_EQ(value("/_mock/requests").at("requests").at(0).at("status"), 201);
  EXPECT_EQ(mock_->terminate(), 0);
}

TEST_F(RestartedMock, passes_its_state_on_over_pipes) {
  start();
  ASSERT_EQ(status("POST", "/posts", {{"title", "one"}}), 201);
  EXPECT_EQ(mock_->terminate(), 0);

  EXPECT_EQ(run_shell("$MOCK state export - --state sqlite:mock.db | "
                      "$MOCK state import - --state sqlite:other.db"),
            "0 other.db: 1 session imported\nstandard output: 1 session exported\n");
  EXPECT_FALSE(std::filesystem::exists(folder_.path() / "-"));
  EXPECT_THAT(run_shell("echo '{}' | $MOCK state import - --state sqlite:third.db"),
              HasSubstr("2 standard input: is no file of"));

  std::filesystem::rename(folder_.path() / "other.db", file());
  start();
  EXPECT_EQ(value("/posts").at(0).at("title"), "one");
}

TEST_F(RestartedMock, leaves_no_database_of_an_import_without_room) {
  start();
  for (int at = 0; at < 20; ++at) {
    ASSERT_EQ(status("POST", "/posts", {{"title", std::string(5'000, 'x')}},
                     "X-Counterpart-Session: s" + std::to_string(at) + "\r\n"),
              201);
  }
  EXPECT_EQ(mock_->terminate(), 0);
  run_shell("$MOCK state export all.json --state sqlite:mock.db");

  EXPECT_THAT(run_shell("$MOCK state import all.json --state sqlite:new.db --max-sessions 3"),
              HasSubstr("2 --state sqlite:new.db: has no room for it"));
  EXPECT_FALSE(std::filesystem::exists(folder_.path() / "new.db"));
  // 64 kB for each file: as if the disk were full.
  EXPECT_THAT(run_shell("trap '' XFSZ; ulimit -f 64; "
                        "$MOCK state import all.json --state sqlite:new.db"),
              HasSubstr("nothing was imported"));
  for (const char* const name : {"new.db", "new.db-wal", "new.db-shm"}) {
    EXPECT_FALSE(std::filesystem::exists(folder_.path() / name)) << name;
  }
}

TEST_F(RestartedMock, says_what_is_wrong_with_an_export_or_import) {
  const std::string database = "sqlite:" + file();
  EXPECT_THAT(run({"state", "export", "a.json", "--state", database}),
              HasSubstr("2 --state " + database + ": is not there"));
  EXPECT_THAT(run({"state", "export", "a.json"}), HasSubstr("2 mock_server: state: name the data"));
  EXPECT_THAT(run({"state", "--state", database}), HasSubstr("2 mock_server: state: say export"));
  EXPECT_THAT(run({"state", "import", "a.json", "--state", database}),
              HasSubstr("2 a.json: cannot be read"));
  start();
  EXPECT_EQ(mock_->terminate(), 0);
  EXPECT_THAT(run({"state", "export", "a.json", "--state", database, "--session", "b"}),
              HasSubstr("has no session \"b\""));
  EXPECT_THAT(run({"state", "export", "no/a.json", "--state", database}),
              HasSubstr("no/a.json: cannot be written"));
}

}  // namespace
}  // namespace mock_server::tests
