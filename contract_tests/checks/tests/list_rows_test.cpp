// Items of a list against filters and orders: what is in, what is out, and what is left open.

#include "contract_tests/checks/list_rows.hpp"

#include "spec/tests/rows.hpp"

#include <gmock/gmock.h>

namespace contract_tests::checks {
namespace {

using nlohmann::json;
using testing::ElementsAre;
using testing::IsEmpty;

struct FitRow {
  std::string name;
  json shown;
  std::string is;
  json value;
  Fit loosely;
  Fit exactly;
};

using Fits = spec::tests::RowTest;

TEST_P(Fits, are_decided_where_all_makers_agree) {
  const FitRow& row = GetParam();
  const json item = row.shown.is_discarded() ? json::object() : json{{"a", row.shown}};

  EXPECT_EQ(fit_loosely(item, "/a", row.is, row.value, true), row.loosely);
  EXPECT_EQ(fit_exactly(item, "/a", row.is, row.value), row.exactly);
}

const json kMissing(json::value_t::discarded);

const std::vector<FitRow> kFits = {
    {"the_same", "open", "equal", "open", Fit::kIn, Fit::kIn},
    {"another", "open", "equal", "closed", Fit::kOut, Fit::kOut},
    {"another_letter_case", "Open", "equal", "open", Fit::kIn, Fit::kOut},
    {"a_part", "reopened", "equal", "open", Fit::kIn, Fit::kOut},
    {"a_number_as_text", 12, "equal", "12", Fit::kIn, Fit::kOut},
    {"a_missing_value", kMissing, "equal", "open", Fit::kUndecided, Fit::kUndecided},
    {"null", nullptr, "equal", "open", Fit::kUndecided, Fit::kUndecided},
    {"a_text_that_may_be_a_boolean", "yes", "equal", true, Fit::kUndecided, Fit::kUndecided},
    {"an_object", json{{"b", 1}}, "equal", 1, Fit::kUndecided, Fit::kUndecided},
    {"one_of_a_list", json{"red", "blue"}, "equal", "blue", Fit::kIn, Fit::kIn},
    {"none_of_a_list", json{"red", "blue"}, "equal", "green", Fit::kOut, Fit::kOut},
    {"above_a_minimum", 5, "at_least", 4, Fit::kIn, Fit::kIn},
    {"below_a_minimum", 3, "at_least", 4, Fit::kOut, Fit::kOut},
    {"at_a_minimum", 4, "at_least", 4, Fit::kIn, Fit::kIn},
    {"at_an_exclusive_bound", 4, "more_than", 4, Fit::kOut, Fit::kOut},
    {"at_a_bound_of_unknown_kind", 4, "from", 4, Fit::kUndecided, Fit::kUndecided},
    {"behind_an_upper_bound", 5, "until", 4, Fit::kOut, Fit::kOut},
    {"a_number_of_more_digits", 10, "at_most", 9, Fit::kOut, Fit::kOut},
    {"an_instant_in_another_offset", "2025-01-01T12:00:00+02:00", "at_least",
     "2025-01-01T10:30:00Z", Fit::kOut, Fit::kOut},
    {"an_instant_of_a_day", "2025-01-01T12:00:00Z", "at_most", "2025-01-01", Fit::kUndecided,
     Fit::kUndecided},
    {"texts_that_collations_differ_about", "a", "at_least", "B", Fit::kUndecided, Fit::kUndecided},
    {"a_number_against_a_text", 4, "at_least", "4", Fit::kUndecided, Fit::kUndecided},
};

INSTANTIATE_TEST_SUITE_P(Table, Fits, testing::ValuesIn(spec::tests::rows(kFits)),
                         spec::tests::kRowNames);

struct OrderRow {
  std::string name;
  Items values;
  bool descending;
  std::optional<std::size_t> wrong;
};

using RowOrders = spec::tests::RowTest;

TEST_P(RowOrders, are_wrong_where_every_maker_says_so) {
  const OrderRow& row = GetParam();
  Items items;
  for (const auto& value : row.values) {
    items.push_back(json{{"a", value}});
  }

  EXPECT_EQ(first_out_of_order(items, "/a", row.descending), row.wrong);
}

const std::vector<OrderRow> kOrders = {
    {"no_items", {}, false, std::nullopt},
    {"rising_numbers", {3, 9, 10}, false, std::nullopt},
    {"numbers_as_texts", {10, 3, 9}, false, 0},
    {"falling_numbers", {10, 9, 3}, true, std::nullopt},
    {"equal_values", {4, 4, 4}, true, std::nullopt},
    {"rising_where_falling_was_asked", {3, 9}, true, 0},
    {"texts", {"ant", "bee", "asp"}, false, 1},
    {"letter_cases", {"ant", "Bee"}, false, std::nullopt},
    {"letters_beyond_ascii", {"zebra", "\xC3\xA4rmel"}, false, std::nullopt},
    {"digits_in_texts", {"10", "9"}, false, std::nullopt},
    {"null_between", {3, nullptr, 1}, false, std::nullopt},
    {"instants", {"2025-01-02T00:00:00Z", "2025-01-01T00:00:00Z"}, false, 0},
};

INSTANTIATE_TEST_SUITE_P(Table, RowOrders, testing::ValuesIn(spec::tests::rows(kOrders)),
                         spec::tests::kRowNames);

const Items kSome{json{{"a", "x"}, {"n", 1}}, json{{"a", "y"}, {"n", 7}},
                  json{{"a", "x"}, {"n", 3}}, json{{"a", "a,b"}, {"n", 9}}};

TEST(ValuesOfFilters, are_those_that_some_items_have_and_others_have_not) {
  EXPECT_THAT(filter_values(kSome, "/a", "equal", {}), ElementsAre("x", "y"));
  EXPECT_THAT(filter_values(kSome, "/a", "equal", {"y", "z"}), ElementsAre("x", "y", "z"));
  EXPECT_THAT(filter_values(kSome, "/none", "equal", {}), IsEmpty());
}

TEST(ValuesOfFilters, are_bounds_in_the_middle) {
  EXPECT_THAT(filter_values(kSome, "/n", "at_least", {}), ElementsAre(7, 9));
  EXPECT_THAT(filter_values(kSome, "/n", "at_most", {}), ElementsAre(3, 7));
}

TEST(TextsOfAnItem, are_also_those_one_level_below) {
  EXPECT_THAT(texts_of(json{{"id", 1}, {"name", "Otter"}, {"attributes", {{"city", "Lund"}}}}),
              ElementsAre("Lund", "Otter"));
}

}  // namespace
}  // namespace contract_tests::checks
