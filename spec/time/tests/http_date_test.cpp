#include "spec/time/instant.hpp"

#include <gtest/gtest.h>

namespace spec::time {
namespace {

TEST(HttpDate, is_written_and_read_back) {
  constexpr std::int64_t kExample = 784'111'777;
  EXPECT_EQ(format_http_date(kExample), "Sun, 06 Nov 1994 08:49:37 GMT");
  EXPECT_EQ(parse_http_date("Sun, 06 Nov 1994 08:49:37 GMT"), kExample);
  EXPECT_EQ(format_http_date(1'709'164'800), "Thu, 29 Feb 2024 00:00:00 GMT");
  EXPECT_EQ(parse_http_date("Wed, 31 Dec 1969 23:59:59 GMT"), -1);
}

TEST(HttpDate, may_be_a_leap_second) {
  EXPECT_EQ(parse_http_date("Sat, 31 Dec 2016 23:59:60 GMT"), 1'483'228'800);
  EXPECT_EQ(parse_http_date("Fri, 30 Dec 2016 23:59:60 GMT"), std::nullopt);
}

TEST(HttpDate, is_nothing_else) {
  for (const char* const text :
       {"Mon, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT",
        "Sun, 31 Feb 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:37 UTC",
        "Sun, 06 nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 24:49:37 GMT",
        "Sun  06 Nov 1994 08:49:37 GMT", "Sun, 6 Nov 1994 08:49:37 GMT", ""}) {
    EXPECT_EQ(parse_http_date(text), std::nullopt) << text;
  }
}

}  // namespace
}  // namespace spec::time
