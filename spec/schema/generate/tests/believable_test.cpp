// Values by a member's name, and by a format that is not asserted.

#include "spec/json/read.hpp"
#include "spec/json/value.hpp"
#include "spec/schema/generate/generator.hpp"
#include "spec/schema/generate/tests/one_schema.hpp"
#include "spec/tests/rows.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <initializer_list>
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
    {"iban", "iban", "", "[A-Z][A-Z][0-9]+[A-Z0-9]+"},
    {"bic", "bic", "", "[A-Z]+[A-Z0-9]+"},
    {"html", "body_html", "", "<.*>"},
    {"time_stamp", "ts", "", "20[0-9-]+T.*Z"},
    {"base", "base", "", "[A-Z][A-Z][A-Z]"},
    {"token_type", "token_type", "", "Bearer"},
    {"cvv", "cvv", "", "[1-9][1-9][1-9]"},
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
                                         Number{"rating", 1, 5}, Number{"hour", 0, 23},
                                         Number{"probability", 0, 100}, Number{"cpu_usage", 0, 100},
                                         Number{"success_rate", 0, 100},
                                         Number{"expires_in", 300, 86'400}),
                         [](const auto& each) { return each.param.member; });

json texts(std::initializer_list<const char*> names) {
  json properties = json::object();
  for (const char* const name : names) {
    properties[name] = {{"type", "string"}};
  }
  return properties;
}

TEST(Record, is_of_one_person_in_one_place) {
  const json person = generated_with(
      texts({"first_name", "lastName", "full_name", "email", "country", "city", "time_zone"}), 7);

  const std::string full =
      person["first_name"].get<std::string>() + ' ' + person["lastName"].get<std::string>();
  EXPECT_EQ(person["full_name"], full);
  EXPECT_THAT(person["email"].get<std::string>(), testing::EndsWith(".example"));
  EXPECT_THAT(person["time_zone"].get<std::string>(), testing::HasSubstr("/"));
}

struct Persons {
  std::string name;
  std::string component;
  std::vector<const char*> members;
  std::string member;
  std::string other;   // a member whose value is another
  std::string equals;  // a pointer to an equal one; "" for none
};

using PersonsOfRecord = spec::tests::RowTest;

TEST_P(PersonsOfRecord, are_those_that_the_members_name) {
  const Persons& row = GetParam();
  json schema = {{"type", "object"}, {"required", row.members}, {"properties", json::object()}};
  for (const char* const name : row.members) {
    schema["properties"][name] = {{"type", "string"}};
  }
  const json inner = {{"type", "object"},
                      {"required", {"name", "email"}},
                      {"properties", texts({"name", "email"})}};
  schema["properties"]["manager"] = inner;
  schema["required"].push_back("manager");
  const OneSchema one(spec::json::write(schema));

  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const json made =
        Generator(one.schemas).generate(one.id, {.seed = seed, .thing = row.component}).value();

    EXPECT_NE(made[row.member], made.at(json::json_pointer(row.other))) << made.dump();
    if (!row.equals.empty()) {
      EXPECT_EQ(made[row.member], made.at(json::json_pointer(row.equals))) << made.dump();
    }
  }
}

const std::vector<Persons> kPersonsOfRecord = {
    {"an_author_is_not_the_title", "posts", {"id", "title", "author"}, "title", "/author", ""},
    {"an_owner_is_not_the_project", "projects", {"name", "owner_name"}, "name", "/owner_name", ""},
    {"a_manager_is_not_the_employee",
     "employees",
     {"first_name", "last_name", "full_name", "name"},
     "name",
     "/manager/name",
     "/full_name"},
    {"who_invites_is_not_invited",
     "members",
     {"name", "email", "invited_by", "display_name"},
     "name",
     "/invited_by",
     "/display_name"},
    {"a_title_of_a_person_is_a_job", "employees", {"name", "title"}, "title", "/name", ""},
    {"a_guest_has_the_mail",
     "bookings",
     {"guest_name", "name", "email"},
     "guest_name",
     "/manager/name",
     ""},
};

INSTANTIATE_TEST_SUITE_P(Rows, PersonsOfRecord,
                         testing::ValuesIn(spec::tests::rows(kPersonsOfRecord)),
                         spec::tests::kRowNames);

TEST(Record, multiplies_amounts_in_cents_and_has_its_times_of_a_day_in_order) {
  json properties;
  for (const char* const name : {"quantity", "unit_price_cents", "line_total_cents"}) {
    properties[name] = {{"type", "integer"}};
  }
  for (const char* const name : {"sold", "capacity"}) {
    properties[name] = {{"type", "integer"}};
  }
  for (const char* const name : {"starts_at", "ends_at"}) {
    properties[name] = {{"type", "string"}, {"format", "time"}};
  }

  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const json made = generated_with(properties, seed);

    EXPECT_EQ(made["quantity"].get<int>() * made["unit_price_cents"].get<int>(),
              made["line_total_cents"].get<int>());
    EXPECT_LE(made["sold"].get<int>(), made["capacity"].get<int>());
    EXPECT_LE(made["starts_at"], made["ends_at"]);
  }
}

TEST(Record, has_the_person_whose_name_the_contract_states) {
  const json person = generated_with({{"name", {{"type", "string"}, {"example", "Ada Lovelace"}}},
                                      {"email", {{"type", "string"}}}},
                                     1);

  EXPECT_THAT(person["email"].get<std::string>(), testing::StartsWith("ada.lovelace@"));
}

TEST(Record, adds_up) {
  json properties;
  for (const char* const name : {"subtotal", "tax", "total", "amount_paid", "amount_due"}) {
    properties[name] = {{"type", "integer"}};
  }

  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const json sums = generated_with(properties, seed);

    EXPECT_EQ(sums["subtotal"].get<int>() + sums["tax"].get<int>(), sums["total"].get<int>());
    EXPECT_EQ(sums["amount_paid"].get<int>() + sums["amount_due"].get<int>(),
              sums["total"].get<int>());
  }
}

TEST(Record, has_its_times_in_order) {
  const json times = generated_with(
      {{"created", {{"type", "integer"}, {"format", "unix-time"}}},
       {"updated_at", {{"type", "integer"}, {"description", "Unix timestamp of the change"}}},
       {"expires_at", {{"type", "integer"}}}},
      3);

  EXPECT_GT(times["created"].get<std::int64_t>(), 1'735'000'000);
  EXPECT_LT(times["created"].get<std::int64_t>(), times["updated_at"].get<std::int64_t>());
  EXPECT_LT(times["updated_at"].get<std::int64_t>(), times["expires_at"].get<std::int64_t>());
}

TEST(Frame, describes_its_list) {
  const json row = {
      {"type", "object"},
      {"required", {"id", "name"}},
      {"properties",
       {{"id", {{"type", "string"}}}, {"name", {{"type", "string"}, {"example", "Blue Mug"}}}}}};

  const json frame =
      generated_with({{"products", {{"type", "array"}, {"items", row}, {"minItems", 3}}},
                      {"total", {{"type", "integer"}, {"example", 99}}},
                      {"has_more", {{"type", "boolean"}}},
                      {"last_id", {{"type", "string"}, {"example", "it_xyz"}}}},
                     5);

  const json& rows = frame["products"];
  EXPECT_EQ(frame["total"], rows.size());
  EXPECT_EQ(frame["has_more"], false);
  EXPECT_EQ(frame["last_id"], rows.back()["id"]);
  EXPECT_EQ(rows[0]["name"], "Blue Mug");
  EXPECT_NE(rows[1]["name"], rows[2]["name"]);
}

TEST(Hint, of_faker_decides_what_a_text_is) {
  const json instance =
      generated_with({{"x", {{"type", "string"}, {"x-faker", "internet.email"}}}}, 1);

  EXPECT_THAT(instance["x"].get<std::string>(), testing::HasSubstr("@"));
}

TEST(Success, has_no_error) {
  const OneSchema one(R"({"type": "object", "required": ["id", "failed"], "properties": {
      "id": {"type": "string"}, "error": {"type": "string"}, "failed": {"type": "boolean"}}})");

  const json made = Generator(one.schemas).generate(one.id, {.is_success = true}).value();

  EXPECT_EQ(made["failed"], false);
  EXPECT_FALSE(made.contains("error"));
}

}  // namespace
}  // namespace spec::schema::generate
