// Decides if changes can be undone with the contract alone, or why not; methods outside the
// contract are sent with unknown identifiers.

#include "contract_tests/demands/planning.hpp"
#include "contract_tests/plan/reversible_changes.hpp"
#include "spec/contract/loading/load_contract.hpp"
#include "spec/tests/folder.hpp"
#include "spec/tests/paths.hpp"
#include "spec/tests/rows.hpp"

#include <gmock/gmock.h>

namespace contract_tests::plan {
namespace {

using run::Plan;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr const char* kBody =
    "requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/B'}}}}";
constexpr const char* kShown =
    "get: {operationId: read, responses: {'200': {description: ok, content: {application/json: "
    "{schema: {$ref: '#/components/schemas/A'}}}}}}";

struct Row {
  std::string name;
  std::string path;
  std::string methods;  // of the path; the first one is asked about
  std::string shown;    // properties of what GET shows
  std::string written;  // properties of a body
  std::string why_not;  // part of it; "" if it can be put back
};

void PrintTo(const Row& row, std::ostream* out) {
  *out << row.name;
}

class Restorations : public testing::TestWithParam<Row> {
 protected:
  spec::contract::Contract load() {
    const auto& row = GetParam();
    std::string text = "openapi: 3.1.0\ninfo: {title: T, version: '1'}\npaths:\n  " + row.path +
                       ":\n    parameters: [{name: id, in: path, required: true, schema: {type: "
                       "string}}]\n";
    for (const auto& method : {"post", "put", "patch", "delete"}) {
      if (row.methods.find(method) != std::string::npos) {
        text += "    " + std::string(method) + ": {operationId: " + method + ", " + kBody +
                ", responses: {'204': {description: ok}}}\n";
      }
    }
    text += row.shown.empty() ? "" : std::string("    ") + kShown + '\n';
    text += "components: {schemas: {A: {type: object, properties: {" + row.shown +
            "}}, B: {type: object, properties: {" + row.written + "}}}}\n";
    return spec::contract::load_contract(folder_.write("c.yaml", text));
  }

  test_support::Folder folder_;
};

TEST_P(Restorations, are_found_or_rejected_with_the_reason) {
  const auto contract = load();
  const auto asked = GetParam().methods.substr(0, GetParam().methods.find(' '));

  const auto how = restoration_of(contract, *contract.operation(asked));

  EXPECT_EQ(how.why_not.empty(), GetParam().why_not.empty()) << how.why_not;
  EXPECT_THAT(how.why_not, HasSubstr(GetParam().why_not));
}

const std::vector<Row> kRows{
    {"put", "/a/{id}", "put", "x: {type: string}", "x: {type: string}", ""},
    {"patch", "/a/{id}", "patch", "x: {type: string}", "x: {type: string}", ""},
    {"post", "/a/{id}", "post", "x: {type: string}", "x: {type: string}", "create something"},
    {"delete_it", "/a/{id}", "delete put", "x: {type: string}", "x: {type: string}",
     "delete something"},
    {"many_records", "/a/{id}/b", "patch", "x: {type: string}", "x: {type: string}",
     "does not name a single record"},
    {"nothing_shown", "/a/{id}", "put", "", "x: {type: string}", "no GET of the same path"},
    {"a_hidden_member", "/a/{id}", "put", "x: {type: string}", "x: {}, y: {}", "\"y\""},
    {"a_secret_member", "/a/{id}", "patch", "x: {}, y: {}", "x: {}, y: {writeOnly: true}", "\"y\""},
    {"a_secret_inside", "/a/{id}", "put", "x: {type: object, properties: {y: {}}}",
     "x: {type: object, properties: {z: {}}}", "\"x/z\""},
    {"an_unknown_body", "/a/{id}", "put", "x: {type: string}", "", "not a JSON object"}};

INSTANTIATE_TEST_SUITE_P(Of, Restorations, testing::ValuesIn(kRows), spec::tests::kRowNames);

Plan plan_of(const spec::contract::Contract& contract) {
  DataFiles files{std::filesystem::path(test_paths::source()) / "contract_tests/rules/schemas"};
  const auto book = load_rule_book(
      files, std::filesystem::path(test_paths::source()) / "contract_tests/rules/rule_book.yaml");
  const Rules none;
  return demands::make_plan({.contract = contract, .rules = none, .book = book, .written = {}});
}

constexpr const char* kSiblings = R"(openapi: 3.1.0
info: {title: T, version: '1'}
paths:
  /a/count: {get: {operationId: count, responses: {'200': {description: ok}}}}
  /a/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: integer}, example: 7}]
    get: {operationId: read, responses: {'200': {description: ok}}}
    delete: {operationId: remove, responses: {'204': {description: ok}}}
  /A/{id}/: {put: {operationId: write, parameters: [{name: id, in: path, required: true, schema: {type: integer}}], responses: {'204': {description: ok}}}}
)";

// Methods that cases outside the contract try on the path of `operation`, with consent to probes.
std::vector<std::string> tried(const Plan& plan, const std::string& operation) {
  std::vector<std::string> methods;
  for (const auto& item : plan.cases) {
    const bool harmless = item.needs.lasting.empty();
    if (item.operation == operation && item.undeclared_method && harmless) {
      EXPECT_TRUE(item.needs.probes) << item.id;
      EXPECT_TRUE(names_in(item.request).empty()) << item.id;  // unknown identifiers
      methods.push_back(item.request.method);
    }
  }
  return methods;
}

TEST(Methods, outside_the_contract_use_unknown_identifiers_and_no_method_of_similar_paths) {
  const test_support::Folder folder;
  const auto contract = spec::contract::load_contract(folder.write("c.yaml", kSiblings));

  const auto plan = plan_of(contract);

  EXPECT_THAT(tried(plan, "count"), ElementsAre("OPTIONS"));
  EXPECT_THAT(tried(plan, "read"), ElementsAre("OPTIONS", "POST", "TRACE", "COUNTERPART"));
}

TEST(Methods, that_cannot_be_undone_say_so_in_every_case) {
  const test_support::Folder folder;
  const auto contract = spec::contract::load_contract(folder.write("c.yaml", kSiblings));

  for (const auto& item : plan_of(contract).cases) {
    const bool writes = (item.operation == "remove" || item.operation == "write") &&
                        !item.undeclared_method && !item.sends_nothing;
    EXPECT_EQ(item.needs.writes, writes) << item.id;
    EXPECT_TRUE(!writes || !item.needs.lasting.empty()) << item.id;
  }
}

}  // namespace
}  // namespace contract_tests::plan
