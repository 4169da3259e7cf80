// Mocks that share their state in Redis: behind nginx they behave as one, and when Redis or one of
// them goes away, nothing that was acknowledged is lost.

#include "mock_server/program/tests/replicas.hpp"

#include "mock_server/program/tests/slow_proxy.hpp"
#include "mock_server/transport/tests/support/certificate.hpp"
#include "spec/tests/rows.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <vector>

namespace mock_server::program {
namespace {

using nlohmann::json;
using state::shared::testing::RedisServer;
using testing::Caller;
using testing::Replicas;
using SteadyClock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr int kClients = 64;
constexpr int kMembers = 5;  // of one record, that each client changes in turn

// The number of rounds of each client; all of the 1,000 only when they are asked for.
int rounds() {
  const char* const wanted = std::getenv("COUNTERPART_ROUNDS");
  return wanted == nullptr ? 5 : std::atoi(wanted);
}

// A journal, and sessions, with room for all that the clients send.
std::vector<std::string> with_room() {
  constexpr int kBytesOfOne = 4'000;
  const std::string bytes = std::to_string(kBytesOfOne * kClients * rounds());
  return {"--journal-bytes", bytes, "--session-bytes", bytes};
}

// Responses that were not the wanted ones, each body once.
class Others {
 public:
  // True if the status is the wanted one.
  bool is(int wanted, const spec::http::Response& response) {
    const std::lock_guard lock(mutex_);
    if (response.status != wanted) {
      bodies_[std::to_string(response.status) + ' ' + response.body]++;
    }
    return response.status == wanted;
  }

  const std::map<std::string, int>& bodies() const { return bodies_; }

 private:
  std::mutex mutex_;
  std::map<std::string, int> bodies_;
};

// Each client on a thread of its own.
void at_once(int clients, const std::function<void(int client)>& work) {
  std::vector<std::jthread> threads;
  for (int client = 0; client < clients; ++client) {
    threads.emplace_back(work, client);
  }
}

std::string todo(int client, int round) {
  return "c" + std::to_string(client) + "_" + std::to_string(round);
}

bool contains(const json& all, const std::map<std::string, std::string>& some) {
  return std::ranges::all_of(
      some, [&](const auto& member) { return all.value(member.first, "") == member.second; });
}

std::vector<std::string> titles(Caller& caller) {
  std::vector<std::string> all;
  for (const json& one : json::parse(caller.send("GET", "/todos").body)) {
    all.push_back(one.at("title"));
  }
  return all;
}

class SharedState : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!RedisServer::is_installed() || !testing::is_nginx_installed()) {
      GTEST_SKIP() << "redis-server or nginx is not installed";
    }
    redis_.emplace();
  }

  RedisServer& redis() { return *redis_; }

  // The time until a request that needs state has that status; -1: for ever.
  static milliseconds time_until(int status, int port, milliseconds patience) {
    const auto began = SteadyClock::now();
    while (SteadyClock::now() - began < patience) {
      if (Caller(port).send("GET", "/todos").status == status) {
        return std::chrono::duration_cast<milliseconds>(SteadyClock::now() - began);
      }
      std::this_thread::sleep_for(milliseconds(10));
    }
    return milliseconds(-1);
  }

 private:
  std::optional<RedisServer> redis_;
};

struct Many {
  const char* name;
  std::size_t replicas;
};

void PrintTo(const Many& many, std::ostream* out) {
  *out << many.name;
}

class ManyReplicas : public SharedState, public ::testing::WithParamInterface<Many> {};

TEST_P(ManyReplicas, lose_and_double_no_record_of_many_clients) {
  Replicas replicas(redis(), GetParam().replicas, with_room());
  const int port = replicas.balancer();
  std::atomic<int> made{0};
  Others others;
  at_once(kClients, [&](int client) {
    Caller caller(port);
    for (int round = 0; round < rounds(); ++round) {
      const std::string body = json{{"title", todo(client, round)}}.dump();
      made += others.is(201, caller.send("POST", "/todos", body)) ? 1 : 0;
    }
  });

  EXPECT_THAT(others.bodies(), ::testing::IsEmpty());
  EXPECT_EQ(made, kClients * rounds());
  for (std::size_t at = 0; at < replicas.count(); ++at) {
    Caller caller(replicas.port(at));
    const auto all = titles(caller);
    EXPECT_EQ(all.size(), static_cast<std::size_t>(kClients * rounds()));
    EXPECT_EQ(std::set<std::string>(all.begin(), all.end()).size(), all.size());
    const json wanted{{"match", {{"path", "/todos"}, {"method", "POST"}}},
                      {"exactly", kClients * rounds()}};
    EXPECT_EQ(caller.send("POST", "/_mock/requests/verify", wanted.dump()).status, 200);
  }
}

TEST_P(ManyReplicas, lose_no_change_of_one_record) {
  Replicas replicas(redis(), GetParam().replicas);
  const int port = replicas.balancer();
  const json made = json::parse(Caller(port).send("POST", "/todos", R"({"title": "all"})").body);
  const std::string target = "/todos/" + std::to_string(made.at("id").get<int>());
  std::atomic<int> done{0};
  std::atomic<int> lost{0};
  Others others;
  at_once(kClients, [&](int client) {
    Caller caller(port);
    std::map<std::string, std::string> own;  // seen in the responses to the next ones
    for (int round = 0; round < rounds(); ++round) {
      const std::string member = todo(client, round % kMembers);
      const std::string value = std::to_string(round);
      const auto changed = caller.send("PATCH", target, json{{member, value}}.dump());
      if (!others.is(200, changed)) {
        own.erase(member);  // it may be done, or not
        continue;
      }
      own[member] = value;
      ++done;
      lost += contains(json::parse(changed.body), own) ? 0 : 1;
    }
  });

  EXPECT_THAT(others.bodies(), ::testing::IsEmpty());
  EXPECT_EQ(done, kClients * rounds());
  EXPECT_EQ(lost, 0);
  const json all = json::parse(Caller(replicas.port(0)).send("GET", target).body);
  EXPECT_EQ(all.size(), static_cast<std::size_t>(kClients * std::min(kMembers, rounds()) + 2));
}

TEST_P(ManyReplicas, take_a_step_of_a_scenario_once) {
  constexpr int kCalls = 1'000;
  Replicas replicas(redis(), GetParam().replicas);
  const int port = replicas.balancer();
  ASSERT_EQ(Caller(port).send("POST", "/_mock/scenarios/once/arm").status, 200);
  std::atomic<int> rejected{0};
  std::atomic<int> others{0};
  at_once(20, [&](int /*client*/) {
    Caller caller(port);
    for (int call = 0; call < kCalls / 20; ++call) {
      const int status = caller.send("GET", "/todos").status;
      rejected += status == 429 ? 1 : 0;
      others += status == 200 ? 1 : 0;
    }
  });

  EXPECT_EQ(rejected, 1);
  EXPECT_EQ(others, kCalls - 1);
}

TEST_P(ManyReplicas, count_one_limit_together) {
  constexpr int kLimit = 50;
  Replicas replicas(redis(), GetParam().replicas, {"--rate-limit", "50/3600"});
  const int port = replicas.balancer();
  std::atomic<int> allowed{0};
  std::atomic<int> rejected{0};
  at_once(16, [&](int /*client*/) {
    Caller caller(port);
    for (int call = 0; call < 10; ++call) {
      const int status = caller.send("GET", "/todos").status;
      allowed += status == 200 ? 1 : 0;
      rejected += status == 429 ? 1 : 0;
    }
  });

  EXPECT_EQ(allowed, kLimit);
  EXPECT_EQ(rejected, 160 - kLimit);
}

TEST_P(ManyReplicas, lose_nothing_that_was_acknowledged_when_one_is_killed) {
  Replicas replicas(redis(), GetParam().replicas);
  const int port = replicas.balancer();
  std::mutex mutex;
  std::set<std::string> acknowledged;
  std::atomic<int> done{0};
  {
    const std::jthread killer([&] {
      while (done < 8 * rounds()) {
        std::this_thread::sleep_for(milliseconds(1));
      }
      replicas.kill(0);
    });
    at_once(16, [&](int client) {
      Caller caller(port);
      for (int round = 0; round < 2 * rounds(); ++round) {
        const std::string body = json{{"title", todo(client, round)}}.dump();
        if (caller.send("POST", "/todos", body).status == 201) {
          const std::lock_guard lock(mutex);
          acknowledged.insert(todo(client, round));
        }
        ++done;
      }
    });
  }

  Caller other(replicas.port(1));
  const auto all = titles(other);
  EXPECT_THAT(all, ::testing::IsSupersetOf(acknowledged));
  EXPECT_EQ(std::set<std::string>(all.begin(), all.end()).size(), all.size());
  EXPECT_GT(acknowledged.size(), 0U);
}

INSTANTIATE_TEST_SUITE_P(Each, ManyReplicas, ::testing::Values(Many{"two", 2}, Many{"four", 4}),
                         spec::tests::kRowNames);

TEST_F(SharedState, a_redis_that_is_killed_is_503_within_a_second_and_good_soon_after_it_returns) {
  Replicas replicas(redis(), 1);
  Caller caller(replicas.port(0));
  ASSERT_EQ(caller.send("GET", "/todos").status, 200);
  redis().kill();

  const auto began = SteadyClock::now();
  const auto away = caller.send("GET", "/todos");
  EXPECT_LT(SteadyClock::now() - began, milliseconds(1'000));
  EXPECT_EQ(away.status, 503);
  EXPECT_EQ(away.headers.find("Retry-After"), "1");
  EXPECT_EQ(caller.send("GET", "/_mock/", "", "text/html,*/*;q=0.8").status, 200);
  EXPECT_THAT(away.body, ::testing::HasSubstr(redis().url()));
  const json health = json::parse(caller.send("GET", "/_mock/health").body);
  EXPECT_EQ(health.at("status"), "degraded");
  EXPECT_EQ(caller.send("GET", "/_mock/ready").status, 200);

  redis().start();
  const milliseconds back = time_until(200, replicas.port(0), milliseconds(20'000));
  EXPECT_GE(back.count(), 0);
  EXPECT_LT(back.count(), 2'000);
  EXPECT_EQ(json::parse(caller.send("GET", "/_mock/health").body).at("status"), "ok");
}

TEST_F(SharedState, a_redis_that_does_not_reply_is_503_within_a_second) {
  Replicas replicas(redis(), 1);
  Caller caller(replicas.port(0));
  ASSERT_EQ(caller.send("POST", "/todos", R"({"title": "kept"})").status, 201);
  redis().freeze();

  const auto began = SteadyClock::now();
  const auto away = caller.send("GET", "/todos");
  const auto took = SteadyClock::now() - began;
  redis().thaw();
  EXPECT_LT(took, milliseconds(1'000));
  EXPECT_EQ(away.status, 503);
  EXPECT_LT(time_until(200, replicas.port(0), milliseconds(20'000)).count(), 2'000);
  EXPECT_THAT(titles(caller), ::testing::ElementsAre("kept"));
}

TEST_F(SharedState, who_needs_no_state_does_not_wait_for_a_slow_redis) {
  constexpr milliseconds kSlow{150};
  testing::SlowProxy proxy(redis().port(), kSlow);
  Replicas replicas(redis(), 1, {}, "redis://127.0.0.1:" + std::to_string(proxy.port()) + "/0");
  const int port = replicas.port(0);
  std::vector<milliseconds> quick;
  std::vector<milliseconds> slow;
  const auto time = [port](const char* target, std::vector<milliseconds>& times) {
    Caller caller(port);
    const auto began = SteadyClock::now();
    EXPECT_EQ(caller.send("GET", target).status, 200);
    times.push_back(std::chrono::duration_cast<milliseconds>(SteadyClock::now() - began));
  };
  {
    const std::jthread others([&] {
      at_once(16, [&](int /*client*/) { Caller(port).send("GET", "/todos"); });
      time("/todos", slow);
    });
    for (int call = 0; call < 10; ++call) {
      for (const char* const target : {"/_mock/health", "/_mock/ready", "/_mock/spec"}) {
        time(target, quick);
      }
    }
  }

  std::ranges::sort(quick);
  EXPECT_GE(slow.front(), kSlow);
  EXPECT_LT(quick[quick.size() / 2], kSlow / 2);
}

TEST_F(SharedState, is_reached_over_tls_if_the_certificate_is_trusted) {
  const transport::testing::Certificate certificate;
  RedisServer guarded(certificate.certificate_file(), certificate.key_file());
  const std::string state = guarded.url();
  ASSERT_THAT(state, ::testing::StartsWith("rediss://localhost:"));

  const auto untrusted = testing::start_with_state(state);
  EXPECT_EQ(untrusted.code, 2);
  EXPECT_THAT(untrusted.errors, ::testing::HasSubstr("is not trusted"));
  const auto wrong_name =
      testing::start_with_state("rediss://127.0.0.1:" + std::to_string(guarded.port()), "To do",
                                {{"SSL_CERT_FILE", certificate.certificate_file()}});
  EXPECT_EQ(wrong_name.code, 2);
  EXPECT_THAT(wrong_name.errors, ::testing::HasSubstr("is not trusted"));

  Replicas replicas(guarded, 2, {}, state, {{"SSL_CERT_FILE", certificate.certificate_file()}});
  Caller one(replicas.port(0));
  Caller two(replicas.port(1));
  EXPECT_EQ(one.send("POST", "/todos", R"({"title": "secret"})").status, 201);
  EXPECT_THAT(titles(two), ::testing::ElementsAre("secret"));
}

TEST_F(SharedState, data_that_was_lost_is_not_read_from_a_copy) {
  Replicas replicas(redis(), 2);
  Caller one(replicas.port(0));
  Caller two(replicas.port(1));
  one.send("POST", "/todos", R"({"title": "lost"})");
  ASSERT_THAT(titles(two), ::testing::ElementsAre("lost"));
  redis().ask({"FLUSHALL"});
  one.send("POST", "/todos", R"({"title": "new"})");

  EXPECT_THAT(titles(two), ::testing::ElementsAre("new"));
  const json wanted{{"match", {{"path", "/todos"}, {"method", "POST"}}}, {"exactly", 1}};
  EXPECT_THAT(two.send("POST", "/_mock/requests/verify", wanted.dump()).body,
              ::testing::HasSubstr("inconclusive"));
}

TEST_F(SharedState, a_redis_that_cannot_be_used_is_one_line_at_the_start) {
  RedisServer closed(std::vector<std::string>{"--requirepass", "secret"});
  const std::string other = redis().url(3);
  { Replicas replicas(redis(), 1, {}, other); }
  redis().ask({"HSET", "cp:meta", "format", "99", "contract", "To do"}, 4);
  const std::string nowhere =
      "redis://127.0.0.1:" + std::to_string(state::shared::testing::free_port());
  testing::OldRedis old;

  struct Row {
    std::string state;
    std::string title;
    std::string says;
    std::string remedy;
  };

  const std::string guarded = "127.0.0.1:" + std::to_string(closed.port());
  for (const Row& row :
       {Row{"redis://:wrong@" + guarded, "To do", "WRONGPASS",
            "; give the right password: redis://:PASSWORD@HOST"},
        Row{"redis://" + guarded, "To do", "NOAUTH", "; give its password"},
        Row{redis().url().replace(8, 0, ":much@"), "To do", "without any password",
            "leave the password out of --state"},
        Row{other, "Another", "has the state of another contract", "FLUSHDB"},
        Row{redis().url(4), "To do", "holds state of another version (format 99",
            "; name another database number"},
        Row{redis().url(99), "To do", "DB index is out of range", "; name a database that it has"},
        Row{"redis://127.0.0.1:" + std::to_string(old.port()), "To do", "is Redis 5.0.14",
            "; --state needs 6 or newer"},
        Row{nowhere, "To do", "Connection refused", "; start Redis"}}) {
    const auto failed = testing::start_with_state(row.state, row.title);

    EXPECT_EQ(failed.code, 2) << row.says;
    EXPECT_THAT(failed.errors, ::testing::HasSubstr(row.says));
    EXPECT_THAT(failed.errors, ::testing::HasSubstr(row.remedy));
    EXPECT_EQ(std::ranges::count(failed.errors, '\n'), 1) << failed.errors;
    EXPECT_THAT(failed.errors, ::testing::Not(::testing::HasSubstr("wrong@")));
  }
}

}  // namespace
}  // namespace mock_server::program
