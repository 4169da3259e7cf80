// Internals of a server, undocumented members, misspelt names; and list fields with their own
// grammar.

#include "contract_tests/checks/documented_members.hpp"
#include "contract_tests/checks/header_fields.hpp"
#include "contract_tests/checks/leaks.hpp"
#include "spec/document/library.hpp"
#include "spec/schema/compiler/compiler.hpp"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

namespace contract_tests::checks {
namespace {

using nlohmann::json;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Optional;
using testing::Pair;
using testing::SizeIs;

TEST(LeakPatterns, find_the_first_match_of_any_of_them) {
  const LeakPatterns patterns({R"(\bORA-\d{5}\b)", R"(goroutine \d+ \[)"});

  EXPECT_EQ(patterns.find("x ORA-00942: y"), "ORA-00942");
  EXPECT_EQ(patterns.find("AURORA-00942"), std::nullopt);
  EXPECT_EQ(patterns.find("goroutine 17 [running] ORA-00942"), "goroutine 17 [");
  EXPECT_EQ(patterns.find("\xFF ORA-00942 \xFF"), "ORA-00942");
  EXPECT_EQ(LeakPatterns().find("ORA-00942"), std::nullopt);

  const LeakPatterns mixed({R"(\bone|two)", R"(\b(?:six|ten)\b)", R"(\b[|]x)", "z$"});
  EXPECT_EQ(mixed.find("someone"), std::nullopt);
  EXPECT_EQ(mixed.find("xtwo"), "two");
  EXPECT_EQ(mixed.find("often ten"), "ten");
  EXPECT_EQ(mixed.find("a|x"), "|x");
  EXPECT_EQ(mixed.find("xyz"), "z");
}

client::Exchange error_of(const std::string& body) {
  client::Exchange exchange;
  exchange.ending = client::Ending::kKeptOpen;
  exchange.record.head.status = 404;
  exchange.response.status = 404;
  exchange.response.body = body;
  return exchange;
}

const LeakMarks kMarks{
    LeakPatterns({"Fatal error</b>", R"(\n    at \S+ \()", R"(\.java:\d+\))", R"(SQLSTATE\[)"}),
    LeakPatterns({"ECONNREFUSED"}), LeakPatterns({"can't decode"})};

TEST(Leaks, are_found_behind_escapes_and_in_headers) {
  auto header = error_of("");
  header.response.headers.add("X-Trace", "get(Customers.java:42)");

  EXPECT_THAT(check_leaks(kMarks, error_of("<b>Fatal error</b>: x")), SizeIs(1));
  EXPECT_THAT(check_leaks(kMarks, error_of("{\"message\": \"a\\n    at Find.it (b\"}")), SizeIs(1));
  ASSERT_THAT(check_leaks(kMarks, header), SizeIs(1));
  EXPECT_EQ(check_leaks(kMarks, header)[0].place, "header/X-Trace");
  EXPECT_THAT(check_leaks(kMarks, error_of("connect ECONNREFUSED")), SizeIs(1));
  EXPECT_THAT(check_leaks(kMarks, error_of("see /docs/errors.html#at, field \"line 3\"")),
              IsEmpty());
  EXPECT_THAT(check_leaks(kMarks, std::vector<std::string>{"connect ECONNREFUSED"}), IsEmpty());
  EXPECT_THAT(check_leaks(kMarks, std::vector<std::string>{"SQLSTATE[42601]"}), SizeIs(1));
}

TEST(Leaks, of_parsers_are_notes_beside_nothing_else) {
  const auto text = check_leaks(kMarks, error_of("{\"message\": \"can't decode byte 0xff\"}"));
  const auto trace = check_leaks(kMarks, error_of("can't decode, at Customers.java:42)"));

  ASSERT_THAT(text, SizeIs(1));
  EXPECT_EQ(text[0].severity, Severity::kNote);
  ASSERT_THAT(trace, SizeIs(1));
  EXPECT_EQ(trace[0].severity, std::nullopt);
}

TEST(Challenges, are_read_with_their_parameters) {
  EXPECT_THAT(challenge_schemes("Bearer"), Optional(ElementsAre("bearer")));
  EXPECT_THAT(challenge_schemes(R"(Basic realm="a, b", Bearer realm="x\"y", error="e")"),
              Optional(ElementsAre("basic", "bearer")));
  EXPECT_THAT(challenge_schemes("Negotiate YWJj==, bEaReR"),
              Optional(ElementsAre("negotiate", "bearer")));
  EXPECT_EQ(challenge_schemes(""), std::nullopt);
  EXPECT_EQ(challenge_schemes(" , "), std::nullopt);
  EXPECT_EQ(challenge_schemes("Bearer realm=unquoted value, error="), std::nullopt);
  EXPECT_EQ(challenge_schemes("Bearer realm=\"open"), std::nullopt);
}

TEST(CacheDirectives, are_separated_from_their_arguments) {
  EXPECT_THAT(
      cache_directives(R"(Private="public, x", MAX-AGE=60,no-store)"),
      ElementsAre(Pair("max-age", "60"), Pair("no-store", ""), Pair("private", "public, x")));
}

constexpr const char* kNamesSchema = R"({
  "properties": {
    "name": {"type": "string"},
    "image": {"type": "string"},
    "free": {"type": "object"},
    "map": {"properties": {"a": {}}, "additionalProperties": {"type": "string"}},
    "list": {"items": {"properties": {"id": {}, "currency": {"type": "string"}}}}}})";

// A schema, compiled.
struct Compiled {
  explicit Compiled(std::string_view text)
      : id(spec::schema::compiler::Compiler(library, {.dialect = spec::schema::Dialect::kOpenApi31},
                                            set)
               .compile(
                   library.add("test:names", "names.json", text, spec::document::Format::kJson))) {}

  spec::document::Library library;
  spec::schema::SchemaSet set;
  spec::schema::SchemaId id;
  spec::schema::Summaries summaries{set.program()};
};

TEST(DocumentedPart, leaves_out_undocumented_members) {
  const json value = json::parse(R"({"name": "n", "at": "now", "free": {"x": 1}, "map": {"b": "y"},
                                     "list": [{"id": 1, "seen": ["then"]}]})");

  Compiled schema(kNamesSchema);
  const auto part = documented_part(schema.summaries, schema.id, value);

  EXPECT_EQ(part, json::parse(R"({"name": "n", "free": {"x": 1}, "map": {"b": "y"},
                                  "list": [{"id": 1}]})"));
  EXPECT_THAT(undocumented_texts(schema.summaries, schema.id, value), ElementsAre("now", "then"));
  EXPECT_EQ(documented_part(schema.summaries, schema.id, *part), std::nullopt);
}

TEST(Names, of_an_empty_object_are_missing_only_where_one_is_required) {
  Compiled open(R"({"type": "object", "properties": {"a": {"type": "string"}}})");
  Compiled closed(
      R"({"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]})");

  EXPECT_THAT(check_names(open.summaries, open.id, json::object()).violations, IsEmpty());
  EXPECT_THAT(check_names(open.summaries, open.id, {{"error", "x"}}).violations, SizeIs(1));
  EXPECT_THAT(check_names(closed.summaries, closed.id, json::object()).violations, SizeIs(1));
}

TEST(Names, of_other_members_that_are_required_or_in_the_example_are_enough) {
  Compiled required(R"({"properties": {"a": {}}, "required": ["b"]})");
  Compiled shown(R"({"properties": {"a": {}}, "example": {"customer": "c"}})");

  EXPECT_THAT(check_names(required.summaries, required.id, {{"b", 1}}).violations, IsEmpty());
  EXPECT_THAT(check_names(shown.summaries, shown.id, {{"customer", "d"}}).violations, IsEmpty());
}

TEST(Names, are_placed_by_a_pointer) {
  Compiled schema(R"({"properties": {"list": {"items": {"properties": {"a/bcde": {}}}}}})");

  const auto found =
      check_names(schema.summaries, schema.id, json::parse(R"({"list": [{}, {"A/bcde": 1}]})"));

  ASSERT_THAT(found.misspelt, SizeIs(1));
  EXPECT_EQ(found.misspelt[0].violation.place, "body/list/1/A~1bcde");
  EXPECT_EQ(found.misspelt[0].documented, "/list/*/a~1bcde");
}

TEST(DropSecrets, keeps_what_the_schema_does_not_name_as_a_secret) {
  Compiled schema(R"({"properties": {
      "name": {"type": "string"}, "access_token": {"type": "string"},
      "list": {"items": {"properties": {"pin": {"type": "string", "format": "password"}}}}}})");
  auto value = json::parse(R"({"name": "x1", "access_token": "x1", "debug_token": "x1",
                               "list": [{"pin": "x1"}, {"pin": "not x1"}]})");

  drop_secrets(schema.summaries, {schema.id}, value, {"x1"});

  EXPECT_EQ(value, json::parse(R"({"name": "x1", "debug_token": "x1",
                                   "list": [{}, {"pin": "not x1"}]})"));
}

std::size_t misspelt(const std::string& text) {
  Compiled schema(kNamesSchema);
  return check_names(schema.summaries, schema.id, json::parse(text)).misspelt.size();
}

TEST(Names, are_misspelt_only_where_the_documented_one_is_absent) {
  EXPECT_EQ(misspelt(R"({"name": "n", "imagee": "x"})"), 1U);
  EXPECT_EQ(misspelt(R"({"name": "n", "images": []})"), 0U);
  EXPECT_EQ(misspelt(R"({"list": [{"id": 1, "currncy": "USD"}]})"), 1U);
  EXPECT_EQ(misspelt(R"({"list": [{"currency": "USD"}, {"id": 1, "currncy": "USD"}]})"), 0U);
  EXPECT_EQ(misspelt(R"({"list": [{"currency": "USD"}, {"id": 1, "Currency": "USD"}]})"), 1U);
}

}  // namespace
}  // namespace contract_tests::checks
