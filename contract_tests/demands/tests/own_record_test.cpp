// Decides by the contract if a run can have records of its own; and reads them in responses.

#include "contract_tests/plan/own_record.hpp"

#include "contract_tests/plan/generated_plan.hpp"
#include "spec/contract/loading/load_contract.hpp"
#include "spec/tests/folder.hpp"
#include "spec/tests/rows.hpp"

#include <gmock/gmock.h>

namespace contract_tests::plan {
namespace {

using nlohmann::json;
using testing::HasSubstr;

// A collection with an item, of which a row leaves something out.
struct OwnRow {
  std::string name;
  std::string asked = "create";
  std::string collection = "/books";
  std::string answer = "{id: {type: integer}}";  // properties of what POST returns
  std::string body = "{title: {type: string}}";  // properties of what POST takes
  std::string item = "get, put, delete";         // methods
  std::string item_path = "/books/{id}";
  std::string remove = "delete";
  std::string why_not = "";  // part of it; "" if it can
};

void PrintTo(const OwnRow& row, std::ostream* out) {
  *out << row.name;
}

class OwnRecords : public testing::TestWithParam<OwnRow> {
 protected:
  spec::contract::Contract load() {
    const auto& row = GetParam();
    std::string text =
        "openapi: 3.1.0\ninfo: {title: T, version: '1'}\npaths:\n  " + row.collection +
        ":\n    post: {operationId: create, requestBody: {required: true, content: "
        "{application/json: {schema: {type: object, required: [title], properties: " +
        row.body + "}}}}, responses: {'201': {description: ok, content: " +
        "{application/json: {schema: {type: object, properties: " + row.answer +
        "}}}}}}\n    patch: {operationId: change_all, responses: {'204': " +
        "{description: ok}}}\n  " + row.item_path +
        ":\n    parameters: [{name: id, in: path, required: true, schema: {type: integer}}]\n";
    for (const std::string method : {"get", "put", "delete", "post"}) {
      if (row.item.find(method) != std::string::npos) {
        text += "    " + method + ": {operationId: " + method + ", responses: {'200': " +
                "{description: ok, content: {application/json: {schema: {type: object, " +
                "properties: {title: {type: string}}}}}}}}\n";
      }
    }
    return spec::contract::load_contract(folder_.write("c.yaml", text));
  }

  test_support::Folder folder_;
};

TEST_P(OwnRecords, are_found_or_the_reason_is_given) {
  const auto contract = load();
  const spec::schema::generate::Generator generator(contract.schemas());

  const auto resources = spec::contract::resources_of(contract);
  const auto& asked = *contract.operation(GetParam().asked);

  const auto own =
      own_record_of(contract, resources, asked,
                    [&](const spec::contract::Operation& operation) -> std::optional<RequestPlan> {
                      auto drawn = generated_plain(contract, generator, operation);
                      return drawn ? std::optional(std::move(drawn->request)) : std::nullopt;
                    });

  EXPECT_EQ(own.why_not.empty(), GetParam().why_not.empty()) << own.why_not;
  EXPECT_THAT(own.why_not, HasSubstr(GetParam().why_not));
  if (own.why_not.empty()) {
    EXPECT_EQ(own.remove == nullptr ? "" : own.remove->id, GetParam().remove);
    EXPECT_EQ(own.marker, "title");
    EXPECT_FALSE(own.request.body->contains("id"));
  }
}

const std::vector<OwnRow> kOwnRows{
    {.name = "by_post"},
    {.name = "by_put", .asked = "put"},
    {.name = "by_delete", .asked = "delete"},
    {.name = "a_slash_at_the_end", .collection = "/books/"},
    {.name = "a_format_at_the_end", .collection = "/books.json", .item_path = "/books/{id}.json"},
    {.name = "brackets", .asked = "put", .item_path = "/books({id})"},
    {.name = "changed_by_post", .asked = "post", .item = "get, post, delete"},
    {.name = "an_identifier_inside",
     .answer = "{data: {type: object, properties: {id: {type: string}}}}"},
    {.name = "an_identifier_in_the_body", .body = "{id: {type: integer}, title: {type: string}}"},
    {.name = "no_delete", .item = "get, put", .remove = ""},
    {.name = "many_at_once", .asked = "change_all", .why_not = "no POST and GET"},
    {.name = "no_get", .item = "put, delete", .why_not = "no POST and GET"},
    {.name = "another_collection",
     .asked = "delete",
     .collection = "/films",
     .why_not = "no POST and GET"},
    {.name = "no_identifier",
     .answer = "{count: {type: integer}}",
     .why_not = "does not show the identifier"}};

INSTANTIATE_TEST_SUITE_P(Of, OwnRecords, testing::ValuesIn(kOwnRows), spec::tests::kRowNames);

OwnRecord by_id() {
  OwnRecord own;
  own.members = {"id"};
  own.marker = "title";
  return own;
}

std::optional<std::string> identifier_of_response(const std::string& body,
                                                  const std::string& location = "") {
  spec::http::Response response{.status = 201, .reason = "", .headers = {}, .body = body};
  if (!location.empty()) {
    response.headers.add("Location", location);
  }
  return identifier_in(by_id(), {}, response);
}

TEST(IdentifierIn, a_response_is_found_in_its_object_in_the_one_inside_or_in_location) {
  EXPECT_EQ(identifier_of_response(R"({"id": 7})"), "7");
  EXPECT_EQ(identifier_of_response(R"({"id": 7.00})"), "7");
  EXPECT_EQ(identifier_of_response(R"({"data": {"id": "a b"}, "ok": true})"), "a b");
  EXPECT_EQ(identifier_of_response("", "https://h.example/books/a%20b"), "a b");
}

TEST(IdentifierIn, a_response_is_nothing_that_could_be_another_path) {
  EXPECT_EQ(identifier_of_response(R"({"a": {"id": 1}, "b": {"id": 2}})"), std::nullopt);
  EXPECT_EQ(identifier_of_response(R"([{"id": 1}])"), std::nullopt);
  EXPECT_EQ(identifier_of_response(R"({"id": ""})"), std::nullopt);
  EXPECT_EQ(identifier_of_response(R"({"id": ".."})"), std::nullopt);
  EXPECT_EQ(identifier_of_response(R"({"id": 1.5})"), std::nullopt);
  EXPECT_EQ(identifier_of_response("", "/books/?x=1"), std::nullopt);
}

TEST(Shows, only_the_record_that_was_created) {
  const json sent{{"title", "Counterpart1"}, {"pages", 7}};

  EXPECT_TRUE(shows(by_id(), {{"id", 3}, {"title", "counterpart1"}, {"pages", 7}}, sent, "3"));
  EXPECT_TRUE(shows(by_id(), {{"title", "Counterpart1"}, {"pages", 8}}, sent, "3"));
  EXPECT_FALSE(shows(by_id(), {{"id", 4}, {"title", "Counterpart1"}}, sent, "3"));
  EXPECT_FALSE(
      shows(by_id(), {{"id", 3}, {"title", "Things Fall Apart"}, {"pages", 7}}, sent, "3"));
}

}  // namespace
}  // namespace contract_tests::plan
