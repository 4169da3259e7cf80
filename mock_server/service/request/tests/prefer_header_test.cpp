#include "mock_server/service/request/preferences.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace mock_server::service::request {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string> parse(std::string_view line) {
  std::vector<std::string> words;
  for (const Preference& preference : parse_preferences(line)) {
    words.push_back(preference.name + "=" + preference.value);
  }
  return words;
}

TEST(Preference, reads_one_with_a_value) {
  EXPECT_THAT(parse("code=429"), ElementsAre("code=429"));
}

TEST(Preference, reads_several_in_one_line) {
  EXPECT_THAT(parse("code=429, delay=10 ,example=dog"),
              ElementsAre("code=429", "delay=10", "example=dog"));
}

TEST(Preference, has_case_insensitive_names) {
  EXPECT_THAT(parse("Code=429"), ElementsAre("code=429"));
}

TEST(Preference, unquotes_values) {
  EXPECT_THAT(parse(R"(example="a \"b\", c", x)"), ElementsAre(R"(example=a "b", c)", "x="));
}

TEST(Preference, skips_parameters) {
  EXPECT_THAT(parse(R"(respond-async; a="b,c"; d, wait = 5)"),
              ElementsAre("respond-async=", "wait=5"));
}

TEST(Preference, skips_malformed_text_up_to_the_next_comma) {
  EXPECT_THAT(parse("=x, ;;, code=1"), ElementsAre("code=1"));
}

TEST(Preference, ends_at_an_open_quote) {
  EXPECT_THAT(parse(R"(example="abc)"), ElementsAre("example=abc"));
  EXPECT_THAT(parse(R"(example="abc\)"), ElementsAre("example=abc"));
}

TEST(Preference, is_absent_in_an_empty_header) {
  EXPECT_THAT(parse(" , ,"), IsEmpty());
}

}  // namespace
}  // namespace mock_server::service::request
