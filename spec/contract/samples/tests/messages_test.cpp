// What made messages look like, case by case.

#include "spec/contract/samples/files.hpp"
#include "spec/contract/samples/header_values.hpp"
#include "spec/contract/samples/message.hpp"
#include "spec/contract/samples/request_corners.hpp"
#include "spec/contract/samples/text_forms.hpp"
#include "spec/contract/samples/write_value.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <numeric>

namespace spec::contract::samples {

namespace {

using nlohmann::json;
using testing::Contains;
using testing::ElementsAre;
using testing::Pair;

struct Written {
  std::string name;
  Parameter parameter;
  json value;
  std::optional<std::string> text;
  Version version = Version::k31;

  friend void PrintTo(const Written& written, std::ostream* out) { *out << written.name; }
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

class WrittenValue : public testing::TestWithParam<Written> {};

// Source: OpenAPI 3.1.1 §4.8.12.4, 3.0.3 §4.7.12.4, Style Examples.
TEST_P(WrittenValue, is_as_its_style_says) {
  const Parameter& parameter = GetParam().parameter;
  if (parameter.location == Location::kPath) {
    EXPECT_EQ(write_path(parameter, GetParam().value, GetParam().version), GetParam().text);
    return;
  }
  const auto fields = write_fields(parameter, GetParam().value);
  EXPECT_EQ(fields ? std::optional(join_fields(*fields, "&")) : std::nullopt, GetParam().text);
}

const json kList = json::array({"blue", "a,b"});
const json kObject = {{"G", 200}, {"R", 100}};

INSTANTIATE_TEST_SUITE_P(
    Styles, WrittenValue,
    testing::Values(
        Written{"simple", in_path(Style::kSimple, false), "a/b", "a%2Fb"},
        Written{"simple_list", in_path(Style::kSimple, false), kList, "blue,a%2Cb"},
        Written{"simple_object", in_path(Style::kSimple, false), kObject, "G,200,R,100"},
        Written{"simple_object_exploded", in_path(Style::kSimple, true), kObject, "G=200,R=100"},
        Written{"simple_empty", in_path(Style::kSimple, false), "", std::nullopt},
        Written{"simple_null", in_path(Style::kSimple, false), nullptr, std::nullopt},
        Written{"label", in_path(Style::kLabel, false), "x", ".x"},
        Written{"label_list", in_path(Style::kLabel, false), kList, ".blue,a%2Cb"},
        Written{"label_list_exploded", in_path(Style::kLabel, true), kList, ".blue.a%2Cb"},
        Written{"label_object_exploded", in_path(Style::kLabel, true), kObject, ".G=200.R=100"},
        Written{"label_dot_in_list", in_path(Style::kLabel, true), json::array({"a.b", "c"}),
                std::nullopt},
        Written{"label_object", in_path(Style::kLabel, false), kObject, ".G,200,R,100"},
        Written{"label_list_30", in_path(Style::kLabel, false), kList, ".blue.a%2Cb", Version::k30},
        Written{"label_object_30", in_path(Style::kLabel, false), kObject, ".G.200.R.100",
                Version::k30},
        Written{"label_dot_in_list_30", in_path(Style::kLabel, false), json::array({"a.b", "c"}),
                std::nullopt, Version::k30},
        Written{"matrix", in_path(Style::kMatrix, false), 5, ";p=5"},
        Written{"matrix_list", in_path(Style::kMatrix, false), kList, ";p=blue,a%2Cb"},
        Written{"matrix_list_exploded", in_path(Style::kMatrix, true), kList, ";p=blue;p=a%2Cb"},
        Written{"matrix_object", in_path(Style::kMatrix, false), kObject, ";p=G,200,R,100"},
        Written{"matrix_object_exploded", in_path(Style::kMatrix, true), kObject, ";G=200;R=100"},
        Written{"form", in_query(Style::kForm, true), "a b&c", "p=a%20b%26c"},
        Written{"form_list", in_query(Style::kForm, true), kList, "p=blue&p=a%2Cb"},
        Written{"form_list_joined", in_query(Style::kForm, false), kList, "p=blue,a%2Cb"},
        Written{"form_object", in_query(Style::kForm, true), kObject, "G=200&R=100"},
        Written{"form_object_joined", in_query(Style::kForm, false), kObject, "p=G,200,R,100"},
        Written{"form_empty_list", in_query(Style::kForm, true), json::array(), std::nullopt},
        Written{"spaces", in_query(Style::kSpaceDelimited, false), json::array({1, 2}), "p=1%202"},
        Written{"pipes", in_query(Style::kPipeDelimited, false), json::array({1, 2}), "p=1%7C2"},
        Written{"deep",
                in_query(Style::kDeepObject, true),
                {{"a", {{"b", 1}}}, {"c", {1, 2}}},
                "p%5Ba%5D%5Bb%5D=1&p%5Bc%5D=1&p%5Bc%5D=2"}),
    [](const auto& each) { return each.param.name; });

TEST(WrittenHeader, is_refused_where_no_field_line_can_carry_it) {
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
  EXPECT_EQ(write_json_lines({{{"n", 1}}, 2}), "{\"n\":1}\n2\n");
}

TEST(Xml, says_what_the_schema_calls_its_parts) {
  const Contract contract = load_contract_text(R"yaml(
openapi: 3.1.0
info: {title: T, version: "1"}
components:
  schemas:
    Book:
      xml: {name: book, prefix: b, namespace: "urn:x"}
      properties:
        id: {xml: {attribute: true}}
        title: {xml: {name: Title}}
        tags: {items: {xml: {name: tag}}, xml: {wrapped: true}}
        note: {}
)yaml");
  const auto schema = contract.root().find("components").find("schemas").find("Book");
  const json value = {{"id", 7}, {"title", "a < b"}, {"tags", {"x", "y"}}, {"note", nullptr}};

  EXPECT_EQ(write_xml(value, schema, [](const document::Node& node) { return node; }),
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
            "<b:book id=\"7\" xmlns:b=\"urn:x\"><note></note>"
            "<tags><tag>x</tag><tag>y</tag></tags><Title>a &lt; b</Title></b:book>\n");
}

TEST(HttpDates, are_written_as_http_wants_them) {
  EXPECT_EQ(http_date(784'111'777), "Sun, 06 Nov 1994 08:49:37 GMT");
  EXPECT_EQ(http_date(1'709'164'800), "Thu, 29 Feb 2024 00:00:00 GMT");
}

TEST(Files, begin_as_their_kind_does) {
  const auto file = [](const char* type) {
    return sample_file(http::parse_media_type(type).value()).value_or("none");
  };
  EXPECT_EQ(file("application/pdf").substr(0, 5), "%PDF-");
  EXPECT_THAT(file("application/pdf"), testing::EndsWith("%%EOF\n"));
  EXPECT_EQ(file("image/png").substr(1, 3), "PNG");
  EXPECT_EQ(file("image/gif").substr(0, 6), "GIF89a");
  EXPECT_EQ(file("application/zip").size(), 22U);
  EXPECT_EQ(file("application/x-thing"), "none");
}

// Every byte, as a file beside the document: no coding touches it.
struct WrittenOut {
  std::string name;
  std::string example;
  std::optional<Body> body;

  friend void PrintTo(const WrittenOut& test, std::ostream* out) { *out << test.name; }
};

class MultipartText : public testing::TestWithParam<WrittenOut> {};

TEST_P(MultipartText, is_sent_with_its_own_boundary) {
  const Contract contract = load_contract_text(R"({"openapi": "3.1.0",
    "info": {"title": "t", "version": "1"}, "paths": {"/a": {"get": {"responses": {"200": {
    "description": "ok", "content": {"multipart/form-data": {"schema": {"type": "object",
    "properties": {"n": {"type": "integer"}}}}}}}}}}})");
  const Operation& operation = contract.operations()[0];

  const auto body = answer_body(contract, {operation, operation.answers[0].contents[0]},
                                json(GetParam().example));

  ASSERT_EQ(body.has_value(), GetParam().body.has_value());
  EXPECT_EQ(body ? body->media_type : "", GetParam().body ? GetParam().body->media_type : "");
  EXPECT_EQ(body ? body->bytes : "", GetParam().body ? GetParam().body->bytes : "");
}

INSTANTIATE_TEST_SUITE_P(
    Texts, MultipartText,
    testing::Values(
        WrittenOut{"parts", "--x\nContent-Disposition: form-data; name=\"n\"\n\n1\n--x--\n",
                   Body{"multipart/form-data;boundary=x",
                        "--x\r\nContent-Disposition: form-data; name=\"n\"\r\n\r\n1\r\n--x--\r\n"}},
        WrittenOut{"json", R"({"n": 1})",
                   Body{"multipart/form-data;boundary=counterpart-7f3c1b9e",
                        "--counterpart-7f3c1b9e\r\n"
                        "Content-Disposition: form-data; name=\"n\"\r\n"
                        "Content-Type: text/plain\r\n\r\n1\r\n--counterpart-7f3c1b9e--\r\n"}},
        WrittenOut{"words", "some words", std::nullopt},
        WrittenOut{"parts_without_an_end", "--x\n\n1\n", std::nullopt}),
    [](const auto& each) { return each.param.name; });

TEST(AnswerBody, has_the_bytes_of_an_external_example) {
  const auto folder = std::filesystem::path(testing::TempDir()) / "external_bytes";
  std::filesystem::create_directories(folder);
  std::string bytes(256, '\0');
  std::iota(bytes.begin(), bytes.end(), '\0');
  std::ofstream(folder / "all.bin", std::ios::binary) << bytes;
  std::ofstream(folder / "contract.yaml") << R"yaml(
openapi: 3.1.0
info: {title: T, version: "1"}
paths: {/a: {get: {responses: {"200": {description: ok, content: {application/octet-stream; charset=utf-8: {examples: {all: {externalValue: all.bin}}}}}}}}}
)yaml";
  const Contract contract = load_contract(folder / "contract.yaml");
  const Operation& operation = contract.operations().front();

  const Content& content = operation.answers.front().contents.front();
  const auto body = sample_answer_body(contract, Sampler(contract.schemas()),
                                       {.operation = operation, .content = content}, {});

  ASSERT_TRUE(body.has_value());
  EXPECT_EQ(body->bytes, bytes);
  EXPECT_EQ(body->media_type, "application/octet-stream; charset=utf-8");
  std::filesystem::remove_all(folder);
}

constexpr std::string_view kDocument = R"yaml(
openapi: 3.1.0
info: {title: T, version: "1"}
paths:
  /a/{id}:
    post:
      parameters:
        - {name: id, in: path, required: true, schema: {type: integer, minimum: 1}}
        - {name: size, in: query, required: true, schema: {type: integer, minimum: 1, maximum: 100}}
      requestBody:
        required: true
        content: {application/json: {schema: {type: object, required: [name], properties: {name: {type: string, minLength: 2, maxLength: 30}}}}}
      responses: {"204": {description: ok}}
)yaml";

std::vector<std::string> corners_of(std::string_view text, bool valid) {
  const Contract contract = load_contract_text(text);
  const Sampler sampler(contract.schemas());
  std::vector<std::string> found;
  for (const RequestCorner& corner :
       request_corners(contract, sampler, contract.operations().front())) {
    if (corner.valid == valid) {
      found.push_back(std::string(to_text(corner.part)) + corner.place + ' ' + corner.keyword);
    }
  }
  return found;
}

TEST(RequestCorners, break_each_keyword_of_parameters_and_body) {
  EXPECT_THAT(corners_of(kDocument, false),
              testing::IsSupersetOf({"path/id minimum", "path/id type", "query/size missing",
                                     "query/size minimum", "query/size maximum", "query/size type",
                                     "body missing", "body required", "body minLength",
                                     "body maxLength", "body type"}));
}

TEST(RequestCorners, stand_at_each_bound) {
  EXPECT_THAT(corners_of(kDocument, true),
              testing::IsSupersetOf({"path/id minimum", "query/size minimum", "query/size maximum",
                                     "body minLength", "body maxLength"}));
}

constexpr std::string_view kStructured = R"yaml(
openapi: 3.1.0
info: {title: T, version: "1"}
paths:
  /a:
    post:
      parameters:
        - {name: ids, in: query, schema: {type: array, minItems: 2, maxItems: 3, items: {type: integer, maximum: 5}}}
        - {name: joined, in: query, explode: false, schema: {type: array, maxItems: 2, items: {type: string, maxLength: 3}}}
        - {name: deep, in: query, style: deepObject, explode: true, schema: {type: object, required: [a], properties: {a: {type: integer}, b: {type: integer, minimum: 1}}, additionalProperties: false}}
        - {name: X-List, in: header, schema: {type: array, maxItems: 2, items: {type: integer}}}
        - {name: X-Pair, in: header, schema: {type: object, required: [a], properties: {a: {type: integer, maximum: 9}}}}
        - {name: sizes, in: cookie, explode: false, schema: {type: array, maxItems: 2, items: {type: integer}}}
      requestBody:
        required: true
        content:
          application/x-www-form-urlencoded: {schema: {type: object, required: [lines], properties: {lines: {type: array, minItems: 1, maxItems: 2, items: {type: object, required: [n], properties: {n: {type: integer, maximum: 5}}}}}}}
          multipart/form-data: {schema: {type: object, required: [word], properties: {word: {type: string, maxLength: 5}}}}
      responses: {"204": {description: ok}}
)yaml";

TEST(RequestCorners, break_lists_and_objects_in_every_place) {
  EXPECT_THAT(corners_of(kStructured, false),
              testing::IsSupersetOf(
                  {"query/ids minItems", "query/ids maxItems", "query/ids maximum",
                   "query/ids type", "query/joined maxItems", "query/joined maxLength",
                   "query/deep required", "query/deep minimum", "query/deep additionalProperties",
                   "header/X-List maxItems", "header/X-Pair maximum", "cookie/sizes maxItems"}));
}

TEST(RequestCorners, break_bodies_of_every_media_type) {
  EXPECT_THAT(
      corners_of(kStructured, false),
      testing::IsSupersetOf({"body maxItems", "body required", "body maximum", "body maxLength"}));
}

TEST(SampledRequest, leaves_optional_values_out_where_asked) {
  const Contract contract = load_contract_text(R"yaml(
openapi: 3.1.0
info: {title: T, version: "1"}
paths: {/a: {get: {parameters: [{name: q, in: query, schema: {type: integer}}], responses: {"204": {description: ok}}}}}
)yaml");
  const Sampler sampler(contract.schemas());
  RequestOptions options;
  options.optional = Optional::kNone;

  EXPECT_EQ(sample_request(contract, sampler, contract.operations().front(), options)->target,
            "/a");
  options.optional = Optional::kAll;
  options.given["q"] = 5;
  EXPECT_EQ(sample_request(contract, sampler, contract.operations().front(), options)->target,
            "/a?q=5");
}

TEST(SampledRequest, says_why_there_is_none) {
  const Contract contract = load_contract_text(R"yaml(
openapi: 3.1.0
info: {title: T, version: "1"}
paths: {/a: {get: {parameters: [{name: q, in: query, required: true, schema: {type: integer, minimum: 5, maximum: 4}}], responses: {"204": {description: ok}}}}}
)yaml");
  const auto request =
      sample_request(contract, Sampler(contract.schemas()), contract.operations().front());

  ASSERT_FALSE(request.has_value());
  EXPECT_THAT(request.error().message, testing::HasSubstr("none was found for q"));
}

}  // namespace

}  // namespace spec::contract::samples
