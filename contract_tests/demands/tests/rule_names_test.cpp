// Names in a rules file that the contract does not have.

#include "contract_tests/plan/rule_names.hpp"

#include "spec/contract/loading/load_contract.hpp"
#include "spec/tests/folder.hpp"
#include "spec/tests/paths.hpp"
#include "spec/tests/rows.hpp"

#include <gmock/gmock.h>

#include <filesystem>
#include <string>
#include <vector>

namespace contract_tests::plan {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr const char* kShop = R"(
openapi: 3.1.0
info: {title: Shop, version: "1"}
paths:
  /orders:
    get:
      operationId: list_orders
      parameters: [{name: page_size, in: query, schema: {type: integer}}]
      responses:
        "200":
          description: d
          content:
            application/json:
              schema:
                properties:
                  items: {type: array, items: {$ref: "#/components/schemas/Order"}}
                  notes: {type: object}
        "400": {description: d, content: {application/json: {schema: {properties: {error: {type: string}}}}}}
  /orders/{orderId}:
    patch:
      operationId: patch_order
      parameters: [{name: orderId, in: path, required: true, schema: {type: integer}}]
      requestBody: {content: {application/json: {schema: {properties: {note: {type: string}}}}}}
      responses:
        "200": {description: d, content: {application/json: {schema: {$ref: "#/components/schemas/Order"}}}}
  /ping: {get: {operationId: ping, responses: {"200": {description: d}}}}
components:
  schemas:
    Price: {properties: {amount: {type: integer}}}
    Order:
      properties:
        id: {type: integer}
        note: {type: string}
        lines: {type: array, items: {oneOf: [{$ref: "#/components/schemas/Price"}, {properties: {free: {type: boolean}}}]}}
        prices: {type: object, additionalProperties: {$ref: "#/components/schemas/Price"}}
)";

// "LINE:COLUMN: MESSAGE" of each.
std::vector<std::string> lines_of(const std::vector<spec::Problem>& problems) {
  std::vector<std::string> lines;
  for (const auto& problem : problems) {
    lines.push_back(std::to_string(problem.line) + ':' + std::to_string(problem.column) + ": " +
                    problem.message);
  }
  return lines;
}

// The names in rules of the shop: the operation and what it has, on the third line.
RuleNames names_of(const std::string& rules) {
  const auto contract = spec::contract::load_contract_text(kShop);
  const test_support::Folder folder;
  DataFiles files(fs::path(test_paths::source()) / "contract_tests/rules/schemas");
  const auto file = folder.write(
      "r.yaml", "subjects: {order: {is: an order, example: '1'}}\noperations:\n  " + rules + '\n');
  return check_rule_names(files.read(file, "rules"), {{"order", "an order", "1"}}, contract);
}

struct RuleNamesRow {
  std::string name;
  std::string rules;
  std::string says;
};

using UnknownName = spec::tests::RowTest;

TEST_P(UnknownName, is_said_with_its_place) {
  const RuleNamesRow& row = GetParam();

  const auto names = names_of(row.rules);

  EXPECT_THAT(lines_of(names.unknown), ElementsAre(HasSubstr(row.says)));
  EXPECT_THAT(lines_of(names.undecided), IsEmpty());
}

const std::vector<RuleNamesRow> kNamesUnknownName = {
    {"operation", "list_order: {}",
     R"(3:3: must be the id of an operation of the contract, but is "list_order"; did you mean "list_orders"?)"},
    {"path_of_a_request", "patch_order: {request: {path: {ordrId: '1'}}}",
     R"(3:34: must be a path parameter of PATCH /orders/{orderId}, but is "ordrId"; did you mean "orderId"?)"},
    {"path_of_a_rule",
     "patch_order: {response: [{rule: response/same-as-path, at: /id, clause: c, path: order}]}",
     R"(must be a path parameter of PATCH /orders/{orderId}, but is "order"; )"},
    {"query_of_a_request", "list_orders: {request: {query: {pagesize: 1}}}",
     R"(must be a query parameter of GET /orders, but is "pagesize"; did you mean "page_size"?)"},
    {"member",
     "list_orders: {response: [{rule: response/not-negative, at: '/item/*/id', clause: c}]}",
     R"(must be a place in a success response of GET /orders, but no schema has "item"; did you mean "items"?)"},
    {"member_of_an_error",
     "list_orders: {response: [{rule: response/not-negative, at: /error, clause: c}]}",
     R"(but no schema has "error"; known: items, notes)"},
    {"member_of_an_element",
     "list_orders: {response: [{rule: response/unique, at: /items, key: /ids, clause: c}]}",
     R"(but no schema has "ids"; did you mean "id"?)"},
    {"member_of_any_choice",
     "list_orders: {response: [{rule: response/not-negative, at: '/items/*/lines/*/fre', clause: "
     "c}]}",
     R"(but no schema has "fre"; did you mean "free"?)"},
    {"element_of_no_array",
     "patch_order: {response: [{rule: response/not-negative, at: '/id/*', clause: c}]}",
     R"(but what is above "*" is no array)"},
    {"field",
     "patch_order: {update: {clause: c, nothing: {}, owned: {}, fields: {noet: {at: /note, values: "
     "[a, b]}}}}",
     R"(must be a place in the request body of PATCH /orders/{orderId}, but no schema has "noet"; did you mean "note"?)"},
    {"subject", "patch_order: {request: {path: {orderId: '${ordr}'}}}",
     R"(must be declared under `subjects`, but is "ordr"; did you mean "order"?)"}};

INSTANTIATE_TEST_SUITE_P(Names, UnknownName,
                         testing::ValuesIn(spec::tests::rows(kNamesUnknownName)),
                         spec::tests::kRowNames);

TEST(KnownNames, are_those_of_the_contract_and_of_the_rules) {
  const auto names = names_of(
      "patch_order:\n"
      "    request: {path: {orderId: '${order}'}}\n"
      "    unknown: [{path: {orderId: '${unknown.order}'}, authorization: 'Bearer ${token}'}]\n"
      "    response:\n"
      "      - {rule: response/not-negative, at: '/lines/*/amount', clause: c}\n"
      "      - {rule: response/not-negative, at: /prices/eur/amount, clause: c}\n"
      "      - {rule: response/same-as-path, at: /id, path: orderId, clause: c}");

  EXPECT_THAT(lines_of(names.unknown), IsEmpty());
  EXPECT_THAT(lines_of(names.undecided), IsEmpty());
}

TEST(KnownNames, are_undecided_where_the_contract_says_nothing_of_the_place) {
  const auto open =
      names_of("list_orders: {response: [{rule: response/not-negative, at: /notes/a, clause: c}]}");
  const auto none =
      names_of("ping: {response: [{rule: response/not-negative, at: /a, clause: c}]}");

  EXPECT_THAT(lines_of(open.unknown), IsEmpty());
  EXPECT_THAT(lines_of(open.undecided),
              ElementsAre(HasSubstr("cannot be checked: of a success response of GET /orders, no "
                                    "schema names \"a\"")));
  EXPECT_THAT(lines_of(none.unknown), IsEmpty());
  EXPECT_THAT(lines_of(none.undecided), ElementsAre(HasSubstr("the contract has no schema")));
}

}  // namespace
}  // namespace contract_tests::plan
