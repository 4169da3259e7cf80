#include "spec/http/media_type.hpp"

#include "spec/tests/row_names.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ostream>

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

class Malformed : public testing::TestWithParam<Text> {};

TEST_P(Malformed, is_not_a_media_type) {
  EXPECT_EQ(parse_media_type(GetParam().text), std::nullopt);
}

INSTANTIATE_TEST_SUITE_P(MediaType, Malformed,
                         testing::Values(Text{"empty", ""}, Text{"no_slash", "json"},
                                         Text{"no_type", "/json"}, Text{"no_subtype", "text/"},
                                         Text{"star_type_alone", "*/json"},
                                         Text{"blank_inside", "text / html"},
                                         Text{"rubbish_behind", "text/html charset=utf-8"},
                                         Text{"no_value", "text/html;charset"},
                                         Text{"blank_before_equals", "text/html;charset =utf-8"},
                                         Text{"empty_value", "text/html;charset="},
                                         Text{"open_quote", "text/html;a=\"b"},
                                         Text{"open_escape", "text/html;a=\"b\\"},
                                         Text{"control_byte", "text/html;a=\"b\nc\""},
                                         Text{"parameter_given_twice", "text/html;a=b;A=c"},
                                         Text{"two_types", "text/html, text/csv"}),
                         tests::kRowNames);

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

class Range : public testing::TestWithParam<Inclusion> {};

TEST_P(Range, includes_what_it_should) {
  EXPECT_EQ(includes(media_type(GetParam().range), media_type(GetParam().media_type)),
            GetParam().included);
}

INSTANTIATE_TEST_SUITE_P(
    MediaType, Range,
    testing::Values(
        Inclusion{"everything", "*/*", "text/csv", true},
        Inclusion{"a_type", "application/*", "application/pdf", true},
        Inclusion{"another_type", "application/*", "text/csv", false},
        Inclusion{"more_parameters", "application/pdf", "application/pdf;version=1.7", true},
        Inclusion{"a_missing_parameter", "application/pdf;version=1.7", "application/pdf", false},
        Inclusion{"another_value", "a/b;v=x", "a/b;v=X", false},
        Inclusion{"charset_in_another_case", "a/b;charset=UTF-8", "a/b;charset=utf-8", true},
        Inclusion{"a_charset_of_json", "a/b+json;charset=utf-8", "a/b+json", true},
        Inclusion{"another_parameter_of_json", "a/b+json;v=1", "a/b+json", false},
        Inclusion{"a_charset_of_text", "text/csv;charset=utf-8", "text/csv", false},
        Inclusion{"a_weight", "a/b;q=0.5", "a/b", true},
        Inclusion{"a_longer_name", "application/json", "application/jsonx", false}),
    tests::kRowNames);

struct Negotiation {
  std::string name;
  std::optional<std::string> accept;
  std::vector<std::string> offered;
  std::optional<std::size_t> chosen;

  friend void PrintTo(const Negotiation& negotiation, std::ostream* out) {
    *out << negotiation.accept.value_or("(absent)");
  }
};

class Accept : public testing::TestWithParam<Negotiation> {};

TEST_P(Accept, chooses_what_the_client_prefers) {
  std::vector<MediaType> offered;
  for (const std::string& text : GetParam().offered) {
    offered.push_back(media_type(text));
  }

  EXPECT_EQ(negotiate(GetParam().accept, offered), GetParam().chosen);
}

const std::vector<std::string> kJsonAndCsv{"application/json", "text/csv"};

INSTANTIATE_TEST_SUITE_P(
    MediaType, Accept,
    testing::Values(
        Negotiation{"absent", std::nullopt, kJsonAndCsv, 0},
        Negotiation{"empty", "", kJsonAndCsv, 0},
        Negotiation{"unreadable", "garbage", kJsonAndCsv, 0},
        Negotiation{"anything", "*/*", kJsonAndCsv, 0},
        Negotiation{"the_heavier", "application/json;q=0.1, text/csv", kJsonAndCsv, 1},
        Negotiation{"first_among_equals", "text/csv, application/json", kJsonAndCsv, 0},
        Negotiation{"not_offered", "application/xml", kJsonAndCsv, std::nullopt},
        Negotiation{"rejected", "*/*;q=0", kJsonAndCsv, std::nullopt},
        Negotiation{"closest_rules", "*/*, application/json;q=0", kJsonAndCsv, 1},
        Negotiation{"closest_by_parameter", "a/b;v=1;q=0.1, a/b;q=0.9", {"a/b;v=1", "a/b"}, 1},
        Negotiation{"three_digits", "text/csv;q=0.501, application/json;q=0.5", kJsonAndCsv, 1},
        Negotiation{"bad_weight_ignored", "text/csv;q=7, application/json;q=0.1", kJsonAndCsv, 0},
        Negotiation{"weight_above_one", "text/csv;q=1.001", {"text/csv"}, 0},
        Negotiation{"comma_in_quotes", R"(a/b;x=",text/csv,", application/json)", kJsonAndCsv, 0},
        Negotiation{"range_offered", "image/png", {"application/json", "image/*"}, 1},
        Negotiation{"browser", "text/html,application/xml;q=0.9,*/*;q=0.8", {"application/pdf"}, 0},
        Negotiation{"nothing_offered", "*/*", {}, std::nullopt}),
    tests::kRowNames);

}  // namespace

}  // namespace spec::http
