// Bindings that are inferred from small contracts, as the text of an operations.yaml.

#include "mock_server/api/loading/fixture_readers.hpp"
#include "spec/contract/loading/load_contract.hpp"
#include "spec/tests/paths.hpp"
#include "spec/tests/rows.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace mock_server::api::loading {
namespace {

using spec::contract::Contract;
using spec::contract::load_contract;
using spec::contract::load_contract_text;
using spec::contract::resources::infer;
using spec::contract::resources::Inference;
using spec::contract::resources::InferredBinding;

Contract contract_of(const std::string& text) {
  return load_contract_text(text, "contract.yaml");
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

TEST(Inference, what_is_posted_below_a_record_is_no_change_of_it_where_it_has_a_path_of_its_own) {
  const std::string pet = "{type: object, properties: {id: {type: integer}, name: {type: string}}}";
  const std::string visit =
      "{type: object, properties: {id: {type: integer}, name: {type: string}}}";
  const auto contract =
      contract_of(kHead + "paths:\n  /pets/{id}:\n    parameters: [" + path_parameter("id") +
                  "]\n    get: {operationId: read, responses: " + response("200", pet) +
                  "}\n    delete: {operationId: remove, responses: {'204': {description: d}}}\n" +
                  "  /pets/{id}/visits:\n    parameters: [" + path_parameter("id") +
                  "]\n    post: {operationId: add, responses: " + response("200", visit) +
                  "}\n  /pets/{id}/visits/{visit_no}:\n    parameters: [" + path_parameter("id") +
                  ", " + path_parameter("visit_no") +
                  "]\n    get: {operationId: see, responses: " + response("200", visit) + "}\n");

  EXPECT_EQ(operations_yaml(infer(contract, {}, {})),
            "collections:\n"
            "  pets: {id: /id, until_changed: examples}\n"
            "operations:\n"
            "  read: {behaviour: read, collection: pets, key: /path/id}\n"
            "  remove: {behaviour: delete, collection: pets, key: /path/id}\n");
}

TEST(Inference, a_key_may_be_the_id_where_no_member_is_called_a_key) {
  const std::string box =
      "{type: object, properties: {box_id: {type: integer}, name: {type: string}}}";
  const auto contract = contract_of(
      kHead + "paths:\n  /boxes/{boxKey}:\n    parameters: [" + path_parameter("boxKey") +
      "]\n    get: {operationId: read, responses: " + response("200", box) +
      "}\n    delete: {operationId: remove, responses: {'204': {description: d}}}\n");

  EXPECT_EQ(operations_yaml(infer(contract, {}, {})),
            "collections:\n"
            "  boxes: {id: /box_id, until_changed: examples}\n"
            "operations:\n"
            "  read: {behaviour: read, collection: boxes, key: /path/boxKey}\n"
            "  remove: {behaviour: delete, collection: boxes, key: /path/boxKey}\n");
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

TEST(Inference, a_status_comes_before_its_range_in_any_order) {
  const std::string one = response("200", "{type: object, properties: {id: {type: integer}}}");
  const std::string range = "'2XX': {description: d}";
  const auto inferred = [](const std::string& responses) {
    return operations_yaml(infer(
        contract_of(kHead + "paths:\n  /pets/{id}:\n    parameters: [" + path_parameter("id") +
                    "]\n    get: {operationId: read, responses: " + responses +
                    "}\n    delete: {operationId: remove, responses: {'204': {description: d}}}\n"),
        {}, {}));
  };

  EXPECT_THAT(inferred("{" + range + ", " + one.substr(1)),
              testing::HasSubstr("  read: {behaviour: read, collection: pets, key: /path/id}\n"));
  EXPECT_EQ(inferred(one.substr(0, one.size() - 1) + ", " + range + "}"),
            inferred("{" + range + ", " + one.substr(1)));
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

// The binding that is inferred for one operation of a description of spec/contract/corpus.
struct Kind {
  const char* name;
  const char* file;
  const char* entry;
};

using InferenceOfKinds = spec::tests::RowTest;

TEST_P(InferenceOfKinds, has_the_entry) {
  const Kind& row = GetParam();

  const auto contract = load_contract(test_paths::source() + "/spec/contract/corpus/" + row.file);

  EXPECT_THAT(operations_yaml(infer(contract, {}, {})),
              testing::HasSubstr("  " + std::string(row.entry) + '\n'));
}

const std::vector<Kind> kCorpusInferenceOfKinds = {
    {"list_of_some", "records_found_by_30.yaml",
     "findPetsByStatus: {behaviour: list, collection: pet, into: \"\", filters: [{given: "
     "/query/status, at: /status, is: equal}]}"},
    {"key_in_the_body", "records_found_by_30.yaml",
     "updatePet: {behaviour: replace, collection: pet, key: /body/id}"},
    {"bounds_in_brackets_and_objects", "records_of_shapes_31.yaml",
     "listMethods: {behaviour: list, collection: methods, into: /items, filters: [{given: "
     "/query/kind, at: /kind, is: equal}, {given: \"/query/createdAt[gte]\", at: "
     "/createdAt, is: at_or_after}, {given: \"/query/createdAt[lt]\", at: /createdAt, is: "
     "before}, {given: /query/amount/gte, at: /amount, is: at_or_after}, {given: "
     "/query/amount/lte, at: /amount, is: at_or_before}, {given: /query/filter/kind, at: "
     "/kind, is: equal}, {given: /query/filter/label, at: /label, is: equal}]}"},
    {"record_of_several_shapes", "records_of_shapes_31.yaml",
     "getMethod: {behaviour: read, collection: methods, key: /path/methodId}"},
    {"members_in_attributes", "records_in_data_30.yaml",
     "listArticles: {behaviour: list, collection: articles, into: /data, sort: "
     "/query/sort, filters: [{given: \"/query/filter[title]\", at: /attributes/title, is: "
     "equal}, {given: \"/query/filter[status]\", at: /attributes/status, is: equal}], "
     "paging: {number: \"/query/page[number]\", first: 1, size: \"/query/page[size]\", "
     "default_size: 50}, totals: {first_url: /links/first, last_url: /links/last, "
     "previous_url: /links/prev, next_url: /links/next, count: /meta/total}}"},
    {"key_in_metadata", "records_named_inside_30.yaml",
     "configmaps: {id: /metadata/name, scoped: true, until_changed: examples}"},
    {"parent_in_metadata", "records_named_inside_30.yaml",
     "replaceNamespacedConfigMap: {behaviour: replace, collection: configmaps, key: "
     "/path/name, creates: true, within: [{at: /metadata/namespace, given: "
     "/path/namespace}]}"},
    {"key_in_brackets", "records_in_brackets_30.yaml",
     "getPerson: {behaviour: read, collection: People, key: /path/UserName}"},
    {"member_that_is_a_key_or_a_record", "records_by_forms_30.yaml",
     "GetCharges: {behaviour: list, collection: charges, into: /data, filters: [{given: "
     "/query/customer, at: /customer, is: equal}], paging: {size: /query/limit, "
     "default_size: 100}, totals: {more: /has_more}}"},
    {"media_range", "records_on_pages_30.yaml", "save: {behaviour: create, collection: employees}"},
    {"parameter_of_several", "records_on_pages_30.yaml",
     "findAll: {behaviour: list, collection: employees, into: /content, sort: "
     "/query/pageable/sort, filters: [{given: /query/department, at: /department, is: "
     "equal}], paging: {number: /query/pageable/page, first: 0, size: "
     "/query/pageable/size, default_size: 100}, totals: {count: /totalElements, pages: "
     "/totalPages, size: /size, page: /number, is_first: /first, is_last: /last, is_empty: "
     "/empty, shown: /numberOfElements}}"},
    {"single_record_of_several_shapes", "records_of_parents_30.yaml",
     "users/me: {behaviour: read, collection: user}"}};

INSTANTIATE_TEST_SUITE_P(Corpus, InferenceOfKinds,
                         testing::ValuesIn(spec::tests::rows(kCorpusInferenceOfKinds)),
                         spec::tests::kRowNames);

TEST(Inference, a_list_beside_its_collection_is_of_the_same_records) {
  const auto contract =
      load_contract(test_paths::source() + "/spec/contract/corpus/records_found_by_30.yaml");

  EXPECT_THAT(operations_yaml(infer(contract, {}, {})),
              testing::HasSubstr("findPetsByTags: {behaviour: list, collection: pet, into: \"\"}"));
}

TEST(Inference, the_ending_of_a_path_is_no_part_of_it) {
  const std::string call = "{type: object, properties: {sid: {type: string}}}";
  const auto contract =
      contract_of(kHead + "paths:\n  /Calls.json:\n    post: {operationId: create, requestBody: " +
                  json_body(call) + ", responses: " + response("201", call) +
                  "}\n  /Calls/{Sid}.json:\n    parameters: [" + path_parameter("Sid") +
                  "]\n    get: {operationId: read, responses: " + response("200", call) + "}\n");

  EXPECT_EQ(operations_yaml(infer(contract, {}, {})),
            "collections:\n"
            "  Calls: {id: /sid, until_changed: examples}\n"
            "operations:\n"
            "  create: {behaviour: create, collection: Calls}\n"
            "  read: {behaviour: read, collection: Calls, key: /path/Sid}\n");
}

}  // namespace
}  // namespace mock_server::api::loading
