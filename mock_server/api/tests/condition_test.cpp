#include "mock_server/api/condition.hpp"

#include <gtest/gtest.h>

namespace mock_server::api {
namespace {

using Kind = Condition::Kind;
using nlohmann::json;
using std::chrono::seconds;

// 2026-01-01T00:00:00Z
constexpr state::TimePoint kNow{seconds(1'767'225'600)};

struct ConditionTest : testing::Test {
  spec::contract::RequestReading request;
  json record = json::object();

  bool check(const Condition& condition) const {
    return holds(condition, {request, &record}, kNow);
  }

  bool check(Kind kind, std::string_view at) const {
    return check(Condition{kind, parse_place(at).value(), {}, {}});
  }

  bool check(Kind kind, std::string_view at, std::string_view other) const {
    return check(Condition{kind, parse_place(at).value(), parse_place(other).value(), {}});
  }

  bool equals(std::string_view at, json value) const {
    return check(Condition{Kind::kEquals, parse_place(at).value(), {}, std::move(value)});
  }
};

TEST_F(ConditionTest, equals_compares_as_json_schema_does) {
  request.query = {{"size", 1}};

  EXPECT_TRUE(equals("/query/size", 1));
  EXPECT_TRUE(equals("/query/size", 1.0));
  EXPECT_FALSE(equals("/query/size", "1"));
  EXPECT_FALSE(equals("/query/other", nullptr));
}

TEST_F(ConditionTest, equals_at_needs_both_values) {
  record = {{"brand_id", "a"}, {"business_id", "a"}, {"name", "b"}};

  EXPECT_TRUE(check(Kind::kEqualsAt, "/record/brand_id", "/record/business_id"));
  EXPECT_FALSE(check(Kind::kEqualsAt, "/record/brand_id", "/record/name"));
  EXPECT_FALSE(check(Kind::kEqualsAt, "/record/x", "/record/y"));
}

TEST_F(ConditionTest, null_is_absent) {
  request.body = json::parse(R"({"given": "x", "nothing": null})");

  EXPECT_TRUE(check(Kind::kExists, "/body/given"));
  EXPECT_FALSE(check(Kind::kExists, "/body/nothing"));
  EXPECT_TRUE(check(Kind::kAbsent, "/body/nothing"));
  EXPECT_TRUE(check(Kind::kAbsent, "/body/other"));
  EXPECT_FALSE(check(Kind::kAbsent, "/body/given"));
}

TEST_F(ConditionTest, a_missing_record_is_absent) {
  EXPECT_FALSE(check(Kind::kAbsent, "/record"));
  EXPECT_TRUE(holds({Kind::kAbsent, parse_place("/record").value(), {}, {}}, {request}, kNow));
}

TEST_F(ConditionTest, now_itself_is_past) {
  record = {{"now", "2026-01-01T00:00:00Z"},
            {"before", "2025-12-31T23:59:59.999999999Z"},
            {"after", "2026-01-01T00:00:00.000000001Z"},
            {"elsewhere", "2026-01-01T01:00:00+01:00"},
            {"text", "soon"}};

  EXPECT_TRUE(check(Kind::kBeforeNow, "/record/now"));
  EXPECT_TRUE(check(Kind::kBeforeNow, "/record/before"));
  EXPECT_TRUE(check(Kind::kBeforeNow, "/record/elsewhere"));
  EXPECT_FALSE(check(Kind::kBeforeNow, "/record/after"));
  EXPECT_TRUE(check(Kind::kAfterNow, "/record/after"));
  EXPECT_FALSE(check(Kind::kAfterNow, "/record/now"));
  EXPECT_FALSE(check(Kind::kBeforeNow, "/record/text"));
  EXPECT_FALSE(check(Kind::kAfterNow, "/record/text"));
}

TEST_F(ConditionTest, after_at_compares_instants_whatever_their_offsets) {
  request.query = {{"start", "2026-01-01T00:00:00+02:00"}, {"end", "2025-12-31T21:00:00Z"}};

  EXPECT_TRUE(check(Kind::kAfterAt, "/query/start", "/query/end"));
  EXPECT_FALSE(check(Kind::kAfterAt, "/query/end", "/query/start"));
  EXPECT_FALSE(check(Kind::kAfterAt, "/query/start", "/query/start"));
  EXPECT_FALSE(check(Kind::kAfterAt, "/query/start", "/query/other"));
}

TEST_F(ConditionTest, among_looks_in_arrays_and_in_the_keys_of_objects) {
  request.body = json::parse(R"({"instance": "lki_1", "number": 2})");
  record = {{"list", {"lki_0", "lki_1"}},
            {"map", {{"lki_1", json::object()}}},
            {"numbers", {1, 2.0}},
            {"text", "lki_1"}};

  EXPECT_TRUE(check(Kind::kAmong, "/body/instance", "/record/list"));
  EXPECT_TRUE(check(Kind::kAmong, "/body/instance", "/record/map"));
  EXPECT_TRUE(check(Kind::kAmong, "/body/number", "/record/numbers"));
  EXPECT_FALSE(check(Kind::kAmong, "/body/number", "/record/map"));
  EXPECT_FALSE(check(Kind::kAmong, "/body/instance", "/record/text"));
  EXPECT_FALSE(check(Kind::kAmong, "/body/instance", "/record/none"));
}

TEST_F(ConditionTest, a_list_holds_if_all_its_conditions_hold) {
  record = {{"a", 1}};
  const Condition yes{Kind::kExists, parse_place("/record/a").value(), {}, {}};
  const Condition no{Kind::kExists, parse_place("/record/b").value(), {}, {}};

  EXPECT_TRUE(holds(std::vector<Condition>{}, {request, &record}, kNow));
  EXPECT_TRUE(holds(std::vector{yes, yes}, {request, &record}, kNow));
  EXPECT_FALSE(holds(std::vector{yes, no}, {request, &record}, kNow));
}

TEST(Place, gives_the_value_at_a_pointer) {
  spec::contract::RequestReading request;
  request.body = json::parse(R"({"a/b": [10, 20]})");

  EXPECT_EQ(*find(parse_place("/body/a~1b/1").value(), {request}), 20);
  EXPECT_EQ(find(parse_place("/body/a~1b/2").value(), {request}), nullptr);
  EXPECT_EQ(find(parse_place("/body/a~1b/01").value(), {request}), nullptr);
  EXPECT_EQ(find(parse_place("/body/a~1b/1/x").value(), {request}), nullptr);
}

TEST(Place, rejects_a_text_that_is_not_a_place) {
  EXPECT_FALSE(parse_place(""));
  EXPECT_FALSE(parse_place("body/a"));
  EXPECT_FALSE(parse_place("/bodies/a"));
  EXPECT_FALSE(parse_place("/body/~2"));
}

// A condition on /query/value with another value to compare with.
struct Comparing {
  const char* name;
  Kind kind;
  json value;
  json with;
  bool expected;
};

void PrintTo(const Comparing& row, std::ostream* out) {
  *out << row.name;
}

struct Compared : testing::TestWithParam<Comparing> {};

TEST_P(Compared, decides) {
  const auto& row = GetParam();
  spec::contract::RequestReading request;
  request.query = {{"value", row.value}};
  Condition condition{row.kind, parse_place("/query/value").value(), {}, row.with};
  if (row.kind == Kind::kMatches) {
    auto pattern = spec::schema::patterns::Pattern::compile(row.with.get<std::string>());
    condition.pattern =
        std::make_shared<const spec::schema::patterns::Pattern>(std::move(pattern.value()));
  }

  EXPECT_EQ(holds(condition, {request}, kNow), row.expected);
}

INSTANTIATE_TEST_SUITE_P(
    ConditionTest, Compared,
    testing::Values(Comparing{"a_text_has_a_part", Kind::kContains, "a big box", "big", true},
                    Comparing{"a_text_lacks_a_part", Kind::kContains, "a box", "Box", false},
                    Comparing{"a_list_has_an_element", Kind::kContains, {1, 2}, 2.0, true},
                    Comparing{
                        "a_list_is_not_searched_in_its_texts", Kind::kContains, {"ab"}, "a", false},
                    Comparing{"a_number_contains_nothing", Kind::kContains, 12, 1, false},
                    Comparing{"a_pattern_is_searched", Kind::kMatches, "cus_12", "\\d{2}$", true},
                    Comparing{"a_pattern_is_not_there", Kind::kMatches, "cus_1x", "^\\d", false},
                    Comparing{"a_number_matches_no_pattern", Kind::kMatches, 12, "1", false},
                    Comparing{"less_than_a_number", Kind::kLess, 1, 1.5, true},
                    Comparing{"not_less_than_itself", Kind::kLess, 2, 2, false},
                    Comparing{"greater_than_a_number", Kind::kGreater, 100, 99.5, true},
                    Comparing{"a_text_is_no_number", Kind::kGreater, "100", 99, false},
                    Comparing{"an_earlier_instant", Kind::kLess, "2026-01-01T00:30:00+01:00",
                              "2026-01-01T00:00:00Z", true},
                    Comparing{"a_later_instant", Kind::kGreater, "2026-01-01T00:00:01Z",
                              "2026-01-01T00:00:00Z", true}),
    [](const auto& info) { return std::string(info.param.name); });

TEST_F(ConditionTest, any_and_not_have_conditions_of_their_own) {
  request.query = {{"page", 2}};
  Condition first{Kind::kEquals, parse_place("/query/page").value(), {}, 1};
  first.text = "/query/page equals 1";
  Condition second = first;
  second.value = 2;
  second.text = "/query/page equals 2";
  Condition any{Kind::kAny, {}, {}, {}};
  any.parts = {first, second};
  Condition none{Kind::kNot, {}, {}, {}};
  none.parts = {first};
  none.text = "not /query/page equals 1";

  EXPECT_TRUE(check(any));
  EXPECT_TRUE(check(none));
  EXPECT_FALSE(check(first));
  EXPECT_EQ(because({any, none}, {request, &record}, kNow),
            ", because /query/page equals 2 and not /query/page equals 1");
}

}  // namespace
}  // namespace mock_server::api
