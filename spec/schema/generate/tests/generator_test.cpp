#include "spec/schema/generate/generator.hpp"

#include "spec/json/number.hpp"
#include "spec/json/read.hpp"
#include "spec/json/value.hpp"
#include "spec/schema/generate/tests/one_schema.hpp"
#include "spec/schema/patterns/pattern.hpp"
#include "spec/schema/tests/twin/evaluate.hpp"
#include "spec/schema/tests/twin/generate.hpp"
#include "spec/tests/rows.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cstdlib>
#include <string>
#include <vector>

namespace spec::schema::generate {
namespace {

using nlohmann::json;

struct SatisfiableRow {
  std::string name;
  std::string schema;
};

using Generating = spec::tests::RowTest;

// The twin, not the validator that the generator itself asks.
TEST_P(Generating, finds_instances_for_every_seed) {
  const SatisfiableRow& row = GetParam();

  const OneSchema one(row.schema);
  const Generator generator(one.schemas);
  twin::Documents documents;
  const twin::Place place =
      documents.add("https://example.test/root", spec::json::read(row.schema).value());
  std::vector<std::string> wrong;

  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const auto instance = generator.generate(one.id, {.seed = seed});
    if (!instance) {
      wrong.push_back(instance.error().message);
    } else if (!twin::is_valid(documents, place, *instance, {.assert_format = true})) {
      wrong.push_back(spec::json::write(*instance));
    }
  }

  EXPECT_THAT(wrong, testing::IsEmpty());
}

const std::vector<SatisfiableRow> kKeywordsGenerating = {
    {"integer_bounds", R"({"type":"integer","minimum":3,"exclusiveMaximum":5})"},
    {"narrow_fraction", R"({"type":"number","exclusiveMinimum":1,"maximum":1.001})"},
    {"multiple_of_cents", R"({"type":"number","multipleOf":0.01,"minimum":0.07})"},
    {"two_multiples", R"({"type":"integer","multipleOf":6,"allOf":[{"multipleOf":4}]})"},
    {"negative_only", R"({"type":"integer","maximum":-5})"},
    {"beyond_int64", R"({"type":"integer","minimum":9223372036854775808})"},
    {"lengths", R"({"type":"string","minLength":40,"maxLength":41})"},
    {"pattern", R"({"type":"string","pattern":"^[A-Z]{3}-[0-9]{4}(-x|-y)?$"})"},
    {"pattern_with_length", R"({"type":"string","pattern":"^[a-z]+$","minLength":30})"},
    {"pattern_with_lookahead", R"({"type":"string","pattern":"^(?=.*[0-9])[a-z0-9]{4,8}$"})"},
    {"two_patterns", R"({"type":"string","pattern":"^a","allOf":[{"pattern":"^[ab]{2,4}$"}]})"},
    {"formats", R"({"properties":{"a":{"type":"string","format":"date-time"},
            "b":{"type":"string","format":"uuid"},"c":{"type":"string","format":"email"},
            "d":{"type":"string","format":"uri"},"e":{"type":"string","format":"ipv6"},
            "f":{"type":"string","format":"duration"},"g":{"type":"string","format":"time"},
            "h":{"type":"string","format":"hostname"},"i":{"type":"string","format":"regex"},
            "j":{"type":"string","format":"json-pointer"},"k":{"type":"string","format":"date"},
            "l":{"type":"string","format":"uri-template"},"m":{"type":"string","format":"ipv4"},
            "n":{"type":"string","format":"relative-json-pointer"}},
            "required":["a","b","c","d","e","f","g","h","i","j","k","l","m","n"]})"},
    {"unique_small_enum",
     R"({"type":"array","items":{"enum":[1,2,3]},"uniqueItems":true,"minItems":3})"},
    {"prefix",
     R"({"type":"array","prefixItems":[{"type":"integer"},{"type":"string"}],
            "items":false,"minItems":2})"},
    {"contains", R"({"type":"array","items":{"type":"integer"},
            "contains":{"minimum":100},"minContains":2,"maxItems":3})"},
    {"no_members", R"({"type":"object","properties":{},"additionalProperties":false})"},
    {"least_members", R"({"type":"object","minProperties":3,
            "propertyNames":{"pattern":"^[a-z]{2}$"},"additionalProperties":{"type":"integer"}})"},
    {"pattern_members", R"({"type":"object","minProperties":2,
            "patternProperties":{"^x-[a-z]+$":{"type":"string"}},"additionalProperties":false})"},
    {"dependent", R"({"type":"object","properties":{"a":{"type":"string"},
            "b":{"type":"string"}},"required":["a"],"dependentRequired":{"a":["b"]},
            "dependentSchemas":{"b":{"properties":{"c":{"const":1}},"required":["c"]}}})"},
    {"all_of", R"({"allOf":[{"type":"object","properties":{"a":{"type":"string"}},
            "required":["a"]},{"properties":{"a":{"minLength":30}}}]})"},
    {"one_of", R"({"oneOf":[{"type":"integer"},{"type":"integer","minimum":500}]})"},
    {"not", R"({"type":"string","not":{"pattern":"e"}})"},
    {"condition", R"({"type":"object","properties":{"kind":{"enum":["card","bank"]}},
            "required":["kind"],"if":{"properties":{"kind":{"const":"card"}}},
            "then":{"required":["number"]},"else":{"required":["iban"]}})"},
    {"unevaluated", R"({"allOf":[{"properties":{"a":{"type":"integer"}}}],
            "required":["a"],"unevaluatedProperties":false})"},
    {"recursive", R"({"type":"object","properties":{"name":{"type":"string"},
            "parent":{"anyOf":[{"$ref":"#"},{"type":"null"}]},
            "children":{"type":"array","items":{"$ref":"#"}}},"required":["name","parent","children"]})"},
    {"recursive_tree", R"({"oneOf":[{"type":"object","required":["left","right"],
            "properties":{"left":{"$ref":"#"},"right":{"$ref":"#"}},"additionalProperties":false},
            {"type":"integer"}]})"},
    {"nullable_enum", R"({"enum":["a",null],"type":["string","null"]})"},
    {"false_default", R"({"type":"integer","minimum":5,"default":1,"examples":[2]})"}};

INSTANTIATE_TEST_SUITE_P(Keywords, Generating,
                         testing::ValuesIn(spec::tests::rows(kKeywordsGenerating)),
                         spec::tests::kRowNames);

TEST(Generator, prefers_examples_and_defaults_that_are_valid) {
  EXPECT_EQ(generated(R"({"type":"string","examples":["hello"]})"), "hello");
  EXPECT_EQ(generated(R"({"allOf":[{"type":"string","examples":["hello"]}]})"), "hello");
  EXPECT_EQ(generated(R"({"type":"integer","default":7})"), 7);
  EXPECT_NE(generated(R"({"type":"integer","default":7})", {.use_examples = false}), 7);
}

// Objects in objects, `levels` of them, each with an optional number, and nothing required.
json nested_schema(int levels) {
  json schema = {{"type", "object"}, {"properties", {{"count", {{"type", "integer"}}}}}};
  if (levels > 0) {
    schema["properties"]["inner"] = nested_schema(levels - 1);
  }
  return schema;
}

std::size_t empty_objects(const json& value) {
  std::size_t count = value.is_object() && value.empty() ? 1 : 0;
  for (const json& each : value.is_structured() ? value : json::array()) {
    count += empty_objects(each);
  }
  return count;
}

TEST(Generator, fills_objects_however_deep_they_are) {
  const std::string recursive = R"({"type":"object","properties":{"name":{"type":"string"},
      "parent":{"$ref":"#"},"meta":{"type":"object","properties":{"of":{"$ref":"#"}}}}})";
  const std::string required = R"({"$defs":{"c":{"type":"object","required":["d"],"properties":
      {"d":{"type":"object","properties":{"n":{"type":"integer"},"t":{"type":"string"}}}}}},
      "type":"object","required":["a"],"properties":{"a":{"type":"object","required":["b"],
      "properties":{"b":{"type":"object","required":["c"],"properties":{"c":{"type":"object",
      "required":["c"],"properties":{"c":{"$ref":"#/$defs/c"}}}}}}}}})";

  const json deep = generated(nested_schema(6).dump());

  EXPECT_TRUE(deep.contains(json::json_pointer("/inner/inner/inner/inner/inner/inner/count")));
  EXPECT_EQ(empty_objects(deep), 0U);
  EXPECT_EQ(empty_objects(generated(nested_schema(30).dump())), 0U);
  EXPECT_EQ(empty_objects(generated(required)), 0U);
  EXPECT_EQ(generated(required)["a"]["b"]["c"]["c"]["d"].size(), 2U);
  EXPECT_EQ(empty_objects(generated(recursive)), 0U);
}

// `levels` objects in each other, with nothing required; the innermost has values.
json deep_schema(int levels) {
  const json inner = levels > 0 ? deep_schema(levels - 1) : json({{"type", "string"}});
  return {{"type", "object"}, {"properties", {{levels > 0 ? "inner" : "text", inner}}}};
}

TEST(Generator, goes_as_deep_as_a_finite_schema_does) {
  json required = deep_schema(0);
  for (int i = 0; i < 12; ++i) {
    required = {{"type", "object"}, {"properties", {{"in", required}}}, {"required", {"in"}}};
  }

  EXPECT_EQ(empty_objects(generated(deep_schema(12).dump())), 0U);
  EXPECT_EQ(empty_objects(generated(required.dump())), 0U);
}

// `levels` objects in each other, each required by the one outside of it.
std::string chain_schema(int levels) {
  json schema = {{"$ref", "#/$defs/" + std::to_string(levels)}};
  schema["$defs"]["0"] = {{"type", "string"}};
  for (int level = 1; level <= levels; ++level) {
    schema["$defs"][std::to_string(level)] = {
        {"type", "object"},
        {"properties", {{"in", {{"$ref", "#/$defs/" + std::to_string(level - 1)}}}}},
        {"required", {"in"}}};
  }
  return schema.dump();
}

TEST(Generator, reports_no_finite_schema_as_endless) {
  const OneSchema deep(chain_schema(100));

  const auto instance = Generator(deep.schemas).generate(deep.id);

  EXPECT_TRUE(generated(chain_schema(50)).contains("in"));
  ASSERT_FALSE(instance);
  EXPECT_EQ(instance.error().message, "the smallest valid instance is too large to generate");
}

TEST(Generator, spreads_numbers_whose_steps_are_fine) {
  const std::string schema = R"({"type":"number","multipleOf":1e-17})";

  EXPECT_NE(generated(schema, {.seed = 1}), generated(schema, {.seed = 2}));
}

TEST(Generator, is_a_function_of_seed_and_key) {
  const std::string schema = R"({"type":"object","properties":{"name":{"type":"string"},
      "id":{"type":"string"},"size":{"type":"integer"}},"required":["name","id","size"]})";

  EXPECT_EQ(generated(schema, {.seed = 1, .key = "a"}), generated(schema, {.seed = 1, .key = "a"}));
  EXPECT_NE(generated(schema, {.seed = 1, .key = "a"}), generated(schema, {.seed = 1, .key = "b"}));
  EXPECT_NE(generated(schema, {.seed = 1, .key = "a"}), generated(schema, {.seed = 2, .key = "a"}));
}

TEST(Generator, values_look_like_their_names) {
  const json instance = generated(R"({"type":"object","properties":{"customer_id":{"type":"string"},
      "email":{"type":"string"},"first_name":{"type":"string"},"price_per_unit":{"type":"string"},
      "start_date":{"type":"string","format":"date-time"},
      "end_date":{"type":"string","format":"date-time"}}})");

  EXPECT_THAT(instance["customer_id"].get<std::string>(),
              testing::MatchesRegex("cus_[0-9A-Za-z]+"));
  EXPECT_THAT(instance["price_per_unit"].get<std::string>(),
              testing::MatchesRegex("[0-9]+\\.[0-9]+"));
  EXPECT_LT(instance["start_date"], instance["end_date"]);
  EXPECT_THAT(instance["email"].get<std::string>(), testing::HasSubstr("@"));
}

struct AnnotatedRow {
  std::string name;
  std::string schema;      // without its closing brace
  std::string annotation;  // that is added
  Dialect dialect = Dialect::kOpenApi31;
  bool has_meaning = true;
};

using Annotation = spec::tests::RowTest;

TEST_P(Annotation, shapes_a_text_where_its_dialect_knows_it) {
  const AnnotatedRow& row = GetParam();
  const auto text = [&row](const std::string& schema) {
    return generated(R"({"$defs":{"b":{"type":"string"}},"type":"object","required":["a"],)"
                     R"("properties":{"a":)" +
                         schema + "}}}",
                     {}, {.dialect = row.dialect})["a"];
  };

  EXPECT_EQ(text(row.schema) != text(row.schema + ',' + row.annotation), row.has_meaning);
}

constexpr const char* kText = R"({"type":"string")";
constexpr const char* kReference = R"({"$ref":"#/$defs/b")";
constexpr const char* kDate = R"("format":"date")";
constexpr const char* kEncoding = R"("contentEncoding":"base64")";

const std::vector<AnnotatedRow> kDialectsAnnotation = {
    {"format", kText, kDate, Dialect::kOpenApi30, true},
    {"format_beside_ref", kReference, kDate, Dialect::kOpenApi31, true},
    {"format_beside_ref_in_30", kReference, kDate, Dialect::kOpenApi30, false},
    {"encoding", kText, kEncoding, Dialect::kOpenApi31, true},
    {"encoding_in_30", kText, kEncoding, Dialect::kOpenApi30, false}};

INSTANTIATE_TEST_SUITE_P(Dialects, Annotation,
                         testing::ValuesIn(spec::tests::rows(kDialectsAnnotation)),
                         spec::tests::kRowNames);

struct NamedRow {
  std::string name;   // of the member
  std::string looks;  // like
};

using NamedText = spec::tests::RowTest;

TEST_P(NamedText, looks_like_what_its_name_says) {
  const NamedRow& row = GetParam();

  json schema = json::parse(R"({"type":"object"})");
  schema["required"] = {row.name};
  schema["properties"][row.name] = {{"type", "string"}};

  const json instance = generated(spec::json::write(schema), {.seed = 3});

  EXPECT_THAT(instance[row.name].get<std::string>(), testing::MatchesRegex(row.looks));
}

const std::vector<NamedRow> kNamesNamedText = {{"email", ".+@.+[.]example"},
                                               {"contactEmail", ".+@.+[.]example"},
                                               {"currency", "[A-Z]{3}"},
                                               {"country_code", "[A-Z]{2}"},
                                               {"phone_number", "[+][0-9]+"},
                                               {"website", "https://.+"},
                                               {"createdAt", "20[0-9-]+T[0-9:.]+Z"},
                                               {"due_date", "20.*Z"},
                                               {"totalAmount", "[0-9]+[.][0-9][0-9]"},
                                               {"price", "[0-9]+[.][0-9][0-9]"},
                                               {"customerId", "cus_[0-9A-Za-z]+"},
                                               {"firstName", "[A-Z].+"},
                                               {"ip_address", "192[.]0[.]2[.][0-9]+"},
                                               {"locale", "[a-z][a-z]-[A-Z][A-Z]"},
                                               {"appVersion", "[0-9][.][0-9][.][0-9]"},
                                               {"postal_code", "[0-9A-Z -]+"},
                                               {"color", "#[0-9a-f]+"}};

INSTANTIATE_TEST_SUITE_P(Names, NamedText, testing::ValuesIn(spec::tests::rows(kNamesNamedText)),
                         spec::tests::kRowNames);

TEST(Generator, ends_spans_after_they_start) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const json instance = generated(R"({"type":"object","required":["created_at","updated_at"],
        "properties":{"created_at":{"type":"string","format":"date-time"},
                      "updated_at":{"type":"string","format":"date-time"}}})",
                                    {.seed = seed});

    EXPECT_LT(instance["created_at"], instance["updated_at"]);
  }
}

TEST(Generator, does_not_change_what_an_example_says) {
  EXPECT_EQ(generated(R"({"type":"object","examples":[{"min":5,"max":3}]})")["min"], 5);
}

TEST(Generator, repeats_the_key_of_a_record_wherever_it_is_named) {
  const std::vector<Given> given{{"customer_id", "cus_7"}, {"id", "ord_1"}};
  const json instance = generated(R"({"type":"object","required":["id","lines"],"properties":{
      "id":{"type":"string"},"lines":{"type":"array","minItems":1,"items":{"type":"object",
      "required":["id","customer_id"],"properties":{"id":{"type":"string"},
      "customer_id":{"type":"string"}}}}}})",
                                  {.given = &given});

  EXPECT_EQ(instance["id"], "ord_1");
  EXPECT_EQ(instance["lines"][0]["customer_id"], "cus_7");
  EXPECT_NE(instance["lines"][0]["id"], "ord_1");
}

TEST(Generator, takes_given_values_where_they_fit) {
  const std::vector<Given> given{{"id", "brnd_1"}, {"size", "not a number"}};
  const json instance = generated(
      R"({"type":"object","properties":{"id":{"type":"string"},"size":{"type":"integer"}}})",
      {.given = &given});

  EXPECT_EQ(instance["id"], "brnd_1");
  EXPECT_TRUE(spec::json::to_int64(instance["size"]));
}

TEST(Generator, leaves_out_what_the_direction_does_not_send) {
  const std::string schema =
      R"({"type":"object","properties":{"id":{"type":"string","readOnly":true},
      "secret":{"type":"string","writeOnly":true}},"required":["id","secret"]})";
  const OneSchema one(schema, {.dialect = Dialect::kOpenApi31});
  const Generator generator(one.schemas);

  const json request = generator.generate(one.id, {.direction = Direction::kRequest}).value();
  const json response = generator.generate(one.id, {.direction = Direction::kResponse}).value();

  EXPECT_FALSE(request.contains("id"));
  EXPECT_TRUE(request.contains("secret"));
  EXPECT_TRUE(response.contains("id"));
  EXPECT_FALSE(response.contains("secret"));
}

struct HopelessRow {
  std::string name;
  std::string schema;
};

using NoInstance = spec::tests::RowTest;

TEST_P(NoInstance, is_reported_with_a_reason) {
  const HopelessRow& row = GetParam();

  const OneSchema one(row.schema);
  const Generator generator(one.schemas);

  const auto instance = generator.generate(one.id);

  ASSERT_FALSE(instance);
  EXPECT_THAT(instance.error().message, testing::StartsWith("no "));
}

const std::vector<HopelessRow> kKeywordsNoInstance = {
    {"nothing", "false"},
    {"crossed_bounds", R"({"type":"integer","minimum":5,"maximum":4})"},
    {"bound_beyond_all_numbers", R"({"type":"number","minimum":1e5000})"},
    {"bounds_beyond_all_numbers", R"({"type":"number","minimum":1e5000,"maximum":1e5001})"},
    {"two_types", R"({"allOf":[{"type":"string"},{"type":"integer"}]})"},
    {"endless", R"({"type":"object","properties":{"a":{"$ref":"#"}},
                        "required":["a"]})"}};

INSTANTIATE_TEST_SUITE_P(Keywords, NoInstance,
                         testing::ValuesIn(spec::tests::rows(kKeywordsNoInstance)),
                         spec::tests::kRowNames);

// No text that is written is so long. The second time a search would throw.
TEST(Generator, remembers_a_failure_that_took_long) {
  const OneSchema one(R"({"type":"string","pattern":"^(?:a|c)*$","minLength":65600})");
  const Generator generator(one.schemas);

  const auto first = generator.generate(one.id, {.seed = 1});
  const patterns::SearchBudget none(0, [] { return true; });
  const auto second = generator.generate(one.id, {.seed = 2});

  ASSERT_FALSE(first);
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().message, first.error().message);
}

// Schemas whose random instance was valid can be satisfied; the generator may give up on few of
// them.
TEST(Generator, satisfies_generated_schemas) {
  const char* count = std::getenv("COUNTERPART_EXAMPLES");
  const std::uint64_t schemas = count != nullptr ? std::strtoull(count, nullptr, 10) : 10'000;
  std::uint64_t satisfiable = 0;
  std::uint64_t given_up = 0;
  std::vector<std::uint64_t> wrong;
  for (std::uint64_t seed = 0; seed < schemas; ++seed) {
    const twin::Pair pair = twin::generate(seed);
    twin::Documents documents;
    const twin::Place place = documents.add("https://example.test/root", pair.schema);
    const twin::EvaluateOptions options{.open_api = pair.open_api};
    const OneSchema one(spec::json::write(pair.schema),
                        {.dialect = pair.open_api ? Dialect::kOpenApi31 : Dialect::k2020_12});
    const Generator generator(one.schemas);
    const auto instance = generator.generate(one.id, {.seed = seed});
    const bool known = twin::is_valid(documents, place, pair.instance, options);
    satisfiable += known ? 1 : 0;
    given_up += known && !instance ? 1 : 0;
    if (instance && !twin::is_valid(documents, place, *instance, options)) {
      wrong.push_back(seed);
    }
  }

  EXPECT_THAT(wrong, testing::IsEmpty()) << "seeds of generated examples that the twin rejects";
  EXPECT_LT(given_up * 50, satisfiable) << given_up << " of " << satisfiable << " given up";
  RecordProperty("given_up", static_cast<int>(given_up));
}

}  // namespace
}  // namespace spec::schema::generate
