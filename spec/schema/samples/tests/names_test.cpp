// What a member's name and a format that nobody asserts say of its value.

#include "spec/json/read.hpp"
#include "spec/json/value.hpp"
#include "spec/schema/samples/sampler.hpp"
#include "spec/schema/samples/tests/one_schema.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <string>
#include <utility>
#include <vector>

namespace spec::schema::samples {
namespace {

using nlohmann::json;

// An object of those members, all of them required.
json sample_with(const json& properties, std::uint64_t seed) {
  json schema = {{"type", "object"}, {"properties", properties}, {"required", json::array()}};
  for (const auto& [name, member] : properties.items()) {
    schema["required"].push_back(name);
  }
  const OneSchema one(spec::json::write(schema));
  return Sampler(one.schemas).sample(one.id, {.seed = seed}).value();
}

struct Text {
  std::string name;
  std::string member;
  std::string format;  // "" for none
  std::string looks;
};

void PrintTo(const Text& test, std::ostream* out) {
  *out << test.member << ' ' << test.format;
}

class MemberText : public testing::TestWithParam<Text> {};

TEST_P(MemberText, looks_like_what_is_said_of_it) {
  json member = {{"type", "string"}};
  if (!GetParam().format.empty()) {
    member["format"] = GetParam().format;
  }

  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const json sample = sample_with({{GetParam().member, member}}, seed);

    EXPECT_THAT(sample[GetParam().member].get<std::string>(),
                testing::MatchesRegex(GetParam().looks));
  }
}

INSTANTIATE_TEST_SUITE_P(
    Texts, MemberText,
    testing::Values(Text{"mime_type", "mime_type", "", "[a-z]+/[a-z]+"},
                    Text{"uuid", "uuid", "", "[0-9a-f]+-[0-9a-f]+-4[0-9a-f]+-[0-9a-f]+-[0-9a-f]+"},
                    Text{"iban", "iban", "", "NL[0-9][0-9]SAMP[0-9]+"},
                    Text{"file_name", "file_name", "", "[a-z]+[.]pdf"},
                    Text{"title", "title", "", "[A-Z][a-z]+ [a-z]+"},
                    Text{"birth_date", "birth_date", "date", "(19[6-9]|200)[0-9]+-[0-9-]+"},
                    Text{"http_date", "x", "http-date",
                         "[A-Z][a-z][a-z], [0-9]+ [A-Z][a-z]+ 20[0-9]+ [0-9:]+ GMT"},
                    Text{"decimal", "x", "decimal", "[0-9]+[.][0-9]+"},
                    Text{"semver", "x", "semver", "[0-9][.][0-9][.][0-9]"},
                    Text{"country_code", "x", "country-code", "[A-Z][A-Z]"},
                    Text{"mac", "x", "mac", "02:[0-9a-f:]+"}),
    [](const auto& each) { return each.param.name; });

struct Number {
  std::string member;
  std::int64_t low;
  std::int64_t high;
};

void PrintTo(const Number& test, std::ostream* out) {
  *out << test.member;
}

class MemberNumber : public testing::TestWithParam<Number> {};

TEST_P(MemberNumber, lies_where_such_numbers_do) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const json sample = sample_with({{GetParam().member, {{"type", "integer"}}}}, seed);

    EXPECT_GE(sample[GetParam().member].get<std::int64_t>(), GetParam().low);
    EXPECT_LE(sample[GetParam().member].get<std::int64_t>(), GetParam().high);
  }
}

INSTANTIATE_TEST_SUITE_P(Numbers, MemberNumber,
                         testing::Values(Number{"latitude", -90, 90},
                                         Number{"longitude", -180, 180}, Number{"month", 1, 12},
                                         Number{"rating", 1, 5}, Number{"hour", 0, 23}),
                         [](const auto& each) { return each.param.member; });

const json kText = {{"type", "string"}};

TEST(MemberNames, a_thing_is_not_called_like_a_person) {
  const json thing = sample_with({{"name", kText}, {"unit", kText}}, 3);
  const json person = sample_with({{"name", kText}, {"email", kText}}, 3);

  EXPECT_THAT(thing["name"].get<std::string>(), testing::MatchesRegex("[a-z]+ [a-z]+"));
  EXPECT_THAT(person["name"].get<std::string>(), testing::MatchesRegex("[A-Z].* [A-Z].*"));
}

TEST(MemberNames, places_of_one_sample_agree) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const json sample = sample_with(
        {{"country", kText}, {"country_code", kText}, {"zip", kText}, {"postal_code", kText}},
        seed);

    EXPECT_EQ(sample["country"], sample["country_code"]);
    EXPECT_EQ(sample["zip"], sample["postal_code"]);
  }
}

// Checked as ISO 13616 has it: country and check digits to the end, letters as numbers, mod 97
// is 1.
TEST(MemberNames, account_numbers_have_right_check_digits) {
  const std::string iban = sample_with({{"iban", kText}}, 1)["iban"];
  const std::string digits = "28102225" + iban.substr(8) + "2321" + iban.substr(2, 2);
  int rest = 0;
  for (const char digit : digits) {
    rest = (rest * 10 + (digit - '0')) % 97;
  }

  EXPECT_EQ(rest, 1);
}

}  // namespace
}  // namespace spec::schema::samples
