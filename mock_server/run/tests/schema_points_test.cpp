#include "mock_server/run/schema_points.hpp"

#include "spec/document/load.hpp"
#include "spec/json/read.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <vector>

namespace mock_server::run {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr std::string_view kText = R"(
schema:
  type: object
  properties:
    name: {type: string}
    plan: {enum: [free, paid]}
    items: {type: array, items: {$ref: '#/definitions/item'}}
  anyOf:
    - properties: {extra: {enum: [1, null]}}
definitions:
  item:
    properties:
      below: {$ref: '#/definitions/item'}
      "a/b": {}
)";

class SchemaPoints : public testing::Test {
 protected:
  spec::document::Node schema() const { return root_.find("schema"); }

  std::vector<std::string> of(std::string_view instance) const {
    std::vector<std::string> texts;
    each_point_of(schema(), *spec::json::read(instance), "",
                  [&](PointKind, const std::string& text) { texts.push_back(text); });
    return texts;
  }

 private:
  spec::document::Library library_;
  spec::document::Node root_ =
      library_.add("test:/a", "a.yaml", kText, spec::document::Format::kYaml);
};

TEST_F(SchemaPoints, are_fields_and_values_by_place) {
  std::vector<std::string> texts;

  each_point(schema(), "", [&](PointKind, const std::string& text) { texts.push_back(text); });

  EXPECT_THAT(texts, ElementsAre("/name", "/plan", "/plan = free", "/plan = paid", "/items",
                                 "/items/*/below", "/items/*/a~1b", "/extra", "/extra = 1",
                                 "/extra = null"));
}

TEST_F(SchemaPoints, of_an_instance_are_those_that_it_has) {
  EXPECT_THAT(of(R"({"plan": "paid", "extra": 1.0, "other": 2})"),
              ElementsAre("/plan", "/plan = paid", "/extra", "/extra = 1"));
  EXPECT_THAT(of(R"({"items": [{}, {"a/b": 1}]})"), ElementsAre("/items", "/items/*/a~1b"));
  EXPECT_THAT(of("[1]"), IsEmpty());
}

}  // namespace
}  // namespace mock_server::run
