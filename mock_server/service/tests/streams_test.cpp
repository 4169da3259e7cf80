// Streams whose items come by the session's clock, and those that are pushed into them.

#include "mock_server/service/tests/test_service.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <utility>

namespace mock_server::service {
namespace {

using reply::Growth;
using std::chrono::milliseconds;
using testing::HasSubstr;

constexpr const char* kNewsContract = R"(
openapi: 3.1.0
info: {title: News, version: "1"}
paths:
  /news:
    get:
      operationId: news
      responses:
        "200":
          description: ok
          content:
            text/event-stream:
              schema: {type: object, required: [n], properties: {n: {type: integer}}}
              example: [{n: 1}, {n: 2}, {n: 3}]
)";

std::string event(int n) {
  return "id: " + std::to_string(n) + "\ndata: {\"n\":" + std::to_string(n) + "}\n\n";
}

class StreamTest : public testing::Test {
 protected:
  reply::Stream open(const std::string& target, const std::string& preferences) {
    return service.ask({"GET", target, {{"Prefer", preferences}}, ""}).stream;
  }

  // What comes after so long.
  std::string after(milliseconds time, const reply::Stream& stream) {
    service.now += time;
    std::string bytes;
    growth = stream(bytes);
    return bytes;
  }

  TestService service{{{"contract.yaml", kNewsContract}}};
  Growth growth = Growth::kWaits;
};

TEST_F(StreamTest, comes_at_its_pace_from_the_first_time_on_that_it_is_asked_for) {
  const auto stream = open("/news", "pace=500");
  service.now += milliseconds(5'000);

  EXPECT_EQ(after(milliseconds(0), stream), event(1));
  EXPECT_EQ(growth, Growth::kWaits);
  EXPECT_EQ(after(milliseconds(450), stream), "");
  EXPECT_EQ(growth, Growth::kHasMore);
  EXPECT_EQ(after(milliseconds(50), stream), event(2));
  EXPECT_EQ(after(milliseconds(500), stream), event(3));
  EXPECT_EQ(growth, Growth::kEnded);
}

TEST_F(StreamTest, waits_while_the_sessions_clock_is_frozen) {
  const auto stream = open("/_s/a/news", "pace=500");
  after(milliseconds(0), stream);
  service.send("PUT", "/_s/a/_mock/clock", R"({"frozen": true})");

  EXPECT_EQ(after(milliseconds(5'000), stream), "");
  service.send("POST", "/_s/a/_mock/clock/advance", R"({"seconds": 1})");
  EXPECT_EQ(after(milliseconds(0), stream), event(2) + event(3));
}

TEST_F(StreamTest, goes_on_at_its_pace_when_the_clock_was_moved_back) {
  const auto stream = open("/_s/a/news", "pace=500");
  after(milliseconds(0), stream);
  service.send("POST", "/_s/a/_mock/clock/advance", R"({"seconds": -1000000})");

  EXPECT_EQ(after(milliseconds(0), stream), "");
  EXPECT_EQ(after(milliseconds(2'500), stream), event(2));
}

TEST_F(StreamTest, has_what_was_pushed_between_its_items_and_after_them_until_it_is_ended) {
  const auto stream = open("/_s/a/news", "pace=500, end=open");
  after(milliseconds(0), stream);

  const auto pushed = service.send("POST", "/_s/a/_mock/streams/news", R"({"n": 7})");
  service.send("POST", "/_s/b/_mock/streams/news", R"({"n": 8})");
  EXPECT_THAT(pushed.body, HasSubstr(R"("streams":1)"));
  EXPECT_EQ(after(milliseconds(0), stream), "data: {\"n\":7}\n\n");
  EXPECT_EQ(after(milliseconds(1'000), stream), event(2) + event(3));
  EXPECT_EQ(growth, Growth::kWaits);
  service.send("POST", "/_s/a/_mock/streams/news", R"([{"n": 8}, "[DONE]"])");
  service.send("DELETE", "/_s/a/_mock/streams/news", "");
  EXPECT_EQ(after(milliseconds(0), stream), "data: {\"n\":8}\n\ndata: [DONE]\n\n");
  EXPECT_EQ(growth, Growth::kEnded);
}

TEST_F(StreamTest, is_listed_as_long_as_its_client_is_there) {
  auto stream = open("/_s/a/news", "end=open");
  EXPECT_THAT(service.get("/_s/a/_mock/streams").body,
              HasSubstr(R"({"media_type":"text/event-stream","opened":)"));

  stream = nullptr;

  EXPECT_THAT(service.get("/_s/a/_mock/streams").body, HasSubstr(R"("streams":[])"));
}

TEST_F(StreamTest, of_a_client_that_reads_nothing_takes_a_megabyte_and_no_more) {
  const auto stream = open("/_s/a/news", "end=open");
  const std::string item = R"({"n": 1, "text": ")" + std::string(700'000, 'x') + "\"}";

  EXPECT_THAT(service.send("POST", "/_s/a/_mock/streams/news", item).body, HasSubstr("\":1}"));
  EXPECT_THAT(service.send("POST", "/_s/a/_mock/streams/news", item).body, HasSubstr("\":1}"));
  EXPECT_THAT(service.send("POST", "/_s/a/_mock/streams/news", item).body, HasSubstr("\":0}"));
}

TEST_F(StreamTest, with_a_late_item_has_it_two_seconds_later_and_the_others_behind_it) {
  const auto stream = open("/news", "fault=late-item");

  EXPECT_EQ(after(milliseconds(0), stream), event(1));
  EXPECT_EQ(after(milliseconds(1'999), stream), "");
  EXPECT_EQ(after(milliseconds(1), stream), event(2) + event(3));
}

TEST_F(StreamTest, that_is_cut_ends_with_its_connection) {
  const auto stream = open("/news", "pace=10, fault=cut-item");
  after(milliseconds(0), stream);

  EXPECT_EQ(after(milliseconds(10), stream), "id: 2\ndata: {");
  EXPECT_EQ(growth, Growth::kCut);
}

}  // namespace
}  // namespace mock_server::service
