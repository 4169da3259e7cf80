// Generated examples of schemas with discriminators name their schema.

#include "spec/document/library.hpp"
#include "spec/json/value.hpp"
#include "spec/schema/compiler/compiler.hpp"
#include "spec/schema/generate/generator.hpp"
#include "spec/tests/rows.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace spec::schema::generate {
namespace {

using nlohmann::json;

constexpr std::string_view kHead = R"({"openapi":"3.0.3","components":{"schemas":)";

struct TaggedRow {
  std::string name;
  std::string schemas;         // the components
  std::string of;              // the one that examples are made of
  std::set<std::string> tags;  // that its examples have, "-" for none
};

using Discriminators = spec::tests::RowTest;

TEST_P(Discriminators, name_the_schema_of_the_generated_example) {
  const TaggedRow& row = GetParam();

  document::Library library;
  const document::Node root =
      library.add("https://example.test/openapi", "openapi.json",
                  std::string(kHead) + row.schemas + "}}", document::Format::kJson);
  SchemaSet schemas;
  compiler::Compiler compiler(library, {.dialect = Dialect::kOpenApi30}, schemas);
  const document::Node components = root.find("components").find("schemas");
  for (const document::Member& member : components.members()) {
    compiler.compile(member.value);
  }
  const SchemaId id = compiler.compile(components.find(row.of));
  const Generator generator(schemas);
  std::set<std::string> tags;

  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const json instance = generator.generate(id, {.seed = seed}).value();
    tags.insert(instance.value("kind", "-"));
  }

  EXPECT_EQ(tags, row.tags);
}

const std::vector<TaggedRow> kDescriptionsDiscriminators = {
    {"branches_by_name",
     R"({"Pet":{"oneOf":[{"$ref":"#/components/schemas/Cat"},{"$ref":"#/components/schemas/Dog"}],
                   "discriminator":{"propertyName":"kind"}},
                   "Cat":{"type":"object","required":["kind","a"],"properties":{"kind":{"type":"string"}}},
                   "Dog":{"type":"object","required":["kind","b"],"properties":{"kind":{"type":"string"}}}})",
     "Pet",
     {"Cat", "Dog"}},
    {"branches_by_mapping",
     R"({"Pet":{"anyOf":[{"$ref":"#/components/schemas/Cat"},{"$ref":"#/components/schemas/Dog"}],
                   "discriminator":{"propertyName":"kind","mapping":{"purr":"Cat"}}},
                   "Cat":{"type":"object","required":["kind","a"],"properties":{"kind":{"type":"string"}}},
                   "Dog":{"type":"object","required":["kind","b"],"properties":{"kind":{"type":"string"}}}})",
     "Pet",
     {"purr", "Dog"}},
    {"constants_before_names",
     R"({"Pet":{"oneOf":[{"$ref":"#/components/schemas/Cat"},{"$ref":"#/components/schemas/Dog"}],
                   "discriminator":{"propertyName":"kind"}},
                   "Cat":{"type":"object","required":["kind"],"properties":{"kind":{"enum":["cat"]}}},
                   "Dog":{"type":"object","required":["kind"],"properties":{"kind":{"enum":["dog"]}}}})",
     "Pet",
     {"cat", "dog"}},
    {"names_before_an_example_of_the_property",
     R"({"Pet":{"oneOf":[{"$ref":"#/components/schemas/Cat"}],
                   "discriminator":{"propertyName":"kind"}},
                   "Cat":{"type":"object","required":["kind"],
                          "properties":{"kind":{"type":"string","example":"tom"}}}})",
     "Pet",
     {"Cat"}},
    {"an_heir_by_name",
     R"({"Pet":{"type":"object","required":["kind"],"properties":{"kind":{"type":"string"}},
                   "discriminator":{"propertyName":"kind"}},
                   "Cat":{"allOf":[{"$ref":"#/components/schemas/Pet"}]},
                   "Dog":{"allOf":[{"$ref":"#/components/schemas/Pet"}]}})",
     "Dog",
     {"Dog"}},
    {"an_heir_by_mapping",
     R"({"Pet":{"type":"object","required":["kind"],"properties":{"kind":{"type":"string"}},
                   "discriminator":{"propertyName":"kind","mapping":{"woof":"#/components/schemas/Dog"}}},
                   "Dog":{"allOf":[{"$ref":"#/components/schemas/Pet"}]}})",
     "Dog",
     {"woof"}},
    {"the_deepest_subtype",
     R"({"Pet":{"type":"object","required":["kind"],"properties":{"kind":{"type":"string"}},
                   "discriminator":{"propertyName":"kind"}},
                   "Dog":{"allOf":[{"$ref":"#/components/schemas/Pet"}]},
                   "Puppy":{"allOf":[{"$ref":"#/components/schemas/Dog"}]}})",
     "Puppy",
     {"Puppy"}},
    {"an_heir_where_the_parent_has_an_example",
     R"({"Pet":{"type":"object","required":["kind"],"properties":{"kind":{"type":"string"}},
                   "example":{"kind":"Cat"},"discriminator":{"propertyName":"kind"}},
                   "Cat":{"allOf":[{"$ref":"#/components/schemas/Pet"}]},
                   "Dog":{"allOf":[{"$ref":"#/components/schemas/Pet"}]}})",
     "Dog",
     {"Dog"}},
    {"a_base_schema_is_one_of_its_subtypes",
     R"({"Pet":{"type":"object","required":["kind"],"properties":{"kind":{"type":"string"}},
                   "discriminator":{"propertyName":"kind"}},
                   "Cat":{"allOf":[{"$ref":"#/components/schemas/Pet"}]},
                   "Dog":{"allOf":[{"$ref":"#/components/schemas/Pet"}]}})",
     "Pet",
     {"Cat", "Dog"}},
    {"a_base_schema_without_subtypes",
     R"({"Pet":{"type":"object","required":["kind"],"properties":{"kind":{"type":"string"}},
                   "discriminator":{"propertyName":"kind"}}})",
     "Pet",
     {"Pet"}}};

INSTANTIATE_TEST_SUITE_P(Descriptions, Discriminators,
                         testing::ValuesIn(spec::tests::rows(kDescriptionsDiscriminators)),
                         spec::tests::kRowNames);

TEST(Subtypes, subtypes_of_a_base_schema_give_the_generated_object_their_members) {
  document::Library library;
  const document::Node root = library.add(
      "https://example.test/openapi", "openapi.json",
      std::string(kHead) +
          R"({"Pet":{"type":"object","required":["kind"],"properties":{"kind":{"type":"string"}},
              "discriminator":{"propertyName":"kind"}},
              "Dog":{"allOf":[{"$ref":"#/components/schemas/Pet"},{"type":"object","required":["bark"],
              "properties":{"bark":{"type":"boolean"}}}]}}}})",
      document::Format::kJson);
  SchemaSet schemas;
  compiler::Compiler compiler(library, {.dialect = Dialect::kOpenApi30}, schemas);
  const document::Node components = root.find("components").find("schemas");
  compiler.compile(components.find("Dog"));
  const SchemaId id = compiler.compile(components.find("Pet"));

  const json instance = Generator(schemas).generate(id).value();

  EXPECT_EQ(instance["kind"], "Dog");
  EXPECT_TRUE(instance["bark"].is_boolean()) << spec::json::write(instance);
}

}  // namespace
}  // namespace spec::schema::generate
