// Contracts that ask for more than any reader should do: they load, in bounded time and memory.

#include "spec/contract/contract.hpp"
#include "spec/contract/loading/load_contract.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <string>

namespace spec::contract {
namespace {

using Json = nlohmann::json;

// A body of `media_type` whose member "a" is of two schemas at once, each of which leads to the
// next.
Contract doubling(const std::string& media_type, int count) {
  std::string text =
      "openapi: 3.1.0\ninfo: {title: t, version: '1'}\npaths:\n  /a:\n    post:\n      "
      "operationId: "
      "a\n      requestBody: {content: {" +
      media_type +
      ": {schema: {$ref: '#/components/schemas/S0'}}}}\n      responses: {'204': {description: "
      "d}}\ncomponents:\n  schemas:\n";
  for (int at = 0; at < count; ++at) {
    const std::string next = at + 1 == count ? "S0" : "S" + std::to_string(at + 1);
    text += "    S" + std::to_string(at) +
            ": {type: object, properties: {a: {allOf: [{$ref: '#/components/schemas/S0'}, {$ref: "
            "'#/components/schemas/" +
            next + "'}]}}}\n";
  }
  return load_contract_text(text);
}

TEST(Bounds, shapes_of_forms_are_not_made_without_end) {
  EXPECT_EQ(doubling("application/x-www-form-urlencoded", 24).operations().size(), 1U);
}

TEST(Bounds, names_that_bodies_know_are_not_gathered_without_end) {
  EXPECT_EQ(doubling("application/json", 24).operations().size(), 1U);
}

TEST(Bounds, a_write_only_member_goes_with_its_write_only_parent) {
  const Contract contract = load_contract_text(R"(
openapi: 3.1.0
info: {title: t, version: "1"}
paths:
  /a:
    get:
      operationId: a
      responses:
        "200":
          description: d
          content:
            application/json:
              schema:
                properties: {a: {writeOnly: true}}
                patternProperties: {^a: {properties: {b: {writeOnly: true}}}}
)");
  const auto& response = contract.operations().front().responses.front();

  EXPECT_EQ(without_write_only(contract, response.contents.front().schema,
                               Json::parse(R"({"a":{"b":1},"c":2})")),
            Json::parse(R"({"c":2})"));
}

}  // namespace
}  // namespace spec::contract
