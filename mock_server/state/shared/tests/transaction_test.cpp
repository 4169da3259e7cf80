// The promises to two mocks with one Redis. The tests that every store must pass are in
// mock_server/state/conformance.

#include "mock_server/state/cells.hpp"
#include "mock_server/state/shared/shared_store.hpp"
#include "mock_server/state/shared/tests/redis_server.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <vector>

namespace mock_server::state::shared {
namespace {

using ::testing::HasSubstr;
using ::testing::Key;
using testing::RedisServer;

constexpr std::size_t kJournalBytes = 100'000;

// A mock, as far as its state goes.
struct Mock {
  explicit Mock(const RedisServer& server,
                std::chrono::milliseconds patience = testing::kReplyPatience)
      : redis(server.address(), ContractMark{"To do", "", ""}, patience) {
    redis.check();
  }

  Redis redis;
  SharedJournal journal{redis, kJournalBytes};
  SharedStore store{redis, journal, system_now, {}};
};

class TwoMocks : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!RedisServer::is_installed()) {
      GTEST_SKIP() << "redis-server is not installed, so state in Redis is not tested";
    }
    server_.emplace();
    one_.emplace(*server_);
    two_.emplace(*server_);
  }

  static Put set(Session& session, std::string_view key, std::string text) {
    return session.compare_and_set(key, session.read(key).version, std::move(text));
  }

  static std::string text_at(const Session& session, std::string_view key) {
    const Cell cell = session.read(key);
    return cell ? *cell.text : "(nothing)";
  }

  // Does the work of another request meanwhile: a thread has one request.
  static void meanwhile(const std::function<void()>& work) { const std::jthread other(work); }

  std::optional<RedisServer> server_;
  std::optional<Mock> one_;
  std::optional<Mock> two_;
};

TEST_F(TwoMocks, see_nothing_of_a_request_until_all_of_it_is_kept) {
  const auto request = one_->store.open_request();
  const auto session = one_->store.session("a");
  set(*session, "record/a/1", "one");
  set(*session, "number/a", "1");

  EXPECT_EQ(text_at(*session, "record/a/1"), "one");
  meanwhile([&] { EXPECT_TRUE(two_->store.session("a")->is_untouched()); });
  EXPECT_EQ(session->commit(), Commit::kDone);
  meanwhile([&] {
    EXPECT_EQ(two_->store.session("a")->cell_count(), 2U);
    EXPECT_EQ(text_at(*two_->store.session("a"), "record/a/1"), "one");
  });
}

TEST_F(TwoMocks, keep_nothing_of_a_request_that_was_overtaken) {
  set(*one_->store.session("a"), "count", "1");
  {
    const auto request = one_->store.open_request();
    const auto session = one_->store.session("a");
    set(*session, "count", "2 of one");
    set(*session, "other", "of one");
    meanwhile([&] { set(*two_->store.session("a"), "count", "2 of two"); });

    EXPECT_EQ(session->commit(), Commit::kAgain);
    const auto again = one_->store.session("a");
    EXPECT_EQ(text_at(*again, "count"), "2 of two");
    EXPECT_EQ(text_at(*again, "other"), "(nothing)");
    set(*again, "count", "3 of one");
    EXPECT_EQ(again->commit(), Commit::kDone);
  }

  EXPECT_EQ(text_at(*two_->store.session("a"), "count"), "3 of one");
  EXPECT_EQ(text_at(*two_->store.session("a"), "other"), "(nothing)");
}

TEST_F(TwoMocks, are_not_in_each_others_way_with_other_cells) {
  set(*one_->store.session("a"), "record/a/1", "x");
  const auto request = one_->store.open_request();
  const auto session = one_->store.session("a");
  set(*session, "record/a/2", "of one");
  meanwhile([&] { set(*two_->store.session("a"), "record/a/3", "of two"); });

  EXPECT_EQ(session->commit(), Commit::kDone);
  EXPECT_EQ(two_->store.find("a")->cell_count(), 3U);
}

TEST_F(TwoMocks, do_not_change_a_record_by_what_another_one_said_before_it_was_changed) {
  set(*one_->store.session("a"), "record/a/1", "x");
  const auto request = one_->store.open_request();
  const auto session = one_->store.session("a");
  set(*session, "record/b/1", text_at(*session, "record/a/1"));
  meanwhile([&] { set(*two_->store.session("a"), "record/a/1", "changed"); });

  EXPECT_EQ(session->commit(), Commit::kAgain);
}

TEST_F(TwoMocks, do_not_change_a_record_by_a_list_that_grew_meanwhile) {
  set(*one_->store.session("a"), "record/a/1", "x");
  const auto request = one_->store.open_request();
  const auto session = one_->store.session("a");
  set(*session, "record/b/1", std::to_string(session->cells("record/a/").size()));
  meanwhile([&] { set(*two_->store.session("a"), "record/a/2", "y"); });

  EXPECT_EQ(session->commit(), Commit::kAgain);
}

TEST_F(TwoMocks, give_up_a_request_that_is_always_overtaken_and_keep_nothing_of_it) {
  set(*one_->store.session("a"), "count", "0");
  const auto request = one_->store.open_request();
  Commit outcome = Commit::kAgain;
  int tries = 0;
  for (; outcome == Commit::kAgain; ++tries) {
    const auto session = one_->store.session("a");
    set(*session, "count", "late");
    meanwhile([&] { set(*two_->store.session("a"), "count", std::to_string(tries)); });
    outcome = session->commit();
  }

  EXPECT_EQ(outcome, Commit::kGivenUp);
  EXPECT_GT(tries, 10);
  EXPECT_EQ(text_at(*two_->store.find("a"), "count"), std::to_string(tries - 1));
}

TEST_F(TwoMocks, see_removed_and_changed_cells_of_a_session_that_they_know) {
  for (const char* const key : {"a", "b", "c"}) {
    set(*one_->store.session("s"), key, "old");
  }
  two_->store.session("s");
  const auto session = one_->store.session("s");
  session->compare_and_set("a", session->read("a").version, std::nullopt);
  set(*session, "b", "new");
  set(*session, "d", "new");

  const auto seen = two_->store.session("s");
  EXPECT_THAT(seen->cells(), ::testing::ElementsAre(Key("b"), Key("c"), Key("d")));
  EXPECT_EQ(text_at(*seen, "b"), "new");
}

TEST_F(TwoMocks, see_everything_of_a_session_with_more_changes_than_are_kept_apart) {
  constexpr int kMany = 5'000;
  set(*one_->store.session("s"), "first", "x");
  two_->store.session("s");
  Cells cells;
  for (int at = 0; at < kMany; ++at) {
    cells[std::to_string(at)].text = std::make_shared<const std::string>("old");
  }
  one_->store.session("s")->replace(cells);
  two_->store.session("s");
  set(*one_->store.session("s"), "17", "new");

  EXPECT_EQ(text_at(*two_->store.session("s"), "17"), "new");
  EXPECT_EQ(two_->store.session("s")->cell_count(), static_cast<std::size_t>(kMany));
}

TEST_F(TwoMocks, have_one_journal_also_if_one_of_them_comes_late) {
  const spec::http::Request request{"GET", "/", {}, std::string(1'000, 'x')};
  const spec::http::Response response;
  const std::uint64_t serial = one_->store.session("a")->serial();
  for (int call = 0; call < 300; ++call) {
    Exchange exchange;
    exchange.id = one_->journal.next_id();
    exchange.session = serial;
    exchange.request = &request;
    exchange.response = &response;
    one_->journal.add(exchange);
  }

  Mock late(*server_);
  const JournalWindow window = late.journal.window(serial);
  EXPECT_EQ(window.noted, 300U);
  EXPECT_LT(window.kept, 100U);
  EXPECT_FALSE(window.is_partial);
  EXPECT_EQ(window.last_lost_id, one_->journal.window(serial).last_lost_id);
  one_->journal.clear(serial);
  EXPECT_EQ(late.journal.window(serial).noted, 0U);
}

TEST_F(TwoMocks, keep_what_there_is_and_say_so_when_redis_has_no_memory_left) {
  const auto before = one_->store.session("a");
  set(*before, "k", "one");
  {
    const auto request = two_->store.open_request();
    const auto session = two_->store.session("a");
    set(*session, "k", "two");
    server_->ask({"CONFIG", "SET", "maxmemory", "1"});
    EXPECT_THROW(session->commit(), Unavailable);
  }
  EXPECT_EQ(set(*before, "k", "two"), Put::kFull);
  EXPECT_FALSE(one_->redis.is_down());
  server_->ask({"CONFIG", "SET", "maxmemory", "0"});

  EXPECT_EQ(text_at(*two_->store.session("a"), "k"), "one");
}

TEST_F(TwoMocks, are_told_who_is_away_and_go_on_when_it_is_back) {
  set(*one_->store.session("a"), "k", "one");
  Mock impatient(*server_, Redis::kDeadline);
  server_->freeze();
  const auto began = std::chrono::steady_clock::now();
  std::string problem;
  try {
    impatient.store.session("a");
  } catch (const Unavailable& away) {
    problem = away.what();
  }
  const auto took = std::chrono::steady_clock::now() - began;
  EXPECT_THAT(problem, HasSubstr(server_->url() + " cannot be used: no reply in time"));
  EXPECT_LT(took, testing::kReplyPatience);
  server_->thaw();
  while (impatient.redis.is_down()) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }

  EXPECT_EQ(text_at(*one_->store.session("a"), "k"), "one");
}

TEST_F(TwoMocks, do_not_wait_where_they_must_not) {
  set(*one_->store.session("a"), "k", "one");
  const NoWait loop;

  EXPECT_EQ(text_at(*one_->store.session("a"), "k"), "one");
  EXPECT_THROW(set(*one_->store.session("a"), "k", "two"), Unavailable);
}

TEST_F(TwoMocks, never_give_an_id_twice) {
  std::set<std::uint64_t> ids;
  for (int round = 0; round < 100; ++round) {
    for (Mock* const mock : {&*one_, &*two_}) {
      mock->store.session("a");
      EXPECT_TRUE(ids.insert(mock->journal.next_id()).second);
      EXPECT_TRUE(ids.insert(mock->journal.next_id()).second);
    }
  }
}

TEST_F(TwoMocks, show_an_event_loop_a_journal_that_the_other_wrote) {
  const spec::http::Request request{"GET", "/todos", {}, ""};
  const spec::http::Response response{200, "OK", {}, "[]"};
  Exchange exchange;
  exchange.id = one_->journal.next_id();
  exchange.request = &request;
  exchange.response = &response;
  one_->journal.add(exchange);

  const NoWait loop;
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(10);
  while (two_->journal.window(0).kept == 0 && std::chrono::steady_clock::now() < end) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  EXPECT_EQ(two_->journal.window(0).kept, 1U);
  EXPECT_GT(two_->journal.used_bytes(), 0U);
}

TEST_F(TwoMocks, load_their_scripts_again_where_redis_has_them_no_more) {
  set(*one_->store.session("a"), "k", "one");
  server_->ask({"SCRIPT", "FLUSH"});

  EXPECT_EQ(set(*one_->store.session("a"), "k", "two"), Put::kDone);
  EXPECT_EQ(text_at(*two_->store.session("a"), "k"), "two");
  EXPECT_FALSE(one_->redis.is_down());
}

TEST_F(TwoMocks, open_a_connection_again_that_redis_ended) {
  set(*one_->store.session("a"), "k", "one");
  server_->ask({"CLIENT", "KILL", "TYPE", "normal"});

  EXPECT_EQ(text_at(*one_->store.session("a"), "k"), "one");
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(10);
  while (one_->redis.is_down() && std::chrono::steady_clock::now() < end) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  EXPECT_FALSE(one_->redis.is_down());
}

TEST_F(TwoMocks, say_once_that_redis_is_away_and_once_that_it_is_there_again_without_its_data) {
  std::mutex mutex;
  std::vector<std::string> lines;
  one_->redis.on_change([&](const std::string& line) {
    const std::lock_guard lock(mutex);
    lines.push_back(line);
  });
  one_->store.session("a");  // a mock that has seen no data misses none
  const auto wait_until = [&](bool is_down) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while (one_->redis.is_down() != is_down && std::chrono::steady_clock::now() < end) {
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
  };
  server_->kill();
  wait_until(true);
  for (int call = 0; call < 3; ++call) {
    EXPECT_THROW(one_->store.session("a"), Unavailable);
    one_->redis.probe();
  }
  server_->start();
  wait_until(false);
  one_->redis.probe();
  one_->store.session("a");

  one_->redis.on_change({});
  const std::string address = one_->redis.address().text();
  EXPECT_THAT(
      lines,
      ::testing::UnorderedElementsAre(
          ::testing::StartsWith("state: the state at " + address + " cannot be used: "),
          "state: " + address + " can be used again",
          ::testing::StartsWith("state: " + address + " came back with older data, or empty")));
}

}  // namespace
}  // namespace mock_server::state::shared
