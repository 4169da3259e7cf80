// Written values, case by case.

#include "spec/contract/loading/load_contract.hpp"
#include "spec/contract/write/example_body.hpp"
#include "spec/contract/write/write_body.hpp"
#include "spec/contract/write/write_parameter.hpp"
#include "spec/tests/rows.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

namespace spec::contract::write {

namespace {

using nlohmann::json;

struct WrittenRow {
  std::string name;
  Parameter parameter;
  json value;
  std::optional<std::string> text;
  Version version = Version::k31;

  friend void PrintTo(const WrittenRow& written, std::ostream* out) { *out << written.name; }
};

Parameter in_path(Style style, bool explode) {
  Parameter parameter;
  parameter.name = "p";
  parameter.location = Location::kPath;
  parameter.style = style;
  parameter.explode = explode;
  return parameter;
}

Parameter in_query(Style style, bool explode) {
  Parameter parameter = in_path(style, explode);
  parameter.location = Location::kQuery;
  return parameter;
}

using WrittenValue = spec::tests::RowTest;

// Source: OpenAPI 3.1.1 §4.8.12.4, 3.0.3 §4.7.12.4, Style Examples.
TEST_P(WrittenValue, is_as_its_style_says) {
  const WrittenRow& row = GetParam();

  const Parameter& parameter = row.parameter;
  if (parameter.location == Location::kPath) {
    EXPECT_EQ(write_path(parameter, row.value, row.version), row.text);
    return;
  }
  static const Contract kAny =
      load_contract_text("openapi: 3.2.0\ninfo: {title: T, version: '1'}\npaths: {}", "any");
  const auto fields = write_fields(kAny, parameter, row.value);
  EXPECT_EQ(fields ? std::optional(join_fields(*fields, "&")) : std::nullopt, row.text);
}

const json kList = json::array({"blue", "a,b"});
const json kObject = {{"G", 200}, {"R", 100}};

const std::vector<WrittenRow> kStylesWrittenValue = {
    {"simple", in_path(Style::kSimple, false), "a/b", "a%2Fb"},
    {"simple_list", in_path(Style::kSimple, false), kList, "blue,a%2Cb"},
    {"simple_object", in_path(Style::kSimple, false), kObject, "G,200,R,100"},
    {"simple_object_exploded", in_path(Style::kSimple, true), kObject, "G=200,R=100"},
    {"simple_empty", in_path(Style::kSimple, false), "", std::nullopt},
    {"simple_null", in_path(Style::kSimple, false), nullptr, std::nullopt},
    {"label", in_path(Style::kLabel, false), "x", ".x"},
    {"label_list", in_path(Style::kLabel, false), kList, ".blue,a%2Cb"},
    {"label_list_exploded", in_path(Style::kLabel, true), kList, ".blue.a%2Cb"},
    {"label_object_exploded", in_path(Style::kLabel, true), kObject, ".G=200.R=100"},
    {"label_dot_in_list", in_path(Style::kLabel, true), json::array({"a.b", "c"}), std::nullopt},
    {"label_object", in_path(Style::kLabel, false), kObject, ".G,200,R,100"},
    {"label_list_30", in_path(Style::kLabel, false), kList, ".blue.a%2Cb", Version::k30},
    {"label_object_30", in_path(Style::kLabel, false), kObject, ".G.200.R.100", Version::k30},
    {"label_dot_in_list_30", in_path(Style::kLabel, false), json::array({"a.b", "c"}), std::nullopt,
     Version::k30},
    {"matrix", in_path(Style::kMatrix, false), 5, ";p=5"},
    {"matrix_list", in_path(Style::kMatrix, false), kList, ";p=blue,a%2Cb"},
    {"matrix_list_exploded", in_path(Style::kMatrix, true), kList, ";p=blue;p=a%2Cb"},
    {"matrix_object", in_path(Style::kMatrix, false), kObject, ";p=G,200,R,100"},
    {"matrix_object_exploded", in_path(Style::kMatrix, true), kObject, ";G=200;R=100"},
    {"form", in_query(Style::kForm, true), "a b&c", "p=a%20b%26c"},
    {"form_list", in_query(Style::kForm, true), kList, "p=blue&p=a%2Cb"},
    {"form_list_joined", in_query(Style::kForm, false), kList, "p=blue,a%2Cb"},
    {"form_object", in_query(Style::kForm, true), kObject, "G=200&R=100"},
    {"form_object_joined", in_query(Style::kForm, false), kObject, "p=G,200,R,100"},
    {"form_empty_list", in_query(Style::kForm, true), json::array(), std::nullopt},
    {"spaces", in_query(Style::kSpaceDelimited, false), json::array({1, 2}), "p=1%202"},
    {"pipes", in_query(Style::kPipeDelimited, false), json::array({1, 2}), "p=1%7C2"},
    {"deep",
     in_query(Style::kDeepObject, true),
     {{"a", {{"b", 1}}}, {"c", {1, 2}}},
     "p%5Ba%5D%5Bb%5D=1&p%5Bc%5D%5B0%5D=1&p%5Bc%5D%5B1%5D=2"},
    {"deep_list", in_query(Style::kDeepObject, true), json::array({"a"}), "p%5B0%5D=a"},
    {"deep_list_of_objects", in_query(Style::kDeepObject, true),
     json::array({{{"id", 1}}, {{"tags", {2}}}}), "p%5B0%5D%5Bid%5D=1&p%5B1%5D%5Btags%5D%5B0%5D=2"},
    {"deep_scalar_of_an_object", in_query(Style::kDeepObject, true), 5, std::nullopt}};

INSTANTIATE_TEST_SUITE_P(Styles, WrittenValue,
                         testing::ValuesIn(spec::tests::rows(kStylesWrittenValue)),
                         spec::tests::kRowNames);

TEST(WrittenHeader, is_rejected_where_no_field_line_can_carry_it) {
  Parameter header;
  header.location = Location::kHeader;
  header.style = Style::kSimple;

  EXPECT_EQ(write_header(header, json::array({1, 2})), "1,2");
  EXPECT_EQ(write_header(header, json::array({"a,b"})), std::nullopt);
  EXPECT_EQ(write_header(header, "two\nlines"), std::nullopt);
  EXPECT_EQ(write_header(header, " x"), std::nullopt);
}

TEST(Tables, quote_what_would_cut_them) {
  EXPECT_EQ(write_csv({{{"a", 1}, {"b", "x,\"y\""}}, {{"a", nullptr}, {"c", true}}}),
            "a,b,c\r\n1,\"x,\"\"y\"\"\",\r\n,,true\r\n");
  EXPECT_EQ(write_csv({{"a", 1}}), "a\r\n1\r\n");
  EXPECT_EQ(write_csv({{1, 2}, {3, 4}}), "1,2\r\n3,4\r\n");
}

struct XmlRow {
  std::string name;
  std::string schemas;  // of the contract; the value is of "Book"
  json value;
  std::string text;
};

using WrittenXml = spec::tests::RowTest;

TEST_P(WrittenXml, has_the_names_of_the_schemas_that_apply) {
  const XmlRow& row = GetParam();
  const Contract contract = load_contract_text(
      "openapi: 3.1.0\ninfo: {title: T, version: \"1\"}\ncomponents: {schemas: " + row.schemas +
      '}');
  MediaTypeObject content;
  content.schema =
      contract.schema_at(contract.root().find("components").find("schemas").find("Book"));

  EXPECT_EQ(write_xml({contract, content, {}}, row.value),
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n" + row.text + '\n');
}

const std::vector<XmlRow> kXmlRows = {
    {"names",
     R"yaml({Book: {xml: {name: book, prefix: b, namespace: "urn:x"}, properties: {
       id: {xml: {attribute: true}}, title: {xml: {name: Title}},
       tags: {items: {xml: {name: tag}}, xml: {wrapped: true}}, note: {}}}})yaml",
     {{"id", 7}, {"title", "a < b"}, {"tags", {"x", "y"}}, {"note", nullptr}},
     "<b:book xmlns:b=\"urn:x\" id=\"7\"><note></note>"
     "<tags><tag>x</tag><tag>y</tag></tags><Title>a &lt; b</Title></b:book>"},
    {"attribute_behind_all_of_and_ref",
     R"yaml({Book: {allOf: [{$ref: "#/components/schemas/Base"}]},
       Base: {properties: {id: {xml: {attribute: true}}}}})yaml",
     {{"id", 7}},
     "<Book id=\"7\"></Book>"},
    {"attribute_behind_any_of",
     R"yaml({Book: {anyOf: [{properties: {id: {xml: {attribute: true}}}}, {type: "null"}]}})yaml",
     {{"id", 7}},
     "<Book id=\"7\"></Book>"},
    {"attribute_in_any_of_of_the_member",
     R"yaml({Book: {properties: {id: {anyOf: [
       {type: integer, xml: {attribute: true}}, {type: "null"}]}}}})yaml",
     {{"id", 7}},
     "<Book id=\"7\"></Book>"},
    {"name_beside_ref",
     R"yaml({Book: {properties: {by: {$ref: "#/components/schemas/Person", xml: {name: author}}}},
       Person: {xml: {name: person}}})yaml",
     {{"by", "A"}},
     "<Book><author>A</author></Book>"},
    {"names_of_the_valid_alternatives",
     R"yaml({Book: {items: {oneOf: [{type: string, xml: {name: title}},
       {type: integer, xml: {name: id}}]}}})yaml",
     {7, "x"},
     "<Book><id>7</id><title>x</title></Book>"},
    {"control_characters",
     R"yaml({Book: {properties: {note: {xml: {attribute: true}}}}})yaml",
     {{"note", "a\n\x01"}},
     "<Book note=\"a&#10;?\"></Book>"}};

INSTANTIATE_TEST_SUITE_P(Xml, WrittenXml, testing::ValuesIn(spec::tests::rows(kXmlRows)),
                         spec::tests::kRowNames);

TEST(Files, begin_as_their_kind_does) {
  const auto file = [](const char* type) {
    return small_file(http::parse_media_type(type).value()).value_or("none");
  };
  EXPECT_EQ(file("application/pdf").substr(0, 5), "%PDF-");
  EXPECT_THAT(file("application/pdf"), testing::EndsWith("%%EOF\n"));
  EXPECT_EQ(file("image/png").substr(1, 3), "PNG");
  EXPECT_EQ(file("image/gif").substr(0, 6), "GIF89a");
  EXPECT_EQ(file("application/zip").size(), 22U);
  EXPECT_EQ(file("application/x-thing"), "none");
}

}  // namespace

}  // namespace spec::contract::write
