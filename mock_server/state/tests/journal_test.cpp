#include "mock_server/state/ring_journal.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

namespace mock_server::state {
namespace {

using spec::http::Request;
using spec::http::Response;
using testing::ElementsAre;

std::uint64_t note(Journal& journal, std::uint64_t session, const Request& request,
                   const Response& response = {}) {
  Exchange exchange;
  exchange.id = journal.next_id();
  exchange.session = session;
  exchange.request = &request;
  exchange.response = &response;
  journal.add(exchange);
  return exchange.id;
}

Request get(std::string target, std::string body = "") {
  return {"GET", std::move(target), {}, std::move(body)};
}

std::vector<std::string> targets(const Journal& journal, std::uint64_t session) {
  std::vector<std::string> targets;
  journal.each(session, [&](const Entry& entry) { targets.push_back(entry.request.target); });
  return targets;
}

TEST(Journal, gives_back_every_field_of_an_exchange) {
  RingJournal journal(10'000);
  const Request request{"PATCH", "/brands/b?x=1", {{"A", "1"}, {"a", ""}}, "{}"};
  const Response response{404, "Gone Fishing", {{"Content-Type", "application/json"}}, "[1]"};
  Exchange exchange{journal.next_id(),
                    7,
                    TimePoint(std::chrono::seconds(5)),
                    std::chrono::nanoseconds(1234),
                    "127.0.0.1",
                    "patch_brand",
                    "fixture brands/b",
                    "[2]",
                    "[3]",
                    &request,
                    &response};
  journal.add(exchange);

  const auto entry = journal.find(7, exchange.id);

  ASSERT_TRUE(entry);
  EXPECT_EQ(entry->time, exchange.time);
  EXPECT_EQ(entry->took, exchange.took);
  EXPECT_THAT((std::vector{entry->peer, entry->operation, entry->chosen_by, entry->violations,
                           entry->broken}),
              ElementsAre("127.0.0.1", "patch_brand", "fixture brands/b", "[2]", "[3]"));
  EXPECT_EQ(entry->request.method, "PATCH");
  EXPECT_EQ(entry->request.target, "/brands/b?x=1");
  EXPECT_EQ(entry->request.headers, request.headers);
  EXPECT_EQ(entry->request.body, "{}");
  EXPECT_EQ(entry->response.status, 404);
  EXPECT_EQ(entry->response.reason, "Gone Fishing");
  EXPECT_EQ(entry->response.headers, response.headers);
  EXPECT_EQ(entry->response.body, "[1]");
}

TEST(Journal, keeps_sessions_apart) {
  RingJournal journal(10'000);
  const auto id = note(journal, 1, get("/one"));
  note(journal, 2, get("/two"));

  EXPECT_THAT(targets(journal, 1), ElementsAre("/one"));
  EXPECT_FALSE(journal.find(2, id));
}

TEST(Journal, drops_the_oldest_entries_when_the_ring_is_full_and_reports_it) {
  RingJournal journal(2'000);
  for (int call = 0; call < 100; ++call) {
    note(journal, 1, get("/" + std::to_string(call)));
  }

  const auto kept = targets(journal, 1);

  EXPECT_EQ(kept.back(), "/99");
  EXPECT_EQ(kept.front(), "/" + std::to_string(100 - kept.size()));
  EXPECT_EQ(journal.window(1).noted, 100U);
  EXPECT_EQ(journal.window(1).kept, kept.size());
  EXPECT_LE(journal.used_bytes(), 2'000U);
}

TEST(Journal, survives_entries_of_every_size_around_the_end_of_the_ring) {
  RingJournal journal(4'096);
  for (std::size_t size = 0; size < 3'000; ++size) {
    const std::string target = "/" + std::string(size % 700, 'x');
    const auto id = note(journal, 1, get(target, std::string(size % 301, 'y')));
    ASSERT_EQ(journal.find(1, id)->request.target, target);
  }
  EXPECT_EQ(targets(journal, 1).size(), journal.window(1).kept);
}

TEST(Journal, keeps_a_part_of_a_long_body_and_its_length) {
  RingJournal journal(16'000);
  const auto id = note(journal, 1, get("/", std::string(5'000, 'b')));

  const auto entry = journal.find(1, id);

  EXPECT_EQ(entry->request.body, std::string(1'000, 'b'));
  EXPECT_EQ(entry->request_body_bytes, 5'000U);
}

TEST(Journal, counts_entries_that_are_too_large) {
  RingJournal journal(500);
  note(journal, 1, get("/" + std::string(1'000, 'x')));

  EXPECT_EQ(journal.window(1).noted, 1U);
  EXPECT_EQ(journal.window(1).kept, 0U);
}

TEST(Journal, clearing_one_session_leaves_the_others) {
  RingJournal journal(10'000);
  note(journal, 1, get("/one"));
  note(journal, 2, get("/two"));
  journal.clear(1);

  EXPECT_THAT(targets(journal, 1), ElementsAre());
  EXPECT_THAT(targets(journal, 2), ElementsAre("/two"));
  EXPECT_EQ(journal.window(1).noted, 0U);
}

TEST(Journal, hides_the_values_of_secret_fields) {
  RingJournal journal(10'000);
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
  exchange.id = journal.next_id();
  exchange.request = &request;
  exchange.response = &response;
  exchange.target = "/?key=[hidden]";
  exchange.hidden_fields = hidden;
  journal.add(exchange);

  const auto entry = journal.find(0, exchange.id);

  EXPECT_THAT(
      entry->request.headers.lines(),
      ElementsAre(testing::Pair("authorization", "Bearer [hidden]"),
                  testing::Pair("Proxy-Authorization", "[hidden]"),
                  testing::Pair("X-Counterpart-Control-Token", "[hidden]"),
                  testing::Pair("X-Api-Key", "[hidden]"), testing::Pair("Accept", "text/html")));
  EXPECT_EQ(entry->request.target, "/?key=[hidden]");
}

TEST(Journal, knows_the_last_lost_entry) {
  RingJournal journal(2'000);
  for (int call = 0; call < 100; ++call) {
    note(journal, 1, get("/"));
  }

  const JournalWindow window = journal.window(1);

  EXPECT_EQ(window.last_lost_id, 100 - window.kept);
  EXPECT_EQ(window.lost(), 100 - window.kept);
}

TEST(Journal, marks_a_window_as_partial_after_dropping_it) {
  RingJournal journal(1'000);
  constexpr std::uint64_t kMany = 100'003;
  note(journal, 0, get("/"));
  for (std::uint64_t session = 1; session <= kMany; ++session) {
    note(journal, session, get("/"));
  }
  note(journal, 1, get("/"));
  note(journal, kMany + 1, get("/"));

  EXPECT_TRUE(journal.window(1).is_partial);
  EXPECT_FALSE(journal.window(kMany + 1).is_partial);
  EXPECT_EQ(journal.window(0).noted, 1U);
}

TEST(Journal, is_complete_after_many_threads_wrote_at_once) {
  RingJournal journal(100'000);
  {
    std::vector<std::jthread> threads;
    for (std::uint64_t session = 1; session <= 4; ++session) {
      threads.emplace_back([&journal, session] {
        for (int call = 0; call < 2'000; ++call) {
          note(journal, session, get("/" + std::to_string(session)));
        }
      });
    }
  }

  EXPECT_EQ(journal.window(3).noted, 2'000U);
  EXPECT_THAT(targets(journal, 3), testing::Each("/3"));
}

class FollowedJournal : public ::testing::Test {
 protected:
  using Session = std::optional<std::uint64_t>;

  void note_many(std::uint64_t session, int count) {
    const Request request = get("/" + std::to_string(session));
    for (int at = 0; at < count; ++at) {
      note(journal_, session, request);
    }
  }

  // The ids of what follows, at most so many.
  std::vector<std::uint64_t> follow(Session session, JournalMark& mark, std::size_t limit = 100) {
    std::vector<std::uint64_t> ids;
    lost_ = journal_.follow(session, mark, [&](const Entry& entry) {
      ids.push_back(entry.id);
      return ids.size() < limit;
    });
    return ids;
  }

  RingJournal journal_{1'000};
  std::uint64_t lost_ = 0;
};

TEST_F(FollowedJournal, shows_what_comes_after_the_beginning_once_and_in_order) {
  note_many(1, 2);
  JournalMark mark = journal_.mark(std::nullopt, std::nullopt);
  const std::uint64_t began_behind = mark.id;
  const auto nothing = follow({}, mark);

  note_many(2, 2);

  EXPECT_EQ(began_behind, 2U);
  EXPECT_THAT(nothing, ElementsAre());
  EXPECT_THAT(follow({}, mark, 1), ElementsAre(3));
  EXPECT_THAT(follow({}, mark), ElementsAre(4));
  EXPECT_THAT(follow({}, mark), ElementsAre());
  EXPECT_EQ(mark.id, 4U);
}

TEST_F(FollowedJournal, of_one_session_has_no_entries_of_others) {
  JournalMark mark = journal_.mark(2, std::nullopt);

  note_many(1, 1);
  note_many(2, 1);
  note_many(1, 1);

  EXPECT_THAT(follow(2, mark), ElementsAre(2));
}

TEST_F(FollowedJournal, goes_on_behind_an_id) {
  note_many(1, 4);

  JournalMark mark = journal_.mark(1, 2);

  EXPECT_EQ(mark.id, 2U);
  EXPECT_THAT(follow(1, mark), ElementsAre(3, 4));
  EXPECT_EQ(lost_, 0U);
}

TEST_F(FollowedJournal, shows_everything_after_an_id_of_an_earlier_start) {
  note_many(1, 2);

  JournalMark mark = journal_.mark(1, 500);

  EXPECT_EQ(mark.id, 0U);
  EXPECT_THAT(follow(1, mark), ElementsAre(1, 2));
}

TEST_F(FollowedJournal, counts_what_went_out_before_it_was_shown) {
  JournalMark all = journal_.mark(std::nullopt, std::nullopt);
  JournalMark one = journal_.mark(1, std::nullopt);
  for (int at = 0; at < 20; ++at) {
    note_many(1, 1);
    note_many(2, 2);
  }

  const std::size_t shown = follow({}, all).size();
  EXPECT_GT(lost_, 0U);
  EXPECT_EQ(shown + lost_, 60U);
  const std::size_t shown_of_one = follow(1, one).size();
  EXPECT_GT(lost_, 0U);
  EXPECT_EQ(shown_of_one + lost_, 20U);
  EXPECT_THAT(follow(1, one), ElementsAre());
  EXPECT_EQ(lost_, 0U);
}

TEST_F(FollowedJournal, counts_nothing_as_lost_that_went_out_after_it_was_shown) {
  JournalMark mark = journal_.mark(1, std::nullopt);
  note_many(1, 1);
  const auto first = follow(1, mark);

  note_many(2, 60);

  EXPECT_THAT(first, ElementsAre(1));
  EXPECT_THAT(follow(1, mark), ElementsAre());
  EXPECT_EQ(lost_, 0U);
}

TEST_F(FollowedJournal, counts_what_went_out_behind_an_id) {
  note_many(1, 60);
  const std::uint64_t kept = journal_.window(1).kept;

  JournalMark all = journal_.mark(std::nullopt, 5);
  JournalMark one = journal_.mark(1, 5);
  JournalMark other = journal_.mark(2, 5);

  EXPECT_EQ(follow({}, all).size(), kept);
  EXPECT_EQ(lost_, 55 - kept);
  EXPECT_EQ(follow(1, one).size(), kept);
  EXPECT_EQ(lost_, 55 - kept);
  EXPECT_THAT(follow(2, other), ElementsAre());
  EXPECT_EQ(lost_, 0U);
}

TEST_F(FollowedJournal, leaves_out_what_was_cleared_and_goes_on) {
  JournalMark mark = journal_.mark(1, std::nullopt);
  note_many(1, 2);
  journal_.clear(1);
  note_many(1, 1);

  EXPECT_THAT(follow(1, mark), ElementsAre(3));
  EXPECT_EQ(lost_, 0U);
}

}  // namespace
}  // namespace mock_server::state
