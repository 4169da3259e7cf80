#include "contract_tests/parity/fixture_changes.hpp"
#include "spec/tests/rows.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace contract_tests::parity {

namespace {

using nlohmann::json;
using testing::ElementsAreArray;

struct ValuesRow {
  std::string name;
  json mock;
  json service;
  std::vector<std::string> places;
};

const std::vector<ValuesRow> kValues{
    {"equal_numbers", {{"a", 1}}, {{"a", 1.0}}, {}},
    {"another_value", {{"a", 1}}, {{"a", 2}}, {"/a"}},
    {"a_member_less", {{"a", 1}}, json::object(), {"/a"}},
    {"a_member_more", json::object(), {{"a/b", 1}}, {"/a~1b"}},
    {"inside_a_list", {{"a", {1, 2}}}, {{"a", {1, 3}}}, {"/a/1"}},
    {"lists_of_other_lengths", {{"a", {1, 2}}}, {{"a", {1}}}, {"/a"}},
    {"null_and_absent", {{"a", nullptr}}, json::object(), {"/a"}},
    {"another_type", 1, "1", {""}},
    {"a_replaced_mail", {{"a", "b@c.d"}}, {{"a", "redacted-62536bb6f8c9@example.com"}}, {}},
    {"a_replaced_text_alone", json::object(), {{"a", "redacted-62536bb6f8c9"}}, {}},
    {"no_replacement", {{"a", "b"}}, {{"a", "redacted-62536"}}, {"/a"}},
};

using Values = spec::tests::RowTest;

TEST_P(Values, differ_at_these_places) {
  const ValuesRow& row = GetParam();

  std::vector<std::string> places;
  for (const auto& difference : differences(row.mock, row.service)) {
    places.push_back(difference.pointer);
  }

  EXPECT_THAT(places, ElementsAreArray(row.places));
}

INSTANTIATE_TEST_SUITE_P(Table, Values, testing::ValuesIn(spec::tests::rows(kValues)),
                         spec::tests::kRowNames);

TEST(Differences, are_twenty_at_most) {
  json one;
  for (int index = 0; index < 50; ++index) {
    one["a" + std::to_string(index)] = index;
  }

  EXPECT_EQ(differences(one, json::object()).size(), 20U);
}

TEST(Differences, end_at_a_depth) {
  json one = 1;
  json other = 2;
  for (int level = 0; level < 500; ++level) {
    one = json::array({std::move(one)});
    other = json::array({std::move(other)});
  }

  EXPECT_EQ(differences(one, other).size(), 1U);
}

}  // namespace

}  // namespace contract_tests::parity
