#include "spec/http/media_type.hpp"

#include "spec/tests/rows.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ostream>
#include <vector>

namespace spec::http {

namespace {

using testing::ElementsAre;
using testing::Pair;

MediaType media_type(std::string_view text) {
  return parse_media_type(text).value();
}

TEST(MediaType, is_read_in_lower_case_with_values_as_written) {
  const MediaType read = media_type(R"( Text/HTML ; Charset=UTF-8;version="" )");

  EXPECT_EQ(read.essence(), "text/html");
  EXPECT_THAT(read.parameters, ElementsAre(Pair("charset", "UTF-8"), Pair("version", "")));
}

TEST(MediaType, unquotes_parameter_values) {
  const MediaType read = media_type(R"(multipart/form-data;; boundary="a\"b;c" ;x=Y;)");

  EXPECT_THAT(read.parameters, ElementsAre(Pair("boundary", "a\"b;c"), Pair("x", "Y")));
}

struct Text {
  std::string name;
  std::string text;

  friend void PrintTo(const Text& one, std::ostream* out) { *out << one.text; }
};

using Malformed = spec::tests::RowTest;

TEST_P(Malformed, is_not_a_media_type) {
  const Text& row = GetParam();

  EXPECT_EQ(parse_media_type(row.text), std::nullopt);
}

const std::vector<Text> kMediaTypeMalformed = {{"empty", ""},
                                               {"no_slash", "json"},
                                               {"no_type", "/json"},
                                               {"no_subtype", "text/"},
                                               {"star_type_alone", "*/json"},
                                               {"blank_inside", "text / html"},
                                               {"rubbish_behind", "text/html charset=utf-8"},
                                               {"no_value", "text/html;charset"},
                                               {"blank_before_equals", "text/html;charset =utf-8"},
                                               {"empty_value", "text/html;charset="},
                                               {"open_quote", "text/html;a=\"b"},
                                               {"open_escape", "text/html;a=\"b\\"},
                                               {"control_byte", "text/html;a=\"b\nc\""},
                                               {"parameter_given_twice", "text/html;a=b;A=c"},
                                               {"two_types", "text/html, text/csv"}};

INSTANTIATE_TEST_SUITE_P(MediaType, Malformed,
                         testing::ValuesIn(spec::tests::rows(kMediaTypeMalformed)),
                         spec::tests::kRowNames);

TEST(MediaType, is_json_by_name_or_suffix_only) {
  EXPECT_TRUE(media_type("application/json;charset=utf-8").is_json());
  EXPECT_TRUE(media_type("application/problem+json").is_json());
  EXPECT_TRUE(media_type("image/x+JSON").is_json());
  EXPECT_FALSE(media_type("application/jsonx").is_json());
  EXPECT_FALSE(media_type("application/json-seq").is_json());
  EXPECT_FALSE(media_type("text/json").is_json());
}

struct Inclusion {
  std::string name;
  std::string range;
  std::string media_type;
  bool included;

  friend void PrintTo(const Inclusion& inclusion, std::ostream* out) { *out << inclusion.range; }
};

using Range = spec::tests::RowTest;

TEST_P(Range, includes_what_it_should) {
  const Inclusion& row = GetParam();

  EXPECT_EQ(includes(media_type(row.range), media_type(row.media_type)), row.included);
}

const std::vector<Inclusion> kMediaTypeRange = {
    {"everything", "*/*", "text/csv", true},
    {"a_type", "application/*", "application/pdf", true},
    {"another_type", "application/*", "text/csv", false},
    {"more_parameters", "application/pdf", "application/pdf;version=1.7", true},
    {"a_missing_parameter", "application/pdf;version=1.7", "application/pdf", false},
    {"another_value", "a/b;v=x", "a/b;v=X", false},
    {"charset_in_another_case", "a/b;charset=UTF-8", "a/b;charset=utf-8", true},
    {"a_charset_of_json", "a/b+json;charset=utf-8", "a/b+json", true},
    {"another_parameter_of_json", "a/b+json;v=1", "a/b+json", false},
    {"a_charset_of_text", "text/csv;charset=utf-8", "text/csv", false},
    {"a_weight", "a/b;q=0.5", "a/b", true},
    {"a_longer_name", "application/json", "application/jsonx", false}};

INSTANTIATE_TEST_SUITE_P(MediaType, Range, testing::ValuesIn(spec::tests::rows(kMediaTypeRange)),
                         spec::tests::kRowNames);

struct Negotiation {
  std::string name;
  std::optional<std::string> accept;
  std::vector<std::string> offered;
  std::optional<std::size_t> chosen;

  friend void PrintTo(const Negotiation& negotiation, std::ostream* out) {
    *out << negotiation.accept.value_or("(absent)");
  }
};

using Accept = spec::tests::RowTest;

TEST_P(Accept, chooses_what_the_client_prefers) {
  const Negotiation& row = GetParam();

  std::vector<MediaType> offered;
  for (const std::string& text : row.offered) {
    offered.push_back(media_type(text));
  }

  EXPECT_EQ(negotiate(row.accept, offered), row.chosen);
}

const std::vector<std::string> kJsonAndCsv{"application/json", "text/csv"};

const std::vector<Negotiation> kMediaTypeAccept = {
    {"absent", std::nullopt, kJsonAndCsv, 0},
    {"empty", "", kJsonAndCsv, 0},
    {"unreadable", "garbage", kJsonAndCsv, 0},
    {"anything", "*/*", kJsonAndCsv, 0},
    {"the_heavier", "application/json;q=0.1, text/csv", kJsonAndCsv, 1},
    {"first_among_equals", "text/csv, application/json", kJsonAndCsv, 0},
    {"not_offered", "application/xml", kJsonAndCsv, std::nullopt},
    {"rejected", "*/*;q=0", kJsonAndCsv, std::nullopt},
    {"closest_rules", "*/*, application/json;q=0", kJsonAndCsv, 1},
    {"closest_by_parameter", "a/b;v=1;q=0.1, a/b;q=0.9", {"a/b;v=1", "a/b"}, 1},
    {"three_digits", "text/csv;q=0.501, application/json;q=0.5", kJsonAndCsv, 1},
    {"bad_weight_ignored", "text/csv;q=7, application/json;q=0.1", kJsonAndCsv, 0},
    {"four_digits", "text/csv;q=0.5000, application/json;q=0.1", kJsonAndCsv, 1},
    {"four_digits_alone", "text/html;q=1.0000", kJsonAndCsv, std::nullopt},
    {"weight_of_nothing", "text/csv;q=0.0000, application/json;q=.1", kJsonAndCsv, 0},
    {"weight_above_one", "text/csv;q=1.001", {"text/csv"}, 0},
    {"comma_in_quotes", R"(a/b;x=",text/csv,", application/json)", kJsonAndCsv, 0},
    {"range_offered", "image/png", {"application/json", "image/*"}, 1},
    {"browser", "text/html,application/xml;q=0.9,*/*;q=0.8", {"application/pdf"}, 0},
    {"nothing_offered", "*/*", {}, std::nullopt}};

INSTANTIATE_TEST_SUITE_P(MediaType, Accept, testing::ValuesIn(spec::tests::rows(kMediaTypeAccept)),
                         spec::tests::kRowNames);

}  // namespace

}  // namespace spec::http
