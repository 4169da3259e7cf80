#include "contract_tests/parity/fixture_changes.hpp"
#include "spec/json/read.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>

namespace contract_tests::parity {

namespace {

using nlohmann::json;

// A mock with a customer, and a history inside of a subscription.
std::optional<json> ask(const std::string& target) {
  static const std::map<std::string, std::string> replies{
      {"/_mock/operations",
       R"({"operations":[{"id":"get","played":{"behaviour":"read","collection":"customers","keys":["cus_1"]}},
           {"id":"list","played":{"behaviour":"list","collection":"subscriptions"}},
           {"id":"plain"}]})"},
      {"/_mock/records/customers/cus_1", R"({"id":"cus_1","name":"Ada","note":"mine"})"},
      {"/_mock/records/subscriptions/sub_1",
       R"({"owner":"x","history":[{"day":1,"units":[{"n":5}]},{"day":2,"units":[{"n":5}]}]})"}};
  const auto found = replies.find(target);
  return found == replies.end() ? std::nullopt
                                : std::optional(spec::json::read(found->second).value());
}

ObservedResponse seen_of(const std::string& request, int status, const std::string& body) {
  ObservedResponse seen{.request = request, .status = status};
  seen.body = spec::json::read(body).value();
  seen.normal = seen.body;
  return seen;
}

std::optional<json> record_of(const std::optional<SuggestedFix>& fix) {
  return fix ? std::optional(spec::json::read(fix->text).value()) : std::nullopt;
}

TEST(SuggestedFix, is_the_whole_record_with_the_values_of_the_service) {
  FixSuggester suggester(&ask);
  const auto mock = seen_of("GET /v1/customers/cus_1", 200, R"({"id":"cus_1","name":"Ada"})");
  const auto service =
      seen_of("GET /v1/customers/cus_1", 200, R"({"id":"cus_1","name":"Eve","since":7})");

  const auto fix =
      suggester.fix_values("get", mock, service, differences(*mock.body, *service.body));

  ASSERT_TRUE(fix);
  EXPECT_EQ(fix->file, "customers/cus_1.json");
  EXPECT_EQ(record_of(fix),
            json({{"id", "cus_1"}, {"name", "Eve"}, {"note", "mine"}, {"since", 7}}));
}

TEST(SuggestedFix, knows_which_operations_show_records_of_the_fixtures) {
  FixSuggester suggester(&ask);

  EXPECT_TRUE(suggester.is_of_fixtures("get"));
  EXPECT_FALSE(suggester.is_of_fixtures("list"));
  EXPECT_FALSE(suggester.is_of_fixtures("plain"));
  EXPECT_FALSE(FixSuggester().is_of_fixtures("get"));
}

TEST(SuggestedFix, finds_the_element_that_a_list_shows) {
  FixSuggester suggester(&ask);
  const auto mock = seen_of("GET /subscriptions/sub_1/history", 200,
                            R"({"items":[{"day":2,"units":[{"n":5}]}]})");
  const auto service = seen_of("GET /subscriptions/sub_1/history", 200,
                               R"({"items":[{"day":2,"units":[{"n":6}]}]})");

  const auto record = record_of(
      suggester.fix_values("list", mock, service, differences(*mock.body, *service.body)));

  ASSERT_TRUE(record);
  EXPECT_EQ(record->at("history").at(0).at("units").at(0).at("n"), 5);
  EXPECT_EQ(record->at("history").at(1).at("units").at(0).at("n"), 6);
}

TEST(SuggestedFix, is_nothing_where_the_value_is_in_no_record) {
  FixSuggester suggester(&ask);
  const auto mock = seen_of("GET /subscriptions/sub_1/history", 200, R"({"page":{"of":1}})");
  const auto service = seen_of("GET /subscriptions/sub_1/history", 200, R"({"page":{"of":2}})");
  const auto unlike = differences(*mock.body, *service.body);

  EXPECT_FALSE(suggester.fix_values("list", mock, service, unlike));
  EXPECT_FALSE(suggester.fix_values("plain", mock, service, unlike));
  EXPECT_FALSE(FixSuggester().fix_values("list", mock, service, unlike));
}

TEST(SuggestedFix, of_a_missing_record_is_what_the_service_shows) {
  FixSuggester suggester(&ask);

  const auto fix =
      suggester.fix_missing("get", seen_of("GET /customers/cus_2", 200, R"({"id":"cus_2"})"));

  ASSERT_TRUE(fix);
  EXPECT_EQ(fix->file, "customers/cus_2.json");
  EXPECT_EQ(record_of(fix), json({{"id", "cus_2"}}));
}

TEST(SuggestedFix, writes_no_file_that_a_key_would_lead_elsewhere) {
  FixSuggester suggester(&ask);

  EXPECT_FALSE(suggester.fix_missing("get", seen_of("GET /customers/..%2Fa", 200, "{}")));
}

TEST(SuggestedFix, of_a_surplus_record_names_it) {
  FixSuggester suggester(&ask);

  const auto fix = suggester.fix_surplus("get", seen_of("GET /customers/cus_1", 200, "{}"));

  ASSERT_TRUE(fix);
  EXPECT_EQ(*fix, (SuggestedFix{"", "remove the record cus_1 of the collection customers"}));
}

TEST(SuggestedFix, of_a_status_is_an_entry_of_the_errors) {
  ObservedResponse seen{.status = 400, .code = "INVALID_QUERY_PARAMS"};

  const auto fix = FixSuggester::fix_status(seen, 422);

  ASSERT_TRUE(fix);
  EXPECT_EQ(*fix, (SuggestedFix{"operations.yaml",
                                "errors:\n  undecodable_parameters: {status: 422}\n"}));
  EXPECT_FALSE(FixSuggester::fix_status(seen, 500));
  EXPECT_FALSE(FixSuggester::fix_status(seen, 401)) << "about the credentials";
  seen.code = "SOMETHING_ELSE";
  EXPECT_FALSE(FixSuggester::fix_status(seen, 422));
}

}  // namespace

}  // namespace contract_tests::parity
