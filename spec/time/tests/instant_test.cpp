#include "spec/time/instant.hpp"

#include "spec/tests/rows.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace spec::time {
namespace {

struct Reading {
  std::string name;
  std::string text;
  bool valid;
};

using DateTime = spec::tests::RowTest;

TEST_P(DateTime, is_read_by_the_grammar_and_the_calendar) {
  const Reading& row = GetParam();

  EXPECT_EQ(parse_date_time(row.text).has_value(), row.valid);
}

const std::vector<Reading> kRfc3339DateTime = {
    {"twelve_fraction_digits", "2025-01-01T00:00:00.123456789012Z", true},
    {"lower_case", "2025-01-01t00:00:00z", true},
    {"year_one", "0001-01-01T00:00:00Z", true},
    {"year_9999", "9999-12-31T23:59:59Z", true},
    {"leap_day_of_2000", "2000-02-29T00:00:00Z", true},
    {"no_leap_day_in_1900", "1900-02-29T00:00:00Z", false},
    {"leap_second_in_june", "2015-06-30T23:59:60Z", true},
    {"leap_second_by_offset", "2016-12-31T15:59:60-08:00", true},
    {"leap_second_in_march", "2016-03-31T23:59:60Z", false},
    {"leap_second_at_noon", "2016-12-31T12:00:60Z", false},
    {"no_zone", "2024-01-01T00:00:00", false},
    {"no_seconds", "2024-01-01T00:00Z", false},
    {"blank_for_t", "2024-01-01 00:00:00Z", false},
    {"offset_of_hours", "2024-01-01T00:00:00+02", false},
    {"offset_without_colon", "2024-01-01T00:00:00+0200", false},
    {"offset_25", "2024-01-01T00:00:00+25:00", false},
    {"empty_fraction", "2024-01-01T00:00:00.Z", false},
    {"basic_format", "20240101T000000Z", false},
    {"tail", "2024-01-01T00:00:00Z tail", false},
    {"fullwidth_digits", "２024-01-01T00:00:00Z", false},
    {"empty", "", false}};

INSTANTIATE_TEST_SUITE_P(Rfc3339, DateTime, testing::ValuesIn(spec::tests::rows(kRfc3339DateTime)),
                         spec::tests::kRowNames);

TEST(Instant, is_compared_exactly_whatever_its_offset) {
  EXPECT_EQ(parse_date_time("2025-01-01T02:00:00+02:00"), parse_date_time("2025-01-01T00:00:00Z"));
  EXPECT_EQ(parse_date_time("2025-01-01T00:00:00.50Z"), parse_date_time("2025-01-01T00:00:00.5Z"));
  EXPECT_LT(*parse_date_time("2025-01-01T00:00:00.000000000001Z"),
            *parse_date_time("2025-01-01T00:00:00.000000000002Z"));
  EXPECT_LT(*parse_date_time("2016-12-31T23:59:59.9Z"), *parse_date_time("2016-12-31T23:59:60Z"));
  EXPECT_LT(*parse_date_time("2016-12-31T23:59:60.9Z"), *parse_date_time("2017-01-01T00:00:00Z"));
}

TEST(Instant, counts_seconds_from_1970) {
  EXPECT_EQ(parse_date_time("1970-01-01T00:00:01Z")->seconds, 1);
  EXPECT_EQ(parse_date_time("1969-12-31T23:59:59Z")->seconds, -1);
  EXPECT_EQ(parse_date_time("2025-08-04T05:43:19.882409Z")->seconds, 1754286199);
}

TEST(Instant, is_written_as_it_was_read) {
  const std::vector<std::string> texts{"1970-01-01T00:00:00.000000Z", "2025-08-04T05:43:19.882409Z",
                                       "1900-03-01T12:00:00.100000Z", "2016-12-31T23:59:60.000000Z",
                                       "0001-01-01T00:00:00.000000Z"};
  std::vector<std::string> written;
  for (const std::string& text : texts) {
    written.push_back(format_date_time(*parse_date_time(text), {.fraction_digits = 6}));
  }

  EXPECT_EQ(written, texts);
}

TEST(Instant, is_written_by_a_clock_elsewhere) {
  const Instant instant = *parse_date_time("2024-12-31T23:30:00.25Z");

  EXPECT_EQ(format_date_time(instant, {.offset_minutes = 90}), "2025-01-01T01:00:00.25+01:30");
  EXPECT_EQ(format_date_time(instant, {.offset_minutes = -330}), "2024-12-31T18:00:00.25-05:30");
  EXPECT_EQ(format_date_time(instant, {.fraction_digits = 0}), "2024-12-31T23:30:00Z");
}

}  // namespace
}  // namespace spec::time
