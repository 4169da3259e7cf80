// Values by a member's name, and by a format that is not asserted.

#include "spec/json/read.hpp"
#include "spec/json/value.hpp"
#include "spec/schema/generate/generator.hpp"
#include "spec/schema/generate/tests/one_schema.hpp"
#include "spec/tests/rows.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <string>
#include <utility>
#include <vector>

namespace spec::schema::generate {
namespace {

using nlohmann::json;

// An object of those members, all of them required.
json generated_with(const json& properties, std::uint64_t seed) {
  json schema = {{"type", "object"}, {"properties", properties}, {"required", json::array()}};
  for (const auto& [name, member] : properties.items()) {
    schema["required"].push_back(name);
  }
  const OneSchema one(spec::json::write(schema));
  return Generator(one.schemas).generate(one.id, {.seed = seed}).value();
}

struct Text {
  std::string name;
  std::string member;
  std::string format;  // "" for none
  std::string looks;
};

using MemberText = spec::tests::RowTest;

TEST_P(MemberText, looks_like_its_name_and_format) {
  const Text& row = GetParam();

  json member = {{"type", "string"}};
  if (!row.format.empty()) {
    member["format"] = row.format;
  }

  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const json instance = generated_with({{row.member, member}}, seed);

    EXPECT_THAT(instance[row.member].get<std::string>(), testing::MatchesRegex(row.looks));
  }
}

const std::vector<Text> kTextsMemberText = {
    {"mime_type", "mime_type", "", "[a-z]+/[a-z]+"},
    {"uuid", "uuid", "", "[0-9a-f]+-[0-9a-f]+-4[0-9a-f]+-[0-9a-f]+-[0-9a-f]+"},
    {"name", "name", "", "[A-Z][a-z]+ [a-z]+"},
    {"title", "title", "", "[A-Z][a-z]+ [a-z]+"},
    {"birth_date", "birth_date", "date", "(19[6-9]|200)[0-9]+-[0-9-]+"},
    {"decimal", "x", "decimal", "[0-9]+[.][0-9]+"},
    {"whole_number", "x", "int64", "[0-9]+"}};

INSTANTIATE_TEST_SUITE_P(Texts, MemberText, testing::ValuesIn(spec::tests::rows(kTextsMemberText)),
                         spec::tests::kRowNames);

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
    const json instance = generated_with({{GetParam().member, {{"type", "integer"}}}}, seed);

    EXPECT_GE(instance[GetParam().member].get<std::int64_t>(), GetParam().low);
    EXPECT_LE(instance[GetParam().member].get<std::int64_t>(), GetParam().high);
  }
}

INSTANTIATE_TEST_SUITE_P(Numbers, MemberNumber,
                         testing::Values(Number{"latitude", -90, 90},
                                         Number{"longitude", -180, 180}, Number{"month", 1, 12},
                                         Number{"rating", 1, 5}, Number{"hour", 0, 23}),
                         [](const auto& each) { return each.param.member; });

}  // namespace
}  // namespace spec::schema::generate
