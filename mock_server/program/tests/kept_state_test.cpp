// The place of the program's state, and the messages when that place fails.

#include "mock_server/program/tests/command.hpp"
#include "mock_server/program/tests/replicas.hpp"
#include "spec/tests/folder.hpp"
#include "spec/tests/rows.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

namespace mock_server::program {
namespace {

using nlohmann::json;
using state::shared::testing::RedisServer;
using testing::Caller;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::Replicas;
using transport::testing::Process;

bool happens_in_time(const std::function<bool()>& condition) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  while (!condition()) {
    if (std::chrono::steady_clock::now() > end) {
      return false;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return true;
}

std::vector<std::string> todo_titles(Caller& caller) {
  std::vector<std::string> all;
  for (const json& one : json::parse(caller.send("GET", "/todos").body)) {
    all.push_back(one.at("title"));
  }
  return all;
}

json health_by(Caller& caller) {
  return json::parse(caller.send("GET", "/_mock/health").body, nullptr, false);
}

std::size_t times_in(std::string_view text, std::string_view part) {
  std::size_t count = 0;
  for (auto at = text.find(part); at != std::string_view::npos; at = text.find(part, at + 1)) {
    ++count;
  }
  return count;
}

void expect_healthy(const char* kind, const std::vector<std::string>& flags) {
  Process server(mock_command(flags));
  Caller caller(transport::testing::port_in(server.line()));
  const auto response = caller.send("GET", "/_mock/health");

  EXPECT_EQ(response.status, 200) << response.body;
  const json health = json::parse(response.body, nullptr, false);
  EXPECT_EQ(health.value("status", ""), "ok");
  EXPECT_EQ(health.value("state", json::object()).value("kind", ""), kind);
}

TEST(KeptState, is_healthy_in_memory_and_in_a_file) {
  const test_support::Folder folder;

  expect_healthy("memory", {});
  expect_healthy("sqlite", {"--state", "sqlite:" + (folder.path() / "state.db").string()});
}

constexpr const char* kTodos = R"({"openapi": "3.1.0", "info": {"title": "T", "version": "1"},
  "paths": {"/todos": {
    "get": {"responses": {"200": {"description": "all", "content": {"application/json": {"schema":
      {"type": "array", "items": {"$ref": "#/components/schemas/Todo"}}}}}}},
    "post": {"requestBody": {"content": {"application/json": {"schema":
        {"$ref": "#/components/schemas/Todo"}}}},
      "responses": {"201": {"description": "made", "content": {"application/json": {"schema":
        {"$ref": "#/components/schemas/Todo"}}}}}}}},
  "components": {"schemas": {"Todo": {"type": "object", "required": ["id"],
    "properties": {"id": {"type": "string"}, "title": {"type": "string"}}}}}})";

TEST(KeptState, whose_file_is_gone_rejects_changes_and_the_journal_says_so) {
  const test_support::Folder folder;
  const std::string contract = folder.write("todos.json", kTodos).string();
  const std::string file = (folder.path() / "state.db").string();
  Process server(mock_command({"--contract", contract, "--state", "sqlite:" + file}));
  Caller caller(transport::testing::port_in(server.line()));
  const auto add = [&] { return caller.send("POST", "/todos", R"({"id": "t1"})"); };
  std::filesystem::rename(file, file + ".away");

  EXPECT_EQ(add().status, 503);
  ASSERT_TRUE(happens_in_time([&] { return health_by(caller).value("status", "") == "degraded"; }));
  const auto response = add();
  EXPECT_EQ(response.status, 503);
  EXPECT_THAT(response.body, HasSubstr("deleted, moved or replaced"));
  const json journal = json::parse(caller.send("GET", "/_mock/requests?method=POST").body);
  const json& newest = journal.at("requests").back();
  EXPECT_EQ(newest.value("status", 0), 503);
  EXPECT_EQ(newest.value("chosen_by", ""), "state");
}

class StateInRedis : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!RedisServer::is_installed()) {
      GTEST_SKIP() << "redis-server is not installed";
    }
  }
};

TEST_F(StateInRedis, is_healthy) {
  const RedisServer redis;

  expect_healthy("redis", {"--state", redis.url()});
}

TEST_F(StateInRedis, that_is_older_than_it_was_is_other_state_for_all_mocks_and_said_once) {
  const test_support::Folder folder;
  RedisServer redis(std::vector<std::string>{"--dir", folder.path().string()});
  Replicas replicas(redis, 2);
  Caller one(replicas.port(0));
  Caller two(replicas.port(1));
  one.send("POST", "/todos", R"({"title": "kept"})");
  redis.ask({"SAVE"});
  two.send("POST", "/todos", R"({"title": "lost"})");
  ASSERT_THAT(todo_titles(one), ElementsAre("kept", "lost"));
  redis.kill();
  redis.start();
  ASSERT_TRUE(happens_in_time([&] { return one.send("GET", "/todos").status == 200; }));
  ASSERT_TRUE(happens_in_time([&] { return two.send("GET", "/todos").status == 200; }));

  EXPECT_THAT(todo_titles(one), ElementsAre("kept"));
  EXPECT_THAT(todo_titles(two), ElementsAre("kept"));
  const auto made = one.send("POST", "/todos", R"({"title": "new"})");
  EXPECT_EQ(made.status, 201);
  const std::string target = "/todos/" + std::to_string(json::parse(made.body).value("id", 0));
  EXPECT_EQ(two.send("GET", target).status, 200);
  EXPECT_EQ(one.send("PATCH", target, R"({"title": "newer"})").status, 200);
  EXPECT_THAT(todo_titles(two), ElementsAre("kept", "newer"));
  const json posts{{"match", {{"method", "POST"}}}, {"exactly", 2}};
  for (std::size_t at = 0; at < 2; ++at) {
    Caller caller(replicas.port(at));
    EXPECT_EQ(health_by(caller)["state"].value("losses", 0), 1);
    EXPECT_THAT(caller.send("POST", "/_mock/requests/verify", posts.dump()).body,
                HasSubstr("inconclusive"));
    EXPECT_EQ(times_in(replicas.end(at), "came back with older data, or empty"), 1U);
  }
}

TEST_F(StateInRedis, is_none_where_it_drops_records_when_it_is_full_unless_that_is_allowed) {
  RedisServer evicting(
      std::vector<std::string>{"--maxmemory", "100mb", "--maxmemory-policy", "allkeys-lru"});
  const auto failed = testing::start_with_state(evicting.url());
  EXPECT_EQ(failed.code, 2);
  EXPECT_THAT(failed.errors, HasSubstr("(maxmemory-policy allkeys-lru); set maxmemory-policy "
                                       "noeviction, name another Redis, or allow it with "
                                       "--allow-eviction"));
  EXPECT_EQ(times_in(failed.errors, "\n"), 1U);
  EXPECT_THAT(Replicas(evicting, 1, {"--allow-eviction"}).end(0),
              HasSubstr("drops records when it is full (maxmemory-policy allkeys-lru)"));

  RedisServer unbounded(std::vector<std::string>{"--maxmemory-policy", "allkeys-lru"});
  EXPECT_EQ(Replicas(unbounded, 1).end(0), "");
}

struct StateRejection {
  std::string name;
  std::string setting;
  std::string says;
};

using RedisThatTakesNoChanges = spec::tests::RowTest;

TEST_P(RedisThatTakesNoChanges, is_called_what_it_is_in_one_line_until_it_does) {
  if (!RedisServer::is_installed()) {
    GTEST_SKIP() << "redis-server is not installed";
  }
  const StateRejection& row = GetParam();
  RedisServer redis;
  Replicas replicas(redis, 1);
  Caller caller(replicas.port(0));
  ASSERT_EQ(caller.send("GET", "/todos").status, 200);
  redis.ask({"CONFIG", "SET", row.setting, "1"});
  const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(500);
  int asked = 0;
  while (asked < 5 || std::chrono::steady_clock::now() < end) {  // Redis is probed meanwhile, too
    const auto rejected = caller.send("POST", "/todos", R"({"title": "more"})");
    EXPECT_EQ(rejected.status, 503);
    EXPECT_THAT(rejected.body, HasSubstr(row.says));
    ++asked;
  }
  EXPECT_EQ(health_by(caller)["status"], "degraded");
  EXPECT_THAT(health_by(caller)["state"].value("problem", ""), HasSubstr(row.says));
  redis.ask({"CONFIG", "SET", row.setting, "0"});
  EXPECT_TRUE(happens_in_time([&] { return health_by(caller)["status"] == "ok"; }));
  EXPECT_EQ(caller.send("POST", "/todos", R"({"title": "more"})").status, 201);

  const std::string log = replicas.end(0);
  EXPECT_EQ(times_in(log, row.says), 1U) << log;
  EXPECT_EQ(times_in(log, "/0 can be used again"), 1U) << log;
  EXPECT_EQ(times_in(log, "\n"), 2U) << log;
}

const std::vector<StateRejection> kStateRejections = {
    {"full", "maxmemory", "the shared state is full: the Redis at "},
    {"without_replicas", "min-replicas-to-write", "cannot be used: NOREPLICAS"}};

INSTANTIATE_TEST_SUITE_P(Each, RedisThatTakesNoChanges,
                         ::testing::ValuesIn(spec::tests::rows(kStateRejections)),
                         spec::tests::kRowNames);

TEST_F(StateInRedis, that_is_full_at_the_start_is_one_line) {
  RedisServer full(std::vector<std::string>{"--maxmemory", "1"});
  const auto failed = testing::start_with_state(full.url());

  EXPECT_EQ(failed.code, 2);
  EXPECT_THAT(failed.errors, HasSubstr("; it is full: give it more memory (maxmemory)"));
}

}  // namespace
}  // namespace mock_server::program
