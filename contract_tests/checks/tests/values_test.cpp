// Checks of single values: decimals, dates, names, JSON as text.

#include "contract_tests/checks/documented_members.hpp"
#include "contract_tests/checks/finding.hpp"
#include "contract_tests/checks/response_rules.hpp"
#include "contract_tests/checks/response_validation.hpp"
#include "contract_tests/checks/tests/of_rule.hpp"
#include "contract_tests/checks/wire.hpp"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

namespace contract_tests::checks {
namespace {

using nlohmann::json;
using testing::ElementsAre;
using testing::IsEmpty;

TEST(DecimalSum, is_exact_and_never_below_zero) {
  EXPECT_EQ(is_difference("38210", "48210", "10000"), true);
  EXPECT_EQ(is_difference("112.75", "612.75", "500"), true);
  EXPECT_EQ(is_difference("0.00", "5", "10"), true);
  EXPECT_EQ(is_difference("0.3", "0.1", "0.2"), false);
  EXPECT_EQ(is_difference("99999999999999999999.1", "100000000000000000000.1", "1"), true);
  EXPECT_EQ(is_difference("1", "-5", "2"), std::nullopt);
}

TEST(InexactDecimal, is_distinguished_from_an_exact_one) {
  EXPECT_TRUE(is_inexact_decimal("0.1000000000000000055"));
  EXPECT_TRUE(is_inexact_decimal("0.2000000000000000111"));
  EXPECT_FALSE(is_inexact_decimal("0.1"));
  EXPECT_FALSE(is_inexact_decimal("12345678901234567890"));
  EXPECT_FALSE(is_inexact_decimal("0.12345678901234567"));
  EXPECT_FALSE(is_inexact_decimal("abc"));
}

TEST(NearMiss, distinguishes_another_spelling_from_another_word) {
  EXPECT_TRUE(is_near_miss("customerId", "customer_id"));
  EXPECT_TRUE(is_near_miss("phone_no", "phone_number"));
  EXPECT_TRUE(is_near_miss("metdata", "metadata"));
  EXPECT_FALSE(is_near_miss("phone_number_verified", "phone_number"));
  EXPECT_FALSE(is_near_miss("uri", "url"));
  EXPECT_FALSE(is_near_miss("archived_at", "created_at"));
}

RuleViolations text_violations(std::string_view body) {
  json value;
  return check_json_text(body, value);
}

TEST(JsonText, names_what_is_wrong_with_it) {
  EXPECT_THAT(text_violations("{}"), IsEmpty());
  EXPECT_THAT(text_violations("\xEF\xBB\xBF{}"), ElementsAre(of_rule("json/bom")));
  EXPECT_THAT(text_violations("{\"a\":\"\xE9\"}"), ElementsAre(of_rule("json/encoding")));
  EXPECT_THAT(text_violations(std::string_view("{\0}\0", 4)),
              ElementsAre(of_rule("json/encoding")));
  EXPECT_THAT(text_violations("{\"a\":1,\"a\":2}"), ElementsAre(of_rule("json/text")));
  EXPECT_THAT(text_violations("[\"\\ud800\"]"), ElementsAre(of_rule("json/surrogate")));
  EXPECT_THAT(text_violations("[\"\\ud83d\\ude00\"]"), IsEmpty());
}

TEST(JsonText, is_not_wrong_for_being_nested_as_deep_as_what_was_sent) {
  json value = json::value_t::discarded;
  const auto nested = [](std::size_t levels) {
    return std::string(levels, '[') + std::string(levels, ']');
  };

  EXPECT_THAT(check_json_text(nested(50'000), value, nested(200)), IsEmpty());
  EXPECT_TRUE(value.is_discarded());
  EXPECT_THAT(check_json_text(nested(50'000), value, nested(100)),
              ElementsAre(of_rule("json/text")));
  EXPECT_THAT(text_violations(nested(50'000) + ']'), ElementsAre(of_rule("json/text")));
}

TEST(ResponseRules, have_the_place_and_the_clause_of_the_rule) {
  const std::vector<ResponseRule> rules{
      {.rule = "response/unique", .at = "/items/*/meters", .clause = "§2", .key = "/id"},
      {.rule = "response/ordered", .at = "/items/*", .clause = "§3", .from = "/from", .to = "/to"}};
  const json body = json::parse(R"({"items": [
    {"from": "2024-01-01T00:00:00Z", "to": "2024-01-01T01:00:00+02:00", "meters": []},
    {"meters": [{"id": "a"}, {"id": "b"}, {"id": "a"}]}]})");

  const auto violations = check_response_rules(rules, body, {});

  ASSERT_EQ(violations.size(), 2U);
  EXPECT_EQ(violations[0].place, "body/items/1/meters/2/id");
  EXPECT_EQ(violations[0].clause, "§2");
  EXPECT_EQ(violations[1].rule, "response/ordered");
  EXPECT_EQ(violations[1].place, "body/items/0/from");
}

TEST(ResponseRules, take_a_number_for_the_identifier_that_its_text_is) {
  const std::vector<ResponseRule> rules{
      {.rule = "response/same-as-path", .at = "/id", .clause = "c", .path = "id"}};
  const auto violations_of = [&](const json& id, const std::string& path) {
    return check_response_rules(rules, {{"id", id}}, {{"id", path}}).size();
  };

  EXPECT_EQ(violations_of(809, "809"), 0U);
  EXPECT_EQ(violations_of("809", "809"), 0U);
  EXPECT_EQ(violations_of(810, "809"), 1U);
  EXPECT_EQ(violations_of(809, "a"), 1U);
  EXPECT_EQ(violations_of(true, "true"), 1U);
  EXPECT_EQ(violations_of(nullptr, "null"), 1U);
}

TEST(Fingerprint, is_the_same_when_elements_and_messages_change) {
  Finding one;
  one.operation = "GET /a";
  one.rule = "schema/type";
  one.place = "body/items/3/id";
  Finding other = one;
  other.place = "body/items/14/id";
  other.message = "in other words";
  Finding elsewhere = one;
  elsewhere.place = "body/items/3/name";

  EXPECT_EQ(fingerprint(one), fingerprint(other));
  EXPECT_NE(fingerprint(one), fingerprint(elsewhere));
}

// One property that is known to be missing does not hide another.
TEST(Fingerprint, has_the_property_that_is_missing) {
  Finding one;
  one.rule = "schema/required";
  one.place = "body";
  one.message.property = "email";
  auto other = one;
  other.message.property = "name";

  EXPECT_NE(fingerprint(one), fingerprint(other));
  EXPECT_NE(key_of(one, KeyScope::kViolation), key_of(other, KeyScope::kViolation));
}

// One known response of a status does not hide another.
TEST(Fingerprint, of_a_status_has_the_status_and_the_part_of_the_request_that_was_changed) {
  Finding one;
  one.operation = "GET /a";
  one.rule = "generated/accepted";
  one.place = "status";
  one.status = 400;
  one.changed = {"query", "page_size", "101"};
  auto same = one;
  same.changed = {"query", "page_size", "7"};
  same.changed.reduced = true;
  auto another_status = one;
  another_status.status = 500;
  auto another_part = one;
  another_part.changed = {"query", "page_number", "101"};
  auto elsewhere = one;
  elsewhere.place = "body";
  auto elsewhere_too = elsewhere;
  elsewhere_too.status = 500;

  EXPECT_EQ(fingerprint(one), fingerprint(same));
  EXPECT_NE(fingerprint(one), fingerprint(another_status));
  EXPECT_NE(fingerprint(one), fingerprint(another_part));
  EXPECT_EQ(fingerprint(elsewhere), fingerprint(elsewhere_too));
  EXPECT_EQ(key_of(one, KeyScope::kViolation), key_of(another_status, KeyScope::kViolation));
}

TEST(Change, has_words_and_a_place) {
  const Change value("query", "page_size", "101");
  const Change header("header", "Accept", "text/csv", "and no Range");
  Change member("body", "a/b", std::nullopt, "empty");
  member.reduced = true;
  const Change body("body", "", std::nullopt, "a: 5 instead of x");
  const Change all("an unknown identifier");

  EXPECT_EQ(value.text(), "query page_size=101");
  EXPECT_EQ(header.text(), "header Accept: text/csv and no Range");
  EXPECT_EQ(member.text(), "body /a/b empty (reduced)");
  EXPECT_EQ(body.text(), "body: a: 5 instead of x");
  EXPECT_EQ(all.text(), "an unknown identifier");
  EXPECT_EQ(value.place(), "query/page_size");
  EXPECT_EQ(member.place(), "body/a/b");
  EXPECT_EQ(body.place(), "body");
  EXPECT_EQ(all.place(), "");
  for (const auto& change : {value, header, member, body, all}) {
    EXPECT_EQ(change_from(to_json(change)).text(), change.text());
  }
}

// A baseline that is in a repository goes on to hold what it held.
TEST(Fingerprint, is_the_same_in_every_release) {
  Finding missing;
  missing.operation = "GET /a";
  missing.rule = "schema/required";
  missing.place = "body/items/3";
  missing.source.pointer = "/components/schemas/A/required";
  missing.message.property = "email";
  Finding accepted;
  accepted.operation = "GET /a";
  accepted.rule = "generated/accepted";
  accepted.place = "status";
  accepted.status = 400;
  accepted.changed = {"query", "page_size", "101"};

  EXPECT_EQ(fingerprint(missing),
            stable_hash("GET /a\nschema/required\n/components/schemas/A/required\n"
                        "body/items/*\"email\""));
  EXPECT_EQ(fingerprint(accepted),
            stable_hash("GET /a\ngenerated/accepted\n\nstatus\n400\nquery/page_size"));
}

}  // namespace
}  // namespace contract_tests::checks
