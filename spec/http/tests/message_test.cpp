#include "spec/http/message.hpp"

#include "spec/text/ascii.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace spec::http {

namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Optional;
using testing::Pair;

TEST(Headers, finds_the_first_value_whatever_the_case_of_the_name) {
  const Headers headers{{"Accept", "text/html"}, {"accept", "text/csv"}};

  EXPECT_EQ(headers.find("ACCEPT"), "text/html");
  EXPECT_EQ(headers.find("Accep"), std::nullopt);
}

TEST(Headers, lists_every_value_in_order) {
  const Headers headers{{"Set-Cookie", "a=1"}, {"Vary", "Origin"}, {"set-cookie", "b=2"}};

  EXPECT_THAT(headers.all("Set-Cookie"), ElementsAre("a=1", "b=2"));
}

TEST(Headers, set_replaces_every_line_of_the_name_by_one) {
  Headers headers{{"Vary", "Origin"}, {"Date", "now"}, {"vary", "Accept"}};

  headers.set("VARY", "*");
  headers.set("Age", "1");

  EXPECT_THAT(headers.lines(),
              ElementsAre(Pair("Vary", "*"), Pair("Date", "now"), Pair("Age", "1")));
}

TEST(Headers, remove_takes_every_line_of_the_name) {
  Headers headers{{"Vary", "Origin"}, {"Date", "now"}, {"vary", "Accept"}};

  headers.remove("vary");

  EXPECT_THAT(headers.lines(), ElementsAre(Pair("Date", "now")));
}

TEST(Target, is_cut_at_the_first_question_mark) {
  EXPECT_EQ(path_of("/a%3Fb?x=1?2"), "/a%3Fb");
  EXPECT_EQ(query_of("/a%3Fb?x=1?2"), "x=1?2");
  EXPECT_EQ(path_of("/a"), "/a");
  EXPECT_EQ(query_of("/a"), "");
}

TEST(Path, is_cut_into_segments_that_stay_encoded) {
  EXPECT_THAT(segments_of("/a%2Fb//c/"), ElementsAre("a%2Fb", "", "c", ""));
  EXPECT_THAT(segments_of("/"), ElementsAre(""));
  EXPECT_THAT(segments_of(""), IsEmpty());
  EXPECT_THAT(segments_of("*"), IsEmpty());
}

TEST(Request, a_preflight_is_known_by_its_fields) {
  const Headers fields{{"origin", "http://a"}, {"access-control-request-method", "PUT"}};

  EXPECT_TRUE(is_preflight({.method = "OPTIONS", .target = "/", .headers = fields, .body = ""}));
  EXPECT_FALSE(is_preflight({.method = "OPTIONS", .target = "/", .headers = {}, .body = ""}));
  EXPECT_FALSE(is_preflight({"OPTIONS", "/", {{"Origin", "http://a"}}, ""}));
  EXPECT_FALSE(is_preflight({.method = "GET", .target = "/", .headers = fields, .body = ""}));
}

TEST(Methods, are_called_by_their_fields_in_lower_case) {
  for (const Method& method : kMethods) {
    EXPECT_EQ(text::to_lower(method.name), method.field);
    EXPECT_EQ(find_method(method.name), &method);
    EXPECT_TRUE(method.is_idempotent || !method.is_safe) << method.name;
  }
}

TEST(Methods, without_a_row_promise_nothing) {
  EXPECT_EQ(find_method("get"), nullptr);
  EXPECT_FALSE(is_safe_method("PROPFIND"));
  EXPECT_FALSE(is_idempotent_method("PROPFIND"));
  EXPECT_FALSE(has_body_use("PROPFIND", BodyUse::kUndefined));
}

TEST(ReasonPhrase, is_the_usual_one_or_empty) {
  EXPECT_EQ(reason_phrase(200), "OK");
  EXPECT_EQ(reason_phrase(422), "Unprocessable Content");
  EXPECT_EQ(reason_phrase(511), "Network Authentication Required");
  EXPECT_EQ(reason_phrase(299), "");
  EXPECT_EQ(reason_phrase(599), "");
}

}  // namespace

}  // namespace spec::http
