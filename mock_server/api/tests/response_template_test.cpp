// Values of responses that are made for each call; stories have how they are loaded.

#include "mock_server/api/response_template.hpp"

#include "mock_server/state/session_store.hpp"

#include <gtest/gtest.h>

namespace mock_server::api {
namespace {

using Form = TemplateValue::Form;
using Making = TemplateValue::Kind;
using nlohmann::json;

struct ResponseTemplateTest : testing::Test {
  state::Store store;
  std::shared_ptr<state::Session> session = store.session("");
  spec::contract::RequestReading request;

  json filled(std::vector<TemplateValue> values, json body, std::uint64_t seed = 1) const {
    spec::http::Response response;
    response.body = body.dump();
    fill({std::move(body), std::move(values)}, {request}, *session, seed, response);
    return json::parse(response.body);
  }
};

TemplateValue value_of(Making kind, std::string name, std::string member) {
  TemplateValue value;
  value.kind = kind;
  value.name = std::move(name);
  value.at = {std::move(member)};
  return value;
}

TEST_F(ResponseTemplateTest, counters_go_on_each_for_itself) {
  const std::vector values{value_of(Making::kNext, "a", "0"), value_of(Making::kNext, "a", "1"),
                           value_of(Making::kNext, "b", "2")};

  EXPECT_EQ(filled(values, {0, 0, 0}), json({1, 2, 1}));
  EXPECT_EQ(filled(values, {0, 0, 0}), json({3, 4, 2}));
}

TEST_F(ResponseTemplateTest, what_is_drawn_depends_on_seed_and_call_alone) {
  const std::vector values{value_of(Making::kRandom, "uuid", "0"),
                           value_of(Making::kRandom, "uuid", "1")};
  const json first = filled(values, {0, 0});
  const json later = filled(values, {0, 0});
  session->replace({});

  EXPECT_NE(first.at(0), first.at(1));
  EXPECT_NE(first, later);
  EXPECT_EQ(filled(values, {0, 0}), first);
  session->replace({});
  EXPECT_NE(filled(values, {0, 0}, 2), first);
}

TEST_F(ResponseTemplateTest, times_are_the_sessions_in_the_form_that_is_wanted) {
  const auto is_set =
      session->set_clock(0, {{}, state::TimePoint{std::chrono::seconds(1'767'225'600)}});
  auto text = value_of(Making::kNow, "", "0");
  auto date = value_of(Making::kNow, "", "1");
  date.form = Form::kDate;
  date.later = std::chrono::hours(-1);
  auto seconds = value_of(Making::kNow, "", "2");
  seconds.form = Form::kSeconds;
  seconds.later = std::chrono::hours(1);

  EXPECT_EQ(is_set, state::Put::kDone);
  EXPECT_EQ(filled({text, date, seconds}, {0, 0, 0}),
            json({"2026-01-01T00:00:00.000000Z", "2025-12-31", 1'767'229'200}));
}

TEST_F(ResponseTemplateTest, what_the_request_lacks_is_left_out) {
  request.query = {{"q", 7}};
  auto given = value_of(Making::kFrom, "", "q");
  given.from = parse_place("/query/q").value();
  given.form = Form::kText;
  auto missing = value_of(Making::kFrom, "", "x");
  missing.from = parse_place("/query/x").value();

  EXPECT_EQ(filled({given, missing}, {{"q", 0}, {"x", 0}}), json({{"q", "7"}}));
}

TEST(AsLiteral, protects_what_would_be_a_template) {
  EXPECT_EQ(as_literal({{"links", {{"next", "b"}}}, {"at", {{"from", 1}, {"to", 2}}}}),
            json({{"links", {{"literal", {{"next", "b"}}}}}, {"at", {{"from", 1}, {"to", 2}}}}));
}

}  // namespace
}  // namespace mock_server::api
