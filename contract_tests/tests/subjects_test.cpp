// Subjects of any contract: the template, the values that lists have, numbers and bodies.

#include "contract_tests/tests/support/child.hpp"
#include "contract_tests/tests/support/scripted_server.hpp"
#include "contract_tests/tests/support/suite_tests.hpp"
#include "spec/tests/paths.hpp"

#include <gmock/gmock.h>

namespace contract_tests {
namespace {

using nlohmann::json;
using support::Ended;
using support::ScriptedServer;
using testing::Contains;
using testing::Each;
using testing::HasSubstr;
using testing::Not;
using testing::SizeIs;
using testing::StartsWith;

constexpr const char* kShopDescription = R"(openapi: 3.1.0
info: {title: Shop, version: "1"}
paths:
  /pets:
    get: {operationId: list_pets, responses: {"200": {description: ok, content: {application/json: {schema: {type: object}}}}}}
    post:
      operationId: add_pet
      requestBody: {required: true, content: {application/json: {schema: {type: object, required: [name], properties: {name: {type: string, maxLength: 20}}}}}}
      responses: {"201": {description: made}}
  /pets/{pet_id}:
    get:
      operationId: get_pet
      parameters:
        - {name: pet_id, in: path, required: true, schema: {type: integer, minimum: 1}}
        - {name: pet_id, in: query, schema: {type: integer}}
        - {name: unit, in: query, required: true, schema: {enum: [kg, lb]}}
      responses: {"200": {description: ok, content: {application/json: {schema: {type: object}}}}}
  /toys/{toy_id}:
    put:
      operationId: change_toy
      parameters: [{name: toy_id, in: path, required: true, schema: {type: integer}, example: 31}]
      requestBody: {required: true, content: {application/json: {schema: {type: object, required: [toy_id], properties: {toy_id: {type: integer}}}}}}
      responses: {"204": {description: changed}}
)";

std::string one_response(const std::string& body) {
  return "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: " +
         std::to_string(body.size()) + "\r\n\r\n" + body;
}

class SubjectsOfAShop : public testing::Test {
 protected:
  Ended run(std::vector<std::string> arguments) const {
    const auto contract = folder_.write("shop.yaml", kShopDescription);
    arguments.insert(arguments.end(), {"--contract", contract.string()});
    return support::run_child(test_paths::contract_tests(), arguments,
                              {{"COUNTERPART_MOCK_SERVER", test_paths::mock_server()}});
  }

  test_support::Folder folder_;
};

TEST_F(SubjectsOfAShop, are_printed_as_comments_when_they_are_made_up) {
  const auto ended = run({"--print-subjects"});

  EXPECT_EQ(ended.exit_code, 0) << ended.err;
  EXPECT_THAT(ended.out, HasSubstr("\n# GET /pets/{pet_id}\n# get_pet:\n#   pet_id: "));
  EXPECT_THAT(ended.out, HasSubstr("  # path: integer, at least 1\n#   unit: "));
  EXPECT_THAT(ended.out, HasSubstr("  # query, required: string, one of those"));
  EXPECT_THAT(ended.out, HasSubstr("\n# POST /pets\n# add_pet:\n#   body: {\"name\":"));
  EXPECT_THAT(ended.out, HasSubstr("#   body: {\"toy_id\":31}"));
  EXPECT_THAT(ended.out, Not(HasSubstr("customer")));  // of other rules
}

TEST_F(SubjectsOfAShop, are_found_in_the_lists_of_the_service) {
  const std::string body = R"({"pets":[{"id":7,"name":"Rex"}]})";
  const ScriptedServer server(
      {{.steps = json::array({{{"send", one_response(body)}}}), .keep = true}});

  const auto ended = run({"--print-subjects", "--base-url", server.url()});

  EXPECT_EQ(ended.exit_code, 0) << ended.err;
  EXPECT_THAT(ended.out, HasSubstr("\nget_pet:\n  pet_id: 7  # path: integer, at least 1\n# "));
  EXPECT_THAT(server.received(), SizeIs(2));  // GET /_mock/health and the list
  EXPECT_THAT(server.received(), Each(StartsWith("GET /")));
}

TEST_F(SubjectsOfAShop, are_found_in_lists_below_what_other_lists_show) {
  const auto contract = folder_.write("teams.yaml", R"(openapi: 3.1.0
info: {title: Teams, version: "1"}
paths:
  /teams: {get: {operationId: list_teams, responses: {"200": {description: ok}}}}
  /teams/{team}/members:
    parameters: [{name: team, in: path, required: true, schema: {type: integer}}]
    get: {operationId: list_members, responses: {"200": {description: ok}}}
  /teams/{team}/members/{member}:
    parameters:
      - {name: team, in: path, required: true, schema: {type: integer}}
      - {name: member, in: path, required: true, schema: {type: string}}
    get: {operationId: get_member, responses: {"200": {description: ok}}}
)");
  const std::string body = R"([{"id":7,"member":"ann"}])";
  const ScriptedServer server(
      {{.steps = json::array({{{"send", one_response(body)}}}), .keep = true}});

  const auto ended = support::run_child(
      test_paths::contract_tests(),
      {"--contract", contract.string(), "--print-subjects", "--base-url", server.url()});

  EXPECT_EQ(ended.exit_code, 0) << ended.err;
  EXPECT_THAT(ended.out, HasSubstr("\nget_member:\n  team: 7  # path: integer\n  member: ann  # "));
  EXPECT_THAT(server.received(), Contains(StartsWith("GET /teams/7/members HTTP/1.1")));
}

TEST_F(SubjectsOfAShop, may_be_comments_alone) {
  const auto subjects = folder_.write("subjects.yaml", run({"--print-subjects"}).out);

  const auto ended = run({"--dry-run", "--subjects", subjects.string()});

  EXPECT_EQ(ended.exit_code, 0) << ended.err;
}

TEST_F(SubjectsOfAShop, may_be_numbers_and_bodies) {
  const auto subjects = folder_.write(
      "subjects.yaml", "get_pet: {pet_id: 4711, unit: kg}\nadd_pet: {body: {name: Rex}}\n");

  const auto ended =
      run({"--dry-run", "--subjects", subjects.string(), "--filter", "*a_plain_request_succeeds*"});

  EXPECT_EQ(ended.exit_code, 0) << ended.err;
  EXPECT_THAT(ended.out, HasSubstr("/pets/4711?unit=kg'"));
  EXPECT_THAT(ended.out, HasSubstr(R"(--data-binary '{"name":"Rex"}')"));
}

TEST_F(SubjectsOfAShop, are_rejected_when_a_body_is_invalid) {
  const auto subjects = folder_.write("subjects.yaml", "add_pet: {body: {name: [1]}}\n");

  const auto ended = run({"--dry-run", "--subjects", subjects.string()});

  EXPECT_EQ(ended.exit_code, 2);
  EXPECT_THAT(ended.err, HasSubstr("the body of add_pet is invalid by the contract (type)"));
}

}  // namespace
}  // namespace contract_tests
