// Checks of lists and records: pages, filters, changes.

#include "contract_tests/checks/json_places.hpp"
#include "contract_tests/checks/list_items.hpp"
#include "contract_tests/checks/tests/of_rule.hpp"

#include <gmock/gmock.h>

namespace contract_tests::checks {
namespace {

using nlohmann::json;
using testing::ElementsAre;
using testing::IsEmpty;

Items numbers(int first, int last) {
  Items items;
  for (int number = first; number <= last; ++number) {
    items.emplace_back(number);
  }
  return items;
}

TEST(PageSize, is_exact_where_there_are_enough_items) {
  EXPECT_THAT(check_page_size(10, 10, 250, "paging/size"), IsEmpty());
  EXPECT_THAT(check_page_size(3, 10, 3, "paging/size"), IsEmpty());
  EXPECT_THAT(check_page_size(3, 10, std::nullopt, "paging/size"), IsEmpty());
  EXPECT_THAT(check_page_size(50, 100, 250, "paging/size"), ElementsAre(of_rule("paging/size")));
  EXPECT_THAT(check_page_size(11, 10, std::nullopt, "r"), ElementsAre(of_rule("r")));
}

TEST(Walk, may_not_repeat_a_page_or_be_short_before_its_end) {
  EXPECT_THAT(check_walk({2, {numbers(1, 2), numbers(3, 3), {}}, true}), IsEmpty());
  EXPECT_THAT(check_walk({2, {numbers(1, 2), numbers(1, 2)}, false}),
              ElementsAre(of_rule("paging/number-ignored")));
  EXPECT_THAT(check_walk({3, {numbers(1, 2), numbers(1, 2)}, false}),
              ElementsAre(of_rule("paging/past-the-end")));
  EXPECT_THAT(check_walk({2, {numbers(1, 1), numbers(2, 3), {}}, true}),
              ElementsAre(of_rule("paging/short-page")));
}

TEST(Walks, of_two_sizes_are_the_same_list) {
  const Walk small{2, {numbers(1, 2), numbers(3, 4), {}}, true};
  const Walk repeated{2, {numbers(1, 2), numbers(2, 4), {}}, true};
  const Walk turned{4, {Items{4, 3, 2, 1}, {}}, true};

  EXPECT_THAT(compare_walks(small, {4, {numbers(1, 4), {}}, true}), IsEmpty());
  EXPECT_THAT(compare_walks(repeated, {4, {numbers(1, 4), {}}, true}),
              ElementsAre(of_rule("paging/partition")));
  EXPECT_THAT(compare_walks(small, turned), ElementsAre(of_rule("paging/order")));
}

json period(const std::string& from, const std::string& to) {
  return {{"from", from + "T00:00:00Z"}, {"to", to + "T00:00:00Z"}};
}

const ItemTimes kTimes{"/from", "/to"};
const Items kPeriods{period("2024-01-01", "2024-01-02"), period("2024-01-02", "2024-01-03"),
                     period("2024-01-03", "2024-01-04")};

TEST(Filters, must_include_items_at_the_bound) {
  const Window window{spec::time::parse_date_time("2024-01-02T00:00:00Z"), {}};

  EXPECT_THAT(check_inclusive(kPeriods, {kPeriods[1], kPeriods[2]}, kTimes, window), IsEmpty());
  EXPECT_THAT(check_inclusive(kPeriods, {kPeriods[2]}, kTimes, window),
              ElementsAre(of_rule("filter/inclusive")));
}

TEST(Filters, may_include_overlapping_items_but_none_from_outside) {
  const Window window{spec::time::parse_date_time("2024-01-02T12:00:00Z"), {}};

  EXPECT_THAT(check_leak({kPeriods[1], kPeriods[2]}, kTimes, window), IsEmpty());
  EXPECT_THAT(check_leak(kPeriods, kTimes, window), ElementsAre(of_rule("filter/ignored")));
}

TEST(Members, are_exactly_the_requested_ones) {
  const MemberRule rule{"/meters", "/id", "a"};
  const json both{{"n", 1}, {"meters", {{{"id", "a"}}, {{"id", "b"}}}}};
  const json only{{"n", 1}, {"meters", {{{"id", "a"}}}}};

  EXPECT_THAT(check_member_only({only}, rule), IsEmpty());
  EXPECT_THAT(check_member_only({both}, rule), ElementsAre(of_rule("filter/member")));
  EXPECT_THAT(check_member_complete({both}, {only}, rule), IsEmpty());
  EXPECT_THAT(check_member_complete({both}, {}, rule),
              ElementsAre(of_rule("filter/member-complete")));
}

TEST(Changes, name_the_member_that_changed) {
  const json before{{"a", 1}, {"b", nullptr}, {"c", "x"}};
  const json after{{"a", 1.0}, {"c", "y"}};

  const auto violations = check_unchanged(before, after, {}, "update/others");

  ASSERT_EQ(violations.size(), 1U);
  EXPECT_EQ(violations[0].place, "body/c");
  EXPECT_THAT(check_unchanged(before, after, {"/c"}, "update/others"), IsEmpty());
}

TEST(Changes, may_be_trimmed_but_not_lost) {
  const json record{{"name", "New Name"}};

  EXPECT_THAT(check_value(record, "/name", "New Name", "update/echo"), IsEmpty());
  EXPECT_THAT(check_value(record, "/name", " new name ", "update/echo"),
              ElementsAre(of_rule("update/normalised")));
  EXPECT_THAT(check_value(record, "/name", "Other", "update/echo"),
              ElementsAre(of_rule("update/echo")));
}

TEST(Text, may_lose_rare_characters_but_not_change_otherwise) {
  const json wanted = "Atlas < 日本 > & \"x\" 🚀 end";
  const auto kept = [&wanted](const char* text) {
    return check_text({{"name", text}}, "/name", wanted, "update/echo");
  };

  EXPECT_THAT(kept("Atlas < 日本 > & \"x\" 🚀 end"), IsEmpty());
  EXPECT_THAT(kept("Atlas  日本  x  end"), ElementsAre(of_rule("update/normalised")));
  EXPECT_THAT(kept("Atlas &lt; 日本 &gt; &amp; &quot;x&quot; 🚀 end"),
              ElementsAre(of_rule("update/echo")));
  EXPECT_THAT(kept("Atlas < ?? > & \"x\" 🚀 end"), ElementsAre(of_rule("update/echo")));
  EXPECT_THAT(kept("Atlas < 日本 > & \"x\""), ElementsAre(of_rule("update/echo")));
}

TEST(Members, are_counted_where_a_page_was_cut_before_it_was_filtered) {
  const Items items =
      json::parse(R"([{"m": [{"id": "a"}, {"id": "b"}]}, {"m": []}, {"m": [{"id": "a"}]}])");

  EXPECT_EQ(count_members(items, {"/m", "/id", "a"}), 2U);
  EXPECT_EQ(count_common(items, {items.at(1)}), 1U);
}

}  // namespace
}  // namespace contract_tests::checks
