// What is inferred of small contracts, as the text of an operations.yaml.

#include "mock_server/inference/infer.hpp"

#include "spec/contract/loading/load.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace mock_server::inference {
namespace {

spec::contract::Contract contract_of(const std::string& text) {
  return spec::contract::load_contract_text(text, "contract.yaml");
}

const std::string kHead = "openapi: 3.1.0\ninfo: {title: t, version: '1'}\n";

std::string json_body(const std::string& schema) {
  return "{content: {application/json: {schema: " + schema + "}}}";
}

std::string response(const std::string& status, const std::string& schema) {
  return "{'" + status + "': {description: d, content: {application/json: {schema: " + schema +
         "}}}}";
}

std::string path_parameter(const std::string& name) {
  return "{name: " + name + ", in: path, required: true, schema: {type: string}}";
}

TEST(Inference, follows_paths_and_methods_of_a_resource) {
  const std::string pet =
      "{type: object, properties: {id: {type: integer}, name: {type: string}, "
      "created_at: {type: string, format: date-time}}}";
  const auto contract = contract_of(
      kHead +
      "paths:\n  /pets:\n    get: {operationId: list, parameters: "
      "[{name: name, in: query, schema: {type: string}}, {name: limit, in: query, schema: "
      "{type: integer, maximum: 50}}, {name: page, in: query, schema: {type: integer, "
      "default: 1}}], responses: " +
      response("200",
               "{type: object, properties: {total: {type: integer}, pets: {type: array, "
               "items: " +
                   pet + "}}}") +
      "}\n    post: {operationId: create, requestBody: " + json_body(pet) + ", responses: " +
      response("201", pet) + "}\n  /pets/{petId}:\n    parameters: [" + path_parameter("petId") +
      "]\n    get: {operationId: read, responses: " + response("200", pet) +
      "}\n    put: {operationId: replace, requestBody: " + json_body(pet) + ", responses: " +
      response("200", pet) + "}\n    patch: {operationId: change, requestBody: " + json_body(pet) +
      ", responses: " + response("200", pet) +
      "}\n    delete: {operationId: remove, responses: {'204': {description: d}}}\n"
      "  /pets/{petId}/adopt:\n    parameters: [" +
      path_parameter("petId") +
      "]\n    post: {operationId: adopt, responses: {'204': {description: d}}}\n");

  const Inference found = infer(contract, {}, {});

  EXPECT_EQ(operations_yaml(found),
            "collections:\n"
            "  pets: {id: /id, until_changed: examples, defaults: {created_at: {now: true}}}\n"
            "operations:\n"
            "  list: {behaviour: list, collection: pets, into: /pets, filters: [{given: "
            "/query/name, at: /name, is: equal}], paging: {size: /query/limit, default_size: 50, "
            "number: /query/page, first: 1}, totals: {count: /total}}\n"
            "  create: {behaviour: create, collection: pets}\n"
            "  read: {behaviour: read, collection: pets, key: /path/petId}\n"
            "  replace: {behaviour: replace, collection: pets, key: /path/petId}\n"
            "  remove: {behaviour: delete, collection: pets, key: /path/petId}\n"
            "  change: {behaviour: update, collection: pets, key: /path/petId, fields: all}\n");
  EXPECT_TRUE(std::ranges::all_of(found.bindings, &InferredBinding::is_certain));
}

TEST(Inference, nested_records_name_their_parent_or_hide_it) {
  const std::string card =
      "{type: object, properties: {id: {type: string}, last4: {type: string}}}";
  const auto contract = contract_of(
      kHead + "paths:\n  /users/{user_id}/cards:\n    parameters: [" + path_parameter("user_id") +
      "]\n    get: {operationId: cards, responses: " +
      response("200", "{type: array, items: " + card + "}") +
      "}\n  /users/{user_id}/cards/{id}:\n    parameters: [" + path_parameter("user_id") + ", " +
      path_parameter("id") + "]\n    get: {operationId: card, responses: " +
      response("200", "{type: object, properties: {data: " + card + "}}") + "}\n");

  EXPECT_EQ(operations_yaml(infer(contract, {}, {})),
            "collections:\n"
            "  cards: {id: /id, scoped: true, until_changed: examples}\n"
            "operations:\n"
            "  cards: {behaviour: list, collection: cards, into: \"\", within: [{at: /user_id, "
            "given: /path/user_id}], hide: [user_id]}\n"
            "  card: {behaviour: read, collection: cards, key: /path/id, into: /data, within: "
            "[{at: /user_id, given: /path/user_id}], hide: [user_id]}\n");
}

TEST(Inference, parents_that_follow_each_other_are_named_by_their_parameters) {
  const std::string issue =
      "{type: object, properties: {id: {type: integer}, number: {type: integer}}}";
  const auto contract = contract_of(
      kHead + "paths:\n  /repos/{owner}/{repo}/issues/{issue_number}:\n    parameters: [" +
      path_parameter("owner") + ", " + path_parameter("repo") + ", " +
      path_parameter("issue_number") +
      "]\n    get: {operationId: issue, responses: " + response("200", issue) +
      "}\n    delete: {operationId: close, responses: {'204': {description: d}}}\n");
  const std::string within =
      "within: [{at: /owner, given: /path/owner}, {at: /repo, given: /path/repo}], hide: [owner, "
      "repo]}\n";

  EXPECT_EQ(operations_yaml(infer(contract, {}, {})),
            "collections:\n"
            "  issues: {id: /number, scoped: true, until_changed: examples}\n"
            "operations:\n"
            "  issue: {behaviour: read, collection: issues, key: /path/issue_number, " +
                within +
                "  close: {behaviour: delete, collection: issues, key: /path/issue_number, " +
                within);
}

TEST(Inference, leaves_an_operation_alone_that_no_other_one_belongs_to) {
  const auto contract =
      contract_of(kHead + "paths:\n  /pets/{id}:\n    parameters: [" + path_parameter("id") +
                  "]\n    get: {operationId: read, responses: " +
                  response("200", "{type: object, properties: {id: {type: integer}}}") + "}\n");

  EXPECT_EQ(operations_yaml(infer(contract, {}, {})), "");
}

TEST(Inference, a_choice_of_shapes_may_be_the_record_and_a_receipt_is_not_one) {
  const std::string customer =
      "{type: object, required: [id], properties: {id: {type: string}, name: {type: string}}}";
  const std::string receipt =
      "{type: object, required: [id, deleted], properties: {id: {type: "
      "string}, deleted: {type: boolean}}}";
  const auto contract = contract_of(
      kHead + "paths:\n  /customers:\n    post: {operationId: create, requestBody: " +
      json_body(customer) + ", responses: " + response("200", customer) +
      "}\n  /customers/{customer}:\n    parameters: [" + path_parameter("customer") +
      "]\n    get: {operationId: read, responses: " +
      response("200", "{anyOf: [" + customer + ", " + receipt + "]}") +
      "}\n    post: {operationId: change, requestBody: " + json_body(customer) +
      ", responses: " + response("200", customer) +
      "}\n    delete: {operationId: remove, responses: " + response("200", receipt) + "}\n");

  EXPECT_EQ(operations_yaml(infer(contract, {}, {})),
            "collections:\n"
            "  customers: {id: /id, until_changed: examples}\n"
            "operations:\n"
            "  create: {behaviour: create, collection: customers}\n"
            "  read: {behaviour: read, collection: customers, key: /path/customer}\n"
            "  change: {behaviour: update, collection: customers, key: /path/customer, fields: "
            "all}\n"
            "  remove: {behaviour: delete, collection: customers, key: /path/customer}\n");
}

TEST(Inference, says_why_it_cannot_tell) {
  const auto contract = contract_of(
      kHead + "paths:\n  /things/{id}:\n    parameters: [" + path_parameter("id") +
      "]\n    get: {operationId: thing, responses: " + response("200", "{type: string}") +
      "}\n  /words:\n    get: {operationId: words, responses: " +
      response("200", "{type: object, properties: {count: {type: integer}}}") + "}\n");

  const Inference found = infer(contract, {}, {});

  EXPECT_TRUE(found.bindings.empty());
  ASSERT_EQ(found.unclear.size(), 1U);
  EXPECT_EQ(found.unclear.at(contract.operation("thing")),
            "no response has a member that holds the key {id}");
}

TEST(Inference, a_request_may_hold_the_record_in_a_member) {
  const std::string widget =
      "{type: object, properties: {id: {type: string}, name: {type: string}}}";
  const std::string wrapped = "{type: object, properties: {widget: " + widget + "}}";
  const auto contract =
      contract_of(kHead + "paths:\n  /widgets:\n    post: {operationId: create, requestBody: " +
                  json_body(wrapped) + ", responses: " + response("201", wrapped) +
                  "}\n  /widgets/{id}:\n    parameters: [" + path_parameter("id") +
                  "]\n    get: {operationId: read, responses: " + response("200", wrapped) +
                  "}\n    put: {operationId: replace, requestBody: " + json_body(wrapped) +
                  ", responses: " + response("200", wrapped) +
                  "}\n    patch: {operationId: change, requestBody: " + json_body(wrapped) +
                  ", responses: " + response("200", wrapped) + "}\n");

  const Inference found = infer(contract, {}, {});

  EXPECT_EQ(operations_yaml(found),
            "collections:\n"
            "  widgets: {id: /id, until_changed: examples}\n"
            "operations:\n"
            "  create: {behaviour: create, collection: widgets, from: /widget, into: /widget}\n"
            "  read: {behaviour: read, collection: widgets, key: /path/id, into: /widget}\n"
            "  replace: {behaviour: replace, collection: widgets, key: /path/id, from: /widget, "
            "into: /widget}\n"
            "  change: {behaviour: update, collection: widgets, key: /path/id, from: /widget, "
            "fields: all, into: /widget}\n");
}

TEST(Inference, a_key_may_be_called_as_the_parameter_without_the_collections_name) {
  const std::string task =
      "{type: object, properties: {gid: {type: string}, name: {type: string}}}";
  const auto contract =
      contract_of(kHead + "paths:\n  /tasks/{task_gid}:\n    parameters: [" +
                  path_parameter("task_gid") + "]\n    get: {operationId: read, responses: " +
                  response("200", "{type: object, properties: {data: " + task + "}}") +
                  "}\n    delete: {operationId: remove, responses: {'204': {description: d}}}\n");

  EXPECT_EQ(operations_yaml(infer(contract, {}, {})),
            "collections:\n"
            "  tasks: {id: /gid, until_changed: examples}\n"
            "operations:\n"
            "  read: {behaviour: read, collection: tasks, key: /path/task_gid, into: /data}\n"
            "  remove: {behaviour: delete, collection: tasks, key: /path/task_gid}\n");
}

TEST(Inference, a_delete_that_declares_no_success_is_left_alone) {
  const std::string pet = "{type: object, properties: {id: {type: integer}}}";
  const auto contract =
      contract_of(kHead + "paths:\n  /pets/{id}:\n    parameters: [" + path_parameter("id") +
                  "]\n    get: {operationId: read, responses: " + response("200", pet) +
                  "}\n    delete: {operationId: remove, responses: {'404': {description: d}}}\n");

  const Inference found = infer(contract, {}, {});

  ASSERT_EQ(found.bindings.size(), 1U);
  EXPECT_EQ(found.bindings.front().operation, contract.operation("read"));
  EXPECT_EQ(found.unclear.at(contract.operation("remove")), "it declares no success response");
}

TEST(Inference, joins_the_collection_that_operations_yaml_names) {
  const std::string pet = "{type: object, properties: {id: {type: integer}}}";
  const auto contract =
      contract_of(kHead + "paths:\n  /pets/{id}:\n    parameters: [" + path_parameter("id") +
                  "]\n    get: {operationId: read, responses: " + response("200", pet) +
                  "}\n    delete: {operationId: remove, responses: {'204': {description: d}}}\n");

  const Inference found = infer(contract, {{contract.operation("read"), "animals"}}, {"animals"});

  EXPECT_EQ(operations_yaml(found),
            "operations:\n  remove: {behaviour: delete, collection: animals, key: /path/id}\n");
}

}  // namespace
}  // namespace mock_server::inference
