// Formats as far as the official suite leaves them open, and OpenAPI's own. The suite's 764 cases
// are registered by spec/schema/tests/official_suite_test.cpp.

#include "spec/schema/formats/format.hpp"

#include "spec/json/number.hpp"
#include "spec/tests/rows.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace spec::schema::formats {
namespace {

struct Row {
  std::string name;
  std::string format;
  std::string text;
  bool expected = true;
};

using StringFormat = spec::tests::RowTest;

TEST_P(StringFormat, accepts_exactly_what_has_it) {
  const Row& row = GetParam();

  const Format* format = find_format(row.format, true);
  ASSERT_NE(format, nullptr);

  EXPECT_EQ(format->test_string(row.text), row.expected);
}

const std::vector<Row> kTableStringFormat = {
    {"microseconds", "date-time", "2025-08-04T05:43:19.882409Z", true},
    {"no_offset", "date-time", "2025-08-04T05:43:19", false},
    {"blank_between", "date-time", "2025-08-04 05:43:19Z", false},
    {"point_without_digits", "time", "05:43:19.Z", false},
    {"leap_day", "date", "2000-02-29", true},
    {"no_leap_day", "date", "1900-02-29", false},
    {"month_13", "date", "2025-13-01", false},
    {"day_0", "date", "2025-01-00", false},
    {"uri_of_mail", "uri", "mailto:a@b", true},
    {"uri_with_empty_port", "uri", "http://a:/", true},
    {"uri_with_future_address", "uri", "http://[v1.a:b]", true},
    {"uri_with_user_in_brackets", "uri", "http://[::1", false},
    {"uri_with_two_fragments", "uri", "a:b#c#d", false},
    {"iri_with_private_use_in_path", "iri", "a:\xEE\x80\x80", false},
    {"iri_with_private_use_in_query", "iri", "a:?\xEE\x80\x80", true},
    {"base64", "byte", "YWI=", true},
    {"base64_without_padding", "byte", "YWI", false},
    {"base64_of_the_other_kind", "byte", "-_-_", false},
    {"base64url", "base64url", "YWI", true},
    {"base64url_of_one", "base64url", "Y", false},
    {"char_is_a_code_point", "char", "\xF0\x9F\x90\xB2", true},
    {"char_is_one", "char", "ab", false},
    {"char_is_not_none", "char", "", false},
    {"mail_with_long_local_part", "email", std::string(65, 'a') + "@example.com", false},
    {"mail_with_a_bare_quote", "email", "\"a@example.com", false},
    {"host_of_hebrew", "idn-hostname", "\u05D0\u05D1.\u05D2", true},
    {"host_of_hebrew_with_points", "idn-hostname", "\u05D0\u05B0.\u05D1", true},
    {"host_of_hebrew_that_ends_in_a_digit", "idn-hostname", "\u05D01.a", true},
    {"host_of_hebrew_after_a_digit", "idn-hostname", "1a.\u05D0", false},
    {"host_of_hebrew_before_a_digit", "idn-hostname", "\u05D0.1a", false},
    {"host_of_hebrew_mixed_with_latin", "idn-hostname", "\u05D0a.b", false},
    {"host_of_latin_with_a_hebrew_point", "idn-hostname", "a\u05B0.1b", true},
    {"host_of_both_digits", "idn-hostname", "\u06271\u0661", false},
    {"host_of_arabic_digits_alone", "idn-hostname", "\u0661\u0662", false},
    {"host_of_thaana", "idn-hostname", "\u0780\u0781.1a", false},
    {"host_with_digits_first", "idn-hostname", "1a.2b", true},
    {"host_of_hebrew_by_its_a_label", "idn-hostname", "xn--4dbc.1a", false},
    {"uuid_in_capitals", "uuid", "2EB8AA08-AA98-11EA-B4AA-73B441D16380", true},
    {"uuid_in_braces", "uuid", "{2eb8aa08-aa98-11ea-b4aa-73b441d16380}", false}};

INSTANTIATE_TEST_SUITE_P(Table, StringFormat,
                         testing::ValuesIn(spec::tests::rows(kTableStringFormat)),
                         spec::tests::kRowNames);

using NumberFormat = spec::tests::RowTest;

TEST_P(NumberFormat, is_a_range) {
  const Row& row = GetParam();

  const Format* format = find_format(row.format, true);
  ASSERT_NE(format, nullptr);

  EXPECT_EQ(format->test_number(json::make_number(row.text)), row.expected);
}

const std::vector<Row> kTableNumberFormat = {
    {"int32_most", "int32", "2147483647", true},
    {"int32_too_much", "int32", "2147483648", false},
    {"int32_least", "int32", "-2147483648", true},
    {"int32_too_little", "int32", "-2147483649", false},
    {"int32_with_exponent", "int32", "1e3", true},
    {"int32_leaves_wholeness_to_type", "int32", "1.5", true},
    {"int64_most", "int64", "9223372036854775807", true},
    {"int64_too_much", "int64", "9223372036854775808", false},
    {"int64_too_little", "int64", "-9223372036854775809", false},
    {"int8_too_much", "int8", "128", false},
    {"uint8_negative", "uint8", "-1", false},
    {"uint64_most", "uint64", "18446744073709551615", true},
    {"uint64_too_much", "uint64", "18446744073709551616", false},
    {"float_too_much", "float", "1e39", false},
    {"double_too_much", "double", "1e400", false},
    {"double", "double", "1e39", true}};

INSTANTIATE_TEST_SUITE_P(Table, NumberFormat,
                         testing::ValuesIn(spec::tests::rows(kTableNumberFormat)),
                         spec::tests::kRowNames);

TEST(FindFormat, knows_open_apis_formats_only_there) {
  EXPECT_EQ(find_format("int32", false), nullptr);
  EXPECT_NE(find_format("int32", true), nullptr);
  EXPECT_NE(find_format("date-time", false), nullptr);
}

TEST(FindFormat, leaves_unknown_formats_as_annotations) {
  EXPECT_EQ(find_format("password", true), nullptr);
}

}  // namespace
}  // namespace spec::schema::formats
