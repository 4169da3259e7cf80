#include "mock_server/journal/event_stream.hpp"

#include "mock_server/state/memory_journal.hpp"
#include "spec/json/read.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <chrono>
#include <memory>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace mock_server::journal {
namespace {

using nlohmann::json;
using std::chrono::milliseconds;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

struct Event {
  std::string name;
  std::string id;
  json data;
};

std::vector<Event> events_of(const std::string& bytes) {
  std::vector<Event> events;
  std::istringstream lines(bytes);
  Event event;
  for (std::string line; std::getline(lines, line);) {
    if (line.empty()) {
      events.push_back(std::exchange(event, {}));
    } else if (line.starts_with("event: ")) {
      event.name = line.substr(7);
    } else if (line.starts_with("id: ")) {
      event.id = line.substr(4);
    } else if (line.starts_with("data: ")) {
      event.data = spec::json::read(line.substr(6)).value();
    } else {
      event.name = line;  // a comment
    }
  }
  return events;
}

class Events : public ::testing::Test {
 protected:
  std::unique_ptr<EventStream> open(EventFilter filter) {
    return std::make_unique<EventStream>(journal_, store_, std::move(filter), [this] {
      now_ += step_;
      return now_;
    });
  }

  std::unique_ptr<EventStream> open(std::optional<std::string> session) {
    EventFilter filter;
    filter.session = std::move(session);
    return open(std::move(filter));
  }

  void call(const std::string& session, const std::string& target, int status = 200) {
    const spec::http::Request request{"GET", target, {}, ""};
    spec::http::Response response;
    response.status = status;
    state::Exchange exchange;
    exchange.id = journal_.next_id();
    exchange.session = store_.session(session)->serial();
    exchange.request = &request;
    exchange.response = &response;
    journal_.add(exchange);
  }

  static std::vector<Event> ask(EventStream& stream) {
    std::string bytes;
    stream.ask(bytes);
    return events_of(bytes);
  }

  // The "request" events as "id session target".
  static std::vector<std::string> requests(EventStream& stream) {
    std::vector<std::string> lines;
    for (const Event& event : ask(stream)) {
      if (event.name == "request") {
        lines.push_back(event.id + " " + event.data.at("session").dump() + " " +
                        event.data.at("target").get<std::string>());
      }
    }
    return lines;
  }

  static std::vector<std::string> names(const std::vector<Event>& events) {
    std::vector<std::string> all;
    for (const Event& event : events) {
      all.push_back(event.name);
    }
    return all;
  }

  state::MemoryJournal journal_{64 * 1024};
  state::Store store_;
  EventStream::TimePoint now_{std::chrono::hours(1)};
  std::chrono::nanoseconds step_{0};
};

TEST_F(Events, begin_with_where_the_reader_is) {
  call("", "/before");
  const auto stream = open("");

  const auto first = ask(*stream);

  ASSERT_THAT(names(first), ElementsAre("hello"));
  EXPECT_EQ(first[0].id, "1");
  EXPECT_EQ(first[0].data.at("newest"), 1);
  EXPECT_EQ(first[0].data.at("session"), "");
  EXPECT_THAT(first[0].data.at("boot").get<std::string>(), ::testing::MatchesRegex("[0-9a-f]{16}"));
  EXPECT_THAT(ask(*stream), IsEmpty());
}

TEST_F(Events, of_one_session_are_its_requests_in_order) {
  const auto stream = open("a");
  call("a", "/one");
  call("b", "/other");
  call("a", "/two");

  EXPECT_THAT(requests(*stream), ElementsAre("1 \"a\" /one", "3 \"a\" /two"));
  EXPECT_THAT(requests(*stream), IsEmpty());
}

TEST_F(Events, of_all_sessions_name_the_session) {
  const auto stream = open(std::nullopt);
  call("", "/one");
  call("b", "/two");
  call("c", "/three");
  store_.remove("c");

  EXPECT_THAT(requests(*stream), ElementsAre("1 \"\" /one", "2 \"b\" /two", "3 null /three"));
}

TEST_F(Events, of_a_session_that_is_made_again_go_on) {
  call("a", "/one");
  const auto stream = open("a");
  ask(*stream);
  store_.remove("a");
  call("a", "/two");

  EXPECT_THAT(requests(*stream), ElementsAre("2 \"a\" /two"));
}

TEST_F(Events, fit_the_query) {
  EventFilter filter;
  filter.query.status = "4XX";
  const auto stream = open(std::move(filter));
  call("", "/found");
  call("", "/missing", 404);

  EXPECT_THAT(requests(*stream), ElementsAre("2 \"\" /missing"));
}

TEST_F(Events, go_on_behind_an_id) {
  call("", "/one");
  call("", "/two");
  EventFilter filter;
  filter.after = 1;
  const auto stream = open(std::move(filter));

  std::string bytes;
  stream->ask(bytes);

  const auto events = events_of(bytes);
  EXPECT_THAT(names(events), ElementsAre("hello", "request"));
  EXPECT_EQ(events[0].id, "1");
  EXPECT_EQ(events[1].id, "2");
}

TEST_F(Events, come_in_parts_and_say_when_there_are_more) {
  const auto stream = open("");
  for (std::size_t at = 0; at < EventStream::kMaxShown + 1; ++at) {
    call("", "/call");
  }
  std::string first;
  std::string second;

  EXPECT_EQ(stream->ask(first), reply::Growth::kHasMore);
  EXPECT_EQ(stream->ask(second), reply::Growth::kWaits);

  EXPECT_THAT(events_of(first), SizeIs(1 + EventStream::kMaxShown));
  EXPECT_THAT(events_of(second), SizeIs(1));
}

TEST_F(Events, of_long_requests_come_in_short_parts) {
  const auto stream = open("");
  for (int at = 0; at < 6; ++at) {
    call("", "/" + std::string(8'000, 'x'));
  }
  std::string bytes;

  EXPECT_EQ(stream->ask(bytes), reply::Growth::kHasMore);

  EXPECT_LT(bytes.size(), EventStream::kMaxBytes + 10'000);
}

TEST_F(Events, say_how_many_requests_were_lost) {
  const auto stream = open("");
  ask(*stream);
  constexpr int kCalls = 1'000;
  for (int at = 0; at < kCalls; ++at) {
    call("", "/call");
  }

  std::uint64_t lost = 0;
  std::uint64_t shown = 0;
  std::vector<std::string> order;
  for (int round = 0; round < 50; ++round) {
    for (const Event& event : ask(*stream)) {
      lost += event.name == "lost" ? event.data.at("count").get<std::uint64_t>() : 0;
      shown += event.name == "request" ? 1 : 0;
      order.push_back(event.name);
    }
  }

  EXPECT_EQ(order.front(), "lost");
  EXPECT_GT(lost, 0U);
  EXPECT_EQ(lost + shown, kCalls);
}

TEST_F(Events, tell_changes_seldom_and_together) {
  const auto stream = open("a");
  ask(*stream);
  const auto session = store_.session("a");
  session->compare_and_set("record/customers/c", 0, "{}");
  store_.session("b")->compare_and_set("seed", 0, "1");
  EXPECT_THAT(ask(*stream), IsEmpty());
  session->compare_and_set("seed", 0, "1");

  now_ += milliseconds(250);
  const auto events = ask(*stream);

  ASSERT_THAT(names(events), ElementsAre("change"));
  EXPECT_EQ(events[0].data, json({{"session", "a"}, {"what", {"records", "seed", "session"}}}));
}

TEST_F(Events, tell_reloads) {
  const auto stream = open("");
  ask(*stream);
  store_.changes().note_reload();

  EXPECT_THAT(names(ask(*stream)), ElementsAre("reload"));
  EXPECT_THAT(ask(*stream), IsEmpty());
}

TEST_F(Events, keep_a_quiet_connection_alive) {
  const auto stream = open("");
  ask(*stream);
  now_ += milliseconds(14'999);
  EXPECT_THAT(ask(*stream), IsEmpty());

  now_ += milliseconds(1);

  EXPECT_THAT(names(ask(*stream)), ElementsAre(": keep"));
  EXPECT_THAT(ask(*stream), IsEmpty());
}

// Each look at the clock takes 60 ms here: two readers have 100 ms each of a second.
TEST_F(Events, of_many_readers_share_the_time_that_they_may_take) {
  const auto other = open("");
  const auto stream = open("");
  ask(*stream);
  step_ = milliseconds(60);
  call("", "/one");
  EXPECT_THAT(requests(*stream), SizeIs(1));
  call("", "/two");
  EXPECT_THAT(requests(*stream), SizeIs(1));
  call("", "/three");
  EXPECT_THAT(requests(*stream), IsEmpty());

  now_ += milliseconds(1'000);

  EXPECT_THAT(requests(*stream), SizeIs(1));
}

}  // namespace
}  // namespace mock_server::journal
