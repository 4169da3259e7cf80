#include "mock_server/service/request/preferences.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace mock_server::service::request {
namespace {

using spec::http::Request;
using testing::HasSubstr;

Preferences by_header(std::string value) {
  return read_preferences({"GET", "/x", {{"Prefer", std::move(value)}}, ""});
}

Preferences by_query(const std::string& query) {
  return read_preferences({"GET", "/x?" + query, {}, ""});
}

TEST(Preferences, are_empty_for_a_plain_request) {
  const Preferences preferences = read_preferences({"GET", "/x", {}, ""});

  EXPECT_FALSE(preferences.forces_response());
  EXPECT_EQ(preferences.violation, "");
  EXPECT_EQ(preferences.applied(), "");
}

TEST(Preferences, may_be_in_the_header) {
  const Preferences preferences = by_header("code=429, delay=250, fault=truncate");

  EXPECT_EQ(preferences.code, 429);
  EXPECT_EQ(preferences.delivery.delay, std::chrono::milliseconds(250));
  EXPECT_EQ(preferences.delivery.fault, reply::Fault::kTruncate);
  EXPECT_EQ(preferences.applied(), "code=429, delay=250, fault=truncate");
}

TEST(Preferences, may_be_about_the_items_of_a_stream) {
  const Preferences preferences = by_header("pace=20, end=open");

  EXPECT_EQ(preferences.pace, std::chrono::milliseconds(20));
  EXPECT_EQ(preferences.stays_open, true);
  EXPECT_EQ(preferences.applied(), "pace=20, end=open");
  EXPECT_THAT(by_query("__pace=60001").violation, HasSubstr("0 to 60000"));
}

TEST(Preferences, may_be_in_the_query_and_are_not_in_preference_applied_then) {
  const Preferences preferences = by_query("a=1&__code=500&__example=small%20dog");

  EXPECT_EQ(preferences.code, 500);
  EXPECT_EQ(preferences.example, "small dog");
  EXPECT_EQ(preferences.applied(), "");
}

TEST(Preferences, of_the_header_have_priority_over_the_query) {
  const Preferences preferences =
      read_preferences({"GET", "/x?__code=404&__delay=5", {{"Prefer", "code=500"}}, ""});

  EXPECT_EQ(preferences.code, 500);
  EXPECT_EQ(preferences.delivery.delay, std::chrono::milliseconds(5));
}

TEST(Preferences, given_twice_are_applied_as_given_first) {
  const Preferences preferences = read_preferences(
      {"GET", "/x", {{"Prefer", "code=500, code=404"}, {"Prefer", "code=abc"}}, ""});

  EXPECT_EQ(preferences.code, 500);
  EXPECT_EQ(preferences.violation, "");
}

TEST(Preferences, of_other_names_are_ignored) {
  const Preferences preferences = by_header("respond-async, wait=5, codes=1");

  EXPECT_FALSE(preferences.forces_response());
  EXPECT_EQ(preferences.violation, "");
}

TEST(Preferences, that_are_misspelt_in_the_header_are_named_and_those_of_others_are_not) {
  const auto preferences =
      by_header("dealy=100, respond-async, return=minimal, wait=5, handling=strict, cod=404");

  EXPECT_THAT(
      preferences.warnings,
      testing::ElementsAre("preference dealy: unknown, so it is ignored; did you mean delay?",
                           "preference cod: unknown, so it is ignored; did you mean code?"));
}

TEST(Preferences, that_are_misspelt_in_the_query_are_named) {
  EXPECT_EQ(unknown_preference("__cod"),
            "query/__cod: no preference, so it is ignored; did you mean __code?");
  EXPECT_THAT(unknown_preference("__theme"),
              HasSubstr("no preference, so it is ignored; preferences are code=STATUS, "));
  EXPECT_THAT(unknown_preference("__session"), HasSubstr("X-Counterpart-Session"));
}

TEST(Preferences, that_cannot_be_read_list_the_known_ones) {
  const Preferences preferences = by_header("code=abc");

  EXPECT_FALSE(preferences.is_unknown);
  EXPECT_THAT(preferences.violation,
              HasSubstr("must be a final status, 200 to 599, but is \"abc\""));
  EXPECT_THAT(preferences.violation, HasSubstr("preferences are code=STATUS, example=NAME"));
}

TEST(Preferences, for_an_unknown_fault_list_the_faults) {
  const Preferences preferences = by_header("fault=explode");

  EXPECT_TRUE(preferences.is_unknown);
  EXPECT_THAT(preferences.violation, HasSubstr("reset, empty, truncate, wrong-length"));
}

TEST(Preferences, have_bounds) {
  EXPECT_NE(by_header("delay=60001").violation, "");
  EXPECT_NE(by_header("delay=-1").violation, "");
  EXPECT_NE(by_header("code=199").violation, "");
  EXPECT_NE(by_header("code=600").violation, "");
  EXPECT_NE(by_header("seed=x").violation, "");
  EXPECT_NE(by_header("dynamic=maybe").violation, "");
  EXPECT_NE(by_header("example=").violation, "");
  EXPECT_EQ(by_header("delay=60000").violation, "");
}

TEST(Preferences, dynamic_and_seed_are_read) {
  const Preferences preferences = by_header("dynamic=true, seed=18446744073709551615");

  EXPECT_TRUE(preferences.dynamic);
  EXPECT_EQ(preferences.seed, 18446744073709551615U);
}

}  // namespace
}  // namespace mock_server::service::request
