// The points of a contract, and the points that a message covers.

#include "spec/contract/checking/contract_coverage.hpp"
#include "spec/contract/loading/load_contract.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace spec::contract {
namespace {

using nlohmann::json;
using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Not;

constexpr std::string_view kContract = R"(
openapi: 3.1.0
info: {title: Shop, version: "1"}
paths:
  /orders/{id}:
    post:
      operationId: change
      parameters:
        - {name: id, in: path, required: true, schema: {type: string}}
        - {name: size, in: query, schema: {type: integer}}
        - {name: state, in: query, required: true, schema: {enum: [open, shut]}}
      requestBody:
        content:
          application/json: {schema: {$ref: '#/components/schemas/Order'}}
          application/x-www-form-urlencoded: {schema: {properties: {note: {}}}}
      responses:
        "200":
          description: d
          content:
            application/json: {schema: {$ref: '#/components/schemas/Order'}}
            application/pdf: {}
        4XX: {description: d}
        default: {description: d}
components:
  schemas:
    Order:
      type: object
      properties:
        note: {type: [string, "null"]}
        tags: {type: array, items: {enum: [new, old, gone]}}
        "a/b": {oneOf: [{const: 1}, {const: 2}, {type: "null"}]}
        below: {$ref: '#/components/schemas/Order'}
        free: {type: object, additionalProperties: true}
        prices: {additionalProperties: {properties: {amount: {}}}}
        kind: {const: order}
)";

class CoverageOfOrders : public testing::Test {
 protected:
  const Operation& operation() const { return contract_.operations().front(); }

  void send(const std::string& target, const std::string& body = "",
            const std::string& type = "application/json") {
    http::Request request;
    request.method = "POST";
    request.target = target;
    request.body = body;
    if (!body.empty()) {
      request.headers.add("Content-Type", type);
    }
    const Match match = contract_.route("POST", http::path_of(target));
    coverage_.note(contract_, operation(), request,
                   validate_request(contract_, operation(), request, match.path_values));
  }

  void receive(int status, const std::string& type = "", const std::string& body = "") {
    http::Response response;
    response.status = status;
    response.body = body;
    if (!type.empty()) {
      response.headers.add("Content-Type", type);
    }
    coverage_.note(contract_, operation(), response);
  }

  std::vector<std::string> texts(PointKind kind, bool seen) const {
    std::vector<std::string> texts;
    for (const Point& point : report().points) {
      if (point.kind == kind && point.seen == seen) {
        texts.push_back(point.text);
      }
    }
    return texts;
  }

  std::vector<std::string> unseen(PointKind kind) const { return texts(kind, false); }

  std::vector<std::string> seen(PointKind kind) const { return texts(kind, true); }

  OperationCoverage report() const { return coverage_.report(contract_).operations.front(); }

  Point enumeration(const std::string& text) const {
    for (const Point& point : report().points) {
      if (point.kind == PointKind::kEnumeration && point.text == text) {
        return point;
      }
    }
    return {};
  }

  Contract contract_ = load_contract_text(kContract);
  Coverage coverage_;
};

TEST_F(CoverageOfOrders, begins_with_nothing_covered) {
  EXPECT_FALSE(report().was_called());
  EXPECT_THAT(unseen(PointKind::kStatus), ElementsAre("200", "4XX", "default"));
  EXPECT_THAT(unseen(PointKind::kMediaType),
              ElementsAre("200 application/json", "200 application/pdf", "request application/json",
                          "request application/x-www-form-urlencoded"));
  EXPECT_THAT(unseen(PointKind::kParameter),
              ElementsAre("query size", "query size not given", "query state"));
  EXPECT_THAT(unseen(PointKind::kNull),
              ElementsAre("200 /a~1b", "200 /note", "request /a~1b", "request /note"));
  EXPECT_EQ(coverage_.report(contract_).seen(), 0U);
}

TEST_F(CoverageOfOrders, has_a_point_for_each_property_element_and_member_of_a_map) {
  std::vector<std::string> of_response;
  for (const std::string& text : unseen(PointKind::kField)) {
    if (text.starts_with("200 ")) {
      of_response.push_back(text);
    }
  }

  EXPECT_THAT(of_response, ElementsAre("200 /a~1b", "200 /below", "200 /free", "200 /kind",
                                       "200 /note", "200 /prices", "200 /prices/*",
                                       "200 /prices/*/amount", "200 /tags", "200 /tags/*"));
}

TEST_F(CoverageOfOrders, counts_an_enumeration_as_one_point_of_a_size) {
  EXPECT_THAT(
      unseen(PointKind::kEnumeration),
      ElementsAre("200 /a~1b", "200 /tags/*", "query state", "request /a~1b", "request /tags/*"));
  receive(200, "application/json", R"({"tags": ["old", "new", "old", "unknown"], "a/b": 2.0})");

  EXPECT_TRUE(enumeration("200 /tags/*").seen);
  EXPECT_EQ(enumeration("200 /tags/*").values, 3U);
  EXPECT_EQ(enumeration("200 /tags/*").values_seen.size(), 2U);
  EXPECT_EQ(enumeration("200 /a~1b").values_seen.size(), 1U);
  EXPECT_FALSE(enumeration("request /tags/*").seen);
}

TEST_F(CoverageOfOrders, sees_what_a_request_gives_and_leaves_out) {
  send("/orders/1?state=open", R"({"note": null, "prices": {"a": {"amount": 1}}, "other": 1})");
  EXPECT_THAT(seen(PointKind::kParameter), ElementsAre("query size not given", "query state"));
  EXPECT_THAT(seen(PointKind::kField),
              ElementsAre("request /note", "request /prices", "request /prices/*",
                          "request /prices/*/amount"));
  EXPECT_THAT(seen(PointKind::kNull), ElementsAre("request /note"));
  EXPECT_EQ(enumeration("query state").values_seen.size(), 1U);

  send("/orders/1?state=open&size=2", "note=a", "application/x-www-form-urlencoded");
  EXPECT_THAT(unseen(PointKind::kParameter), IsEmpty());
  EXPECT_THAT(seen(PointKind::kMediaType),
              ElementsAre("request application/json", "request application/x-www-form-urlencoded"));
}

TEST_F(CoverageOfOrders, does_not_take_what_cannot_be_read_for_given_or_left_out) {
  send("/orders/1?state=open&size=x");

  EXPECT_THAT(unseen(PointKind::kParameter), ElementsAre("query size", "query size not given"));
}

TEST_F(CoverageOfOrders, sees_the_status_that_governs_a_response) {
  receive(200, "application/pdf", "%PDF");
  receive(404);
  receive(500, "application/json", "{}");

  EXPECT_THAT(unseen(PointKind::kStatus), IsEmpty());
  EXPECT_THAT(seen(PointKind::kMediaType), ElementsAre("200 application/pdf"));
  EXPECT_TRUE(report().was_called());
}

TEST_F(CoverageOfOrders, looks_into_a_recursive_schema_once) {
  receive(200, "application/json", R"({"below": {"note": "x", "below": {"note": null}}})");

  EXPECT_THAT(seen(PointKind::kField), ElementsAre("200 /below"));
}

TEST_F(CoverageOfOrders, is_complete_when_everything_was_seen) {
  const std::string order = R"({"note": "x", "tags": ["new"], "a/b": 1, "below": {}, "free": {},
                               "prices": {"a": {"amount": 1}}, "kind": "order"})";
  const std::string nulls = R"({"note": null, "a/b": null})";
  send("/orders/1?state=open", order);
  send("/orders/1?state=shut&size=1", nulls);
  send("/orders/1?state=shut", "note=a", "application/x-www-form-urlencoded");
  receive(200, "application/json", order);
  receive(200, "application/json", nulls);
  receive(200, "application/pdf");
  receive(404);
  receive(500);

  const CoverageReport report = coverage_.report(contract_);

  EXPECT_EQ(report.seen(), report.points());
  EXPECT_EQ(report.percent(), 100.0);
}

TEST(CoverageReport, is_100_percent_only_when_all_points_were_seen) {
  EXPECT_EQ(percent_text(0, 7), "0.0");
  EXPECT_EQ(percent_text(4, 7), "57.1");
  EXPECT_EQ(percent_text(9'997, 10'000), "99.9");
  EXPECT_EQ(percent_text(10'000, 10'000), "100.0");
  EXPECT_EQ(percent_text(0, 0), "100.0");
}

// Many codes in one enumeration weigh no more than one property.
TEST(CoverageReport, stays_short_with_a_long_enumeration) {
  json codes = json::array();
  for (int code = 0; code < 145; ++code) {
    codes.push_back("C" + std::to_string(code));
  }
  const json description{
      {"openapi", "3.1.0"},
      {"info", {{"title", "t"}, {"version", "1"}}},
      {"paths",
       {{"/a",
         {{"get",
           {{"operationId", "read"},
            {"responses",
             {{"200",
               {{"description", "d"},
                {"content",
                 {{"application/json",
                   {{"schema", {{"properties", {{"code", {{"enum", codes}}}}}}}}}}}}}}}}}}}}}};
  const Contract contract = load_contract_text(description.dump());

  const CoverageReport report = Coverage().report(contract);

  EXPECT_EQ(report.points(), 5U);  // operation, status, media type, field, enumeration
  EXPECT_EQ(report.operations.front().points.back().values, 145U);
}

// "a.yaml" says where things are in "b.yaml".
TEST(CoverageReport, follows_references_into_other_files) {
  const std::filesystem::path folder = testing::TempDir() + "/coverage_of_many_files";
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "a.yaml") << R"(
openapi: 3.1.0
info: {title: t, version: "1"}
paths:
  /a:
    get:
      operationId: read
      responses:
        "200":
          description: d
          content: {application/json: {schema: {$ref: 'b.yaml#/$defs/thing'}}}
)";
  std::ofstream(folder / "b.yaml") << R"(
$defs:
  thing: {allOf: [{properties: {state: {enum: [on, off]}}}, {properties: {list: {items: {$ref: '#part'}}}}]}
  part: {$anchor: part, properties: {id: {type: string}}}
)";
  const Contract contract = load_contract(folder / "a.yaml");

  std::vector<std::string> fields;
  const CoverageReport report = Coverage().report(contract);
  for (const Point& point : report.operations.front().points) {
    if (point.kind == PointKind::kField || point.kind == PointKind::kEnumeration) {
      fields.push_back(point.text);
    }
  }

  EXPECT_THAT(fields, ElementsAre("200 /list", "200 /list/*", "200 /list/*/id", "200 /state",
                                  "200 /state"));
}

TEST(CoverageReport, counts_what_was_seen_under_another_contract_where_the_point_is_the_same) {
  const auto of_status = [](const std::string& status) {
    return load_contract_text(
        "openapi: 3.1.0\ninfo: {title: t, version: '1'}\npaths: {/a: {get: {operationId: read, "
        "responses: {'" +
        status + "': {description: d}, '404': {description: d}}}}}");
  };
  const Contract before = of_status("200");
  const Contract after = of_status("201");
  http::Response response;
  response.status = 404;
  Coverage coverage;

  coverage.note(before, before.operations().front(), response);

  EXPECT_EQ(coverage.report(after).points(), 3U);
  EXPECT_EQ(coverage.report(after).seen(), 2U);
}

}  // namespace
}  // namespace spec::contract
