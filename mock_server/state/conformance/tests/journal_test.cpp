// The duties of the journal, in each store.

#include "mock_server/state/conformance/tests/state_test.hpp"
#include "spec/tests/rows.hpp"

#include <gmock/gmock.h>

#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace mock_server::state::conformance {
namespace {

using spec::http::Request;
using spec::http::Response;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::Pair;

Request get(std::string target, std::string body = "") {
  return {"GET", std::move(target), {}, std::move(body)};
}

class StateJournal : public StateTest {
 protected:
  static constexpr std::size_t kSmall = 4'000;  // bytes that hold few entries

  using Followed = std::optional<std::uint64_t>;

  void SetUp() override { open_small(MemoryJournal::kDefaultBytes); }

  // Sessions have entries only if they are there.
  void open_small(std::size_t bytes = kSmall) {
    open({}, bytes);
    one_ = session("one")->serial();
    two_ = session("two")->serial();
  }

  std::uint64_t note(std::uint64_t serial, const Request& request, const Response& response = {}) {
    Exchange exchange;
    exchange.id = journal().next_id();
    exchange.session = serial;
    exchange.time = now_;
    exchange.request = &request;
    exchange.response = &response;
    journal().add(exchange);
    return exchange.id;
  }

  // Reopens it as at the end of the program: everything that was noted is kept.
  void reopen_journal() {
    reopen();
    one_ = session("one")->serial();
    two_ = session("two")->serial();
  }

  std::vector<std::string> targets(std::uint64_t serial) {
    std::vector<std::string> all;
    journal().each(serial, [&](const Entry& entry) { all.push_back(entry.request.target); });
    return all;
  }

  std::vector<std::string> follow(Followed serial, JournalMark& mark, std::size_t limit = 100) {
    std::vector<std::string> all;
    lost_ = journal().follow(serial, mark, [&](const Entry& entry) {
      all.push_back(entry.request.target);
      return all.size() < limit;
    });
    return all;
  }

  std::uint64_t one_ = 0;
  std::uint64_t two_ = 0;
  std::uint64_t lost_ = 0;  // by the last follow()
};

TEST_P(StateJournal, gives_back_every_field_of_an_exchange) {
  const Request request{"PATCH", "/brands/b?x=1", {{"A", "1"}, {"a", ""}}, std::string("{\0}", 3)};
  const Response response{404, "Gone Fishing", {{"Content-Type", "application/json"}}, "[1]"};
  Exchange exchange{journal().next_id(),
                    one_,
                    now_,
                    std::chrono::nanoseconds(1234),
                    "127.0.0.1",
                    "patch_brand",
                    "fixture brands/b",
                    "[2]",
                    "[3]",
                    &request,
                    &response,
                    "reset"};
  journal().add(exchange);

  const auto entry = journal().find(one_, exchange.id);

  ASSERT_TRUE(entry);
  EXPECT_EQ(entry->time, exchange.time);
  EXPECT_EQ(entry->took, exchange.took);
  EXPECT_THAT((std::vector{entry->peer, entry->operation, entry->chosen_by, entry->violations,
                           entry->response_violations, entry->fault}),
              ElementsAre("127.0.0.1", "patch_brand", "fixture brands/b", "[2]", "[3]", "reset"));
  EXPECT_EQ(entry->request.method, "PATCH");
  EXPECT_EQ(entry->request.target, "/brands/b?x=1");
  EXPECT_EQ(entry->request.headers, request.headers);
  EXPECT_EQ(entry->request.body, request.body);
  EXPECT_EQ(entry->response.status, 404);
  EXPECT_EQ(entry->response.reason, "Gone Fishing");
  EXPECT_EQ(entry->response.headers, response.headers);
  EXPECT_EQ(entry->response.body, "[1]");
}

TEST_P(StateJournal, hides_the_values_of_secret_fields) {
  const Request request{"GET",
                        "/?key=secret",
                        {{"authorization", "Bearer secret"},
                         {"Proxy-Authorization", "secret"},
                         {"X-Counterpart-Control-Token", "secret"},
                         {"X-Api-Key", "secret"},
                         {"Accept", "text/html"}},
                        ""};
  const Response response;
  const std::vector<std::string> hidden{"x-api-key"};
  Exchange exchange;
  exchange.id = journal().next_id();
  exchange.session = one_;
  exchange.request = &request;
  exchange.response = &response;
  exchange.target = "/?key=[hidden]";
  exchange.hidden_fields = hidden;
  journal().add(exchange);

  const auto entry = journal().find(one_, exchange.id);

  ASSERT_TRUE(entry);
  EXPECT_THAT(
      entry->request.headers.lines(),
      ElementsAre(Pair("authorization", "Bearer [hidden]"), Pair("Proxy-Authorization", "[hidden]"),
                  Pair("X-Counterpart-Control-Token", "[hidden]"), Pair("X-Api-Key", "[hidden]"),
                  Pair("Accept", "text/html")));
  EXPECT_EQ(entry->request.target, "/?key=[hidden]");
  EXPECT_EQ(entry->hidden.size(), 4U);
}

TEST_P(StateJournal, keeps_sessions_apart) {
  const auto id = note(one_, get("/one"));
  note(two_, get("/two"));

  EXPECT_THAT(targets(one_), ElementsAre("/one"));
  EXPECT_TRUE(journal().find(one_, id));
  EXPECT_FALSE(journal().find(two_, id));
  EXPECT_FALSE(journal().find(one_, id + 1));
  EXPECT_EQ(journal().window(one_).noted, 1U);
  EXPECT_EQ(journal().window(one_).kept, 1U);
}

TEST_P(StateJournal, drops_the_oldest_entries_and_says_so) {
  open_small();
  std::uint64_t last = 0;
  for (int call = 0; call < 200; ++call) {
    last = note(one_, get("/" + std::to_string(call)));
  }

  const auto kept = targets(one_);
  const JournalWindow window = journal().window(one_);

  ASSERT_FALSE(kept.empty());
  EXPECT_LT(kept.size(), 100U);
  EXPECT_EQ(kept.back(), "/199");
  EXPECT_EQ(kept.front(), "/" + std::to_string(200 - kept.size()));
  EXPECT_EQ(window.noted, 200U);
  EXPECT_EQ(window.kept, kept.size());
  EXPECT_EQ(window.last_lost_id, last - kept.size());
  EXPECT_EQ(window.last_lost_time, now_);
  EXPECT_LE(journal().used_bytes(), journal().limit_bytes());
}

TEST_P(StateJournal, keeps_a_part_of_a_long_body_and_its_length) {
  open_small(16'000);
  const auto id = note(one_, get("/", std::string(15'000, 'b')));

  const auto entry = journal().find(one_, id);

  ASSERT_TRUE(entry);
  EXPECT_LT(entry->request.body.size(), 15'000U);
  EXPECT_EQ(entry->request_body_bytes, 15'000U);
}

TEST_P(StateJournal, clearing_one_session_leaves_the_others) {
  note(one_, get("/one"));
  note(two_, get("/two"));
  journal().clear(one_);

  EXPECT_THAT(targets(one_), ElementsAre());
  EXPECT_THAT(targets(two_), ElementsAre("/two"));
  EXPECT_EQ(journal().window(one_).noted, 0U);
  note(one_, get("/new"));
  EXPECT_EQ(journal().window(one_).noted, 1U);
  EXPECT_EQ(journal().window(one_).lost(), 0U);
  EXPECT_THAT(targets(one_), ElementsAre("/new"));
}

TEST_P(StateJournal, ids_grow_and_are_never_used_twice) {
  std::uint64_t last = 0;
  for (int at = 0; at < 3; ++at) {
    const std::uint64_t id = note(one_, get("/"));
    EXPECT_GT(id, last);
    last = id;
    reopen_journal();
    EXPECT_GE(journal().last_id(), last);
  }
}

TEST_P(StateJournal, is_complete_after_many_threads_wrote_at_once) {
  {
    std::vector<std::jthread> threads;
    for (const std::uint64_t serial : {one_, two_, std::uint64_t{0}}) {
      threads.emplace_back([this, serial] {
        for (int call = 0; call < 200; ++call) {
          note(serial, get("/" + std::to_string(serial)));
        }
      });
    }
  }

  EXPECT_EQ(journal().window(two_).noted, 200U);
  EXPECT_EQ(targets(two_).size(), 200U);
  EXPECT_THAT(targets(two_), Each("/" + std::to_string(two_)));
}

TEST_P(StateJournal, who_follows_sees_what_comes_once_and_in_order) {
  note(one_, get("/before"));
  JournalMark mark = journal().mark(std::nullopt, std::nullopt);
  const auto nothing = follow({}, mark);
  note(two_, get("/a"));
  note(one_, get("/b"));

  EXPECT_THAT(nothing, ElementsAre());
  EXPECT_THAT(follow({}, mark, 1), ElementsAre("/a"));
  EXPECT_THAT(follow({}, mark), ElementsAre("/b"));
  EXPECT_THAT(follow({}, mark), ElementsAre());
}

TEST_P(StateJournal, who_follows_one_session_sees_no_other) {
  JournalMark mark = journal().mark(two_, std::nullopt);
  note(one_, get("/one"));
  note(two_, get("/two"));
  note(one_, get("/one"));

  EXPECT_THAT(follow(two_, mark), ElementsAre("/two"));
  EXPECT_EQ(lost_, 0U);
}

TEST_P(StateJournal, who_follows_goes_on_behind_an_id) {
  note(one_, get("/1"));
  const auto second = note(one_, get("/2"));
  note(one_, get("/3"));

  JournalMark mark = journal().mark(one_, second);

  EXPECT_EQ(mark.id, second);
  EXPECT_THAT(follow(one_, mark), ElementsAre("/3"));
}

TEST_P(StateJournal, an_id_that_was_never_given_is_of_an_earlier_start) {
  const auto first = note(one_, get("/1"));
  note(one_, get("/2"));

  JournalMark mark = journal().mark(one_, first + 10'000'000);

  EXPECT_THAT(follow(one_, mark), ElementsAre("/1", "/2"));
}

TEST_P(StateJournal, who_follows_learns_how_many_were_lost) {
  open_small();
  JournalMark all = journal().mark(std::nullopt, std::nullopt);
  JournalMark mark = journal().mark(one_, std::nullopt);
  for (int at = 0; at < 100; ++at) {
    note(one_, get("/one"));
    note(two_, get("/two"));
  }

  const std::size_t shown = follow({}, all, 1'000).size();
  EXPECT_EQ(shown + lost_, 200U);
  EXPECT_GT(lost_, 0U);
  const std::size_t shown_of_one = follow(one_, mark, 1'000).size();
  EXPECT_EQ(shown_of_one + lost_, 100U);
  EXPECT_GT(lost_, 0U);
  EXPECT_THAT(follow(one_, mark), ElementsAre());
  EXPECT_EQ(lost_, 0U);
}

TEST_P(StateJournal, nothing_is_lost_that_went_out_after_it_was_shown) {
  open_small();
  JournalMark mark = journal().mark(one_, std::nullopt);
  note(one_, get("/one"));
  const auto first = follow(one_, mark);
  for (int at = 0; at < 100; ++at) {
    note(two_, get("/two"));
  }

  EXPECT_THAT(first, ElementsAre("/one"));
  EXPECT_THAT(follow(one_, mark), ElementsAre());
  EXPECT_EQ(lost_, 0U);
}

TEST_P(StateJournal, who_follows_misses_what_was_cleared_and_goes_on) {
  JournalMark mark = journal().mark(one_, std::nullopt);
  note(one_, get("/cleared"));
  journal().clear(one_);
  note(one_, get("/new"));

  EXPECT_THAT(follow(one_, mark), ElementsAre("/new"));
}

TEST_P(StateJournal, counts_preflights_among_what_it_has) {
  Exchange preflight;
  const Request request{"OPTIONS", "/one", {}, ""};
  const Response response;
  preflight.session = one_;
  preflight.chosen_by = kPreflight;
  preflight.request = &request;
  preflight.response = &response;
  note(one_, get("/one"));
  for (int call = 0; call < 2; ++call) {
    preflight.id = journal().next_id();
    journal().add(preflight);
  }
  EXPECT_EQ(journal().window(one_).preflights, 2U);
  EXPECT_EQ(journal().window(two_).preflights, 0U);

  reopen_journal();
  EXPECT_EQ(journal().window(one_).preflights, 2U);
  journal().clear(one_);
  EXPECT_EQ(journal().window(one_).preflights, 0U);
}

class KeptJournal : public StateJournal {};

TEST_P(KeptJournal, goes_on_when_it_is_opened_again) {
  const auto id = note(one_, get("/one", "body"));
  note(two_, get("/two"));
  note(two_, get("/two"));
  journal().clear(two_);
  note(two_, get("/three"));

  reopen_journal();

  EXPECT_THAT(targets(one_), ElementsAre("/one"));
  EXPECT_EQ(journal().find(one_, id)->request.body, "body");
  EXPECT_THAT(targets(two_), ElementsAre("/three"));
  EXPECT_EQ(journal().window(two_).noted, 1U);
  EXPECT_FALSE(journal().window(one_).is_partial);
  EXPECT_GT(note(one_, get("/four")), id);
  EXPECT_THAT(targets(one_), ElementsAre("/one", "/four"));
}

TEST_P(KeptJournal, still_knows_what_was_lost_when_it_is_opened_again) {
  open_small();
  for (int call = 0; call < 200; ++call) {
    note(one_, get("/" + std::to_string(call)));
  }
  const JournalWindow before = journal().window(one_);

  reopen_journal();

  const JournalWindow after = journal().window(one_);
  EXPECT_EQ(after.noted, before.noted);
  EXPECT_EQ(after.kept, targets(one_).size());
  EXPECT_GE(after.last_lost_id, before.last_lost_id);
  EXPECT_EQ(targets(one_).back(), "/199");
}

INSTANTIATE_TEST_SUITE_P(Each, StateJournal, ::testing::ValuesIn(state_kinds()),
                         spec::tests::kRowNames);
INSTANTIATE_TEST_SUITE_P(Each, KeptJournal, ::testing::ValuesIn(kept_kinds()),
                         spec::tests::kRowNames);

}  // namespace
}  // namespace mock_server::state::conformance
