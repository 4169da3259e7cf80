#include "mock_server/service/wishes.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace mock_server::service {
namespace {

using spec::http::Request;
using testing::HasSubstr;

Wishes by_header(std::string value) {
  return read_wishes({"GET", "/x", {{"Prefer", std::move(value)}}, ""});
}

Wishes by_query(const std::string& query) {
  return read_wishes({"GET", "/x?" + query, {}, ""});
}

TEST(Wishes, are_none_without_preferences) {
  const Wishes wishes = read_wishes({"GET", "/x", {}, ""});

  EXPECT_FALSE(wishes.forces_answer());
  EXPECT_EQ(wishes.complaint, "");
  EXPECT_EQ(wishes.applied(), "");
}

TEST(Wishes, come_by_header) {
  const Wishes wishes = by_header("code=429, delay=250, fault=truncate");

  EXPECT_EQ(wishes.code, 429);
  EXPECT_EQ(wishes.delivery.delay, std::chrono::milliseconds(250));
  EXPECT_EQ(wishes.delivery.fault, reply::Fault::kTruncate);
  EXPECT_EQ(wishes.applied(), "code=429, delay=250, fault=truncate");
}

TEST(Wishes, come_by_query_and_are_not_said_to_be_applied_preferences) {
  const Wishes wishes = by_query("a=1&__code=500&__example=small%20dog");

  EXPECT_EQ(wishes.code, 500);
  EXPECT_EQ(wishes.example, "small dog");
  EXPECT_EQ(wishes.applied(), "");
}

TEST(Wishes, of_the_header_win_over_the_query) {
  const Wishes wishes =
      read_wishes({"GET", "/x?__code=404&__delay=5", {{"Prefer", "code=500"}}, ""});

  EXPECT_EQ(wishes.code, 500);
  EXPECT_EQ(wishes.delivery.delay, std::chrono::milliseconds(5));
}

TEST(Wishes, given_twice_count_once_and_the_first_counts) {
  const Wishes wishes =
      read_wishes({"GET", "/x", {{"Prefer", "code=500, code=404"}, {"Prefer", "code=abc"}}, ""});

  EXPECT_EQ(wishes.code, 500);
  EXPECT_EQ(wishes.complaint, "");
}

TEST(Wishes, ignore_preferences_that_are_not_ours) {
  const Wishes wishes = by_header("respond-async, wait=5, codes=1");

  EXPECT_FALSE(wishes.forces_answer());
  EXPECT_EQ(wishes.complaint, "");
}

TEST(Wishes, that_cannot_be_read_say_what_there_is) {
  const Wishes wishes = by_header("code=abc");

  EXPECT_FALSE(wishes.is_unknown);
  EXPECT_THAT(wishes.complaint, HasSubstr("must be a final status, 200 to 599, but is \"abc\""));
  EXPECT_THAT(wishes.complaint, HasSubstr("there are code=STATUS, example=NAME"));
}

TEST(Wishes, for_a_fault_there_is_not_list_the_faults) {
  const Wishes wishes = by_header("fault=explode");

  EXPECT_TRUE(wishes.is_unknown);
  EXPECT_THAT(wishes.complaint, HasSubstr("reset, empty, truncate, wrong-length"));
}

TEST(Wishes, have_bounds) {
  EXPECT_NE(by_header("delay=60001").complaint, "");
  EXPECT_NE(by_header("delay=-1").complaint, "");
  EXPECT_NE(by_header("code=199").complaint, "");
  EXPECT_NE(by_header("code=600").complaint, "");
  EXPECT_NE(by_header("seed=x").complaint, "");
  EXPECT_NE(by_header("dynamic=maybe").complaint, "");
  EXPECT_NE(by_header("example=").complaint, "");
  EXPECT_EQ(by_header("delay=60000").complaint, "");
}

TEST(Wishes, dynamic_and_seed_are_read) {
  const Wishes wishes = by_header("dynamic=true, seed=18446744073709551615");

  EXPECT_TRUE(wishes.dynamic);
  EXPECT_EQ(wishes.seed, 18446744073709551615U);
}

}  // namespace
}  // namespace mock_server::service
