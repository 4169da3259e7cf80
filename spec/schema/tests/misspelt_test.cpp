#include "spec/schema/compiler/compiler.hpp"
#include "spec/schema/spelling.hpp"
#include "spec/tests/rows.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace spec::schema {
namespace {

using nlohmann::json;

// "/a/nmae name": the place, and the suggestion.
std::vector<std::string> misspelt(const std::vector<std::string>& schemas, const json& instance) {
  document::Library library;
  SchemaSet set;
  compiler::Compiler compiler(library, {.dialect = Dialect::kOpenApi31}, set);
  std::vector<AppliedSchema> applied;
  for (const std::string& text : schemas) {
    const std::string name = "s" + std::to_string(applied.size()) + ".yaml";
    applied.push_back({&set, compiler.compile(library.add("file:///" + name, name, text,
                                                          document::Format::kYaml))});
  }
  std::vector<std::string> lines;
  for (const Misspelling& one : misspelt_members(applied, instance)) {
    lines.push_back(one.instance + ' ' + one.meant);
  }
  return lines;
}

struct MisspeltCase {
  std::string name;
  std::vector<std::string> schemas;
  json instance;
  std::vector<std::string> expected;
};

using Misspelt = spec::tests::RowTest;

TEST_P(Misspelt, finds_exactly_the_members_that_are_nearly_known) {
  const MisspeltCase& row = GetParam();

  EXPECT_EQ(misspelt(row.schemas, row.instance), row.expected);
}

const std::string kNamed = "{properties: {name: {}, phone_number: {}}}";

const std::vector<MisspeltCase> kCasesMisspelt = {
    {"a_member", {kNamed}, {{"phone_nunber", 1}}, {"/phone_nunber phone_number"}},
    {"a_member_in_other_letters", {kNamed}, {{"PhoneNumber", 1}}, {"/PhoneNumber phone_number"}},
    {"not_what_resembles_nothing", {kNamed}, {{"archived_at", 1}}, {}},
    {"beside_the_right_one", {kNamed}, {{"name", 1}, {"nmae", 1}}, {"/nmae name"}},
    {"rather_as_what_is_not_used",
     {"{properties: {phono: {}, phones: {}}}"},
     {{"phones", 1}, {"phone", 1}},
     {"/phone phono"}},
    {"not_two_edits_from_what_is_used",
     {"{properties: {minimum: {}}}"},
     {{"minimum", 1}, {"maximum", 1}},
     {}},
    {"not_with_another_number_than_what_is_used",
     {"{properties: {line1: {}}}"},
     {{"line1", 1}, {"line2", 1}, {"line", 1}},
     {}},
    {"not_where_nothing_is_named", {"{type: object}"}, {{"nmae", 1}}, {}},
    {"not_what_validation_rejects",
     {"{properties: {name: {}}, additionalProperties: false}"},
     {{"nmae", 1}},
     {}},
    {"a_required_name", {"{required: [metre]}"}, {{"meter", 1}}, {"/meter metre"}},
    {"not_what_a_pattern_names",
     {"{properties: {name: {}}, patternProperties: {'^n': {}}}"},
     {{"nmae", 1}},
     {}},
    {"inside_members_and_elements",
     {"{properties: {list: {items: " + kNamed + "}}}"},
     {{"list", {{{"nmae", 1}}, 5, {{"naem", 1}}}}},
     {"/list/0/nmae name", "/list/2/naem name"}},
    {"inside_what_has_no_name",
     {"{additionalProperties: " + kNamed + "}"},
     {{"x", {{"nmae", 1}}}},
     {"/x/nmae name"}},
    {"by_all_that_is_applied_in_place",
     {"{allOf: [{properties: {first: {}}}], oneOf: [{properties: {second: {}}}, "
      "{$ref: '#/$defs/x'}], $defs: {x: {properties: {third: {}}}}}"},
     {{"frist", 1}, {"secnod", 1}, {"thrid", 1}, {"second", 2}},
     {"/frist first", "/secnod second", "/thrid third"}},
    {"not_what_another_schema_names", {kNamed, "{properties: {nmae: {}}}"}, {{"nmae", 1}}, {}},
    {"in_prefix_items",
     {"{prefixItems: [{}, " + kNamed + "], items: {properties: {other: {}}}}"},
     json::array({{{"nmae", 1}}, {{"nmae", 1}}, {{"ohter", 1}}}),
     {"/1/nmae name", "/2/ohter other"}},
    {"by_a_schema_of_itself",
     {"{properties: {part: {$ref: '#'}, name: {}}}"},
     {{"part", {{"part", {{"nmae", 1}}}}}},
     {"/part/part/nmae name"}},
    {"with_names_that_pointers_escape",
     {"{properties: {'a/bcd': {}}}"},
     {{"a/bdc", 1}},
     {"/a~1bdc a/bcd"}}};

INSTANTIATE_TEST_SUITE_P(Cases, Misspelt, testing::ValuesIn(spec::tests::rows(kCasesMisspelt)),
                         spec::tests::kRowNames);

TEST(MisspeltKnown, is_found_from_summaries_that_are_kept_as_without_them) {
  document::Library library;
  SchemaSet set;
  compiler::Compiler compiler(library, {.dialect = Dialect::kOpenApi31}, set);
  const AppliedSchema page{
      &set, compiler.compile(library.add(
                "file:///p.yaml", "p.yaml",
                "{properties: {page: {items: {$ref: '#'}}, name: {}}, patternProperties: {'^x': " +
                    kNamed + ", 'y$': {properties: {other: {}}}}}",
                document::Format::kYaml))};
  const json instance = {{"page", {{{"nmae", 1}}}}, {"xy", {{"ohter", 1}, {"nmae", 1}}}};
  const Summaries summaries(set.program(), Reach::kEvery);

  const auto found = misspelt_members(summaries, page.id, instance);

  EXPECT_EQ(found, misspelt_members({page}, instance));
  EXPECT_EQ(found.size(), 3U);
}

TEST(MisspeltBelow, looks_inside_the_values_that_the_schemas_describe) {
  document::Library library;
  SchemaSet set;
  compiler::Compiler compiler(library, {.dialect = Dialect::kOpenApi31}, set);
  const SchemaId page = compiler.compile(
      library.add("file:///p.yaml", "p.yaml",
                  "{properties: {page: {properties: {items: {items: " + kNamed + "}}}}}",
                  document::Format::kYaml));
  const std::vector<std::string> below{"page", "items"};

  EXPECT_EQ(misspelt_members({{&set, page}}, json::array({{{"nmae", 1}}}), below),
            (std::vector<Misspelling>{{"/0/nmae", "nmae", "name"}}));
}

TEST(MisspeltMessage, names_the_member_that_was_meant) {
  EXPECT_EQ((Misspelling{"/nmae", "nmae", "name"}.message()),
            "no schema names \"nmae\"; did you mean \"name\"?");
  EXPECT_EQ((Misspelling{"/nmae", "nmae", "name", true}.message()),
            "no schema names \"nmae\"; did you mean \"name\", which is there, too?");
}

}  // namespace
}  // namespace spec::schema
