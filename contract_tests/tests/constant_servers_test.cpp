// Whole runs against a server with the same response for every request: what is said of it, and
// what is not.

#include "contract_tests/tests/support/child.hpp"
#include "contract_tests/tests/support/scripted_server.hpp"
#include "contract_tests/tests/support/suite_tests.hpp"
#include "spec/tests/folder.hpp"
#include "spec/tests/paths.hpp"
#include "spec/tests/rows.hpp"

#include <gmock/gmock.h>

#include <set>
#include <string>
#include <vector>

namespace contract_tests {
namespace {

using testing::Contains;
using testing::Not;

constexpr const char* kDescription = R"(
openapi: 3.1.0
info: {title: Shop, version: "1"}
paths:
  /pets:
    get:
      parameters: [{name: limit, in: query, schema: {type: integer, minimum: 1, maximum: 50}}]
      responses: {"200": {description: ok, content: {application/json: {schema: {$ref: "#/components/schemas/Pet"}}}}}
  /pets/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: integer}}]
    get: {responses: {"200": {description: ok, content: {application/json: {schema: {$ref: "#/components/schemas/Pet"}}}}}}
  /file:
    get: {responses: {"200": {description: ok, content: {application/octet-stream: {}, application/gzip: {}}}}}
components:
  schemas:
    Pet: {type: object, properties: {name: {type: string}, age: {type: integer}}}
)";

struct Row {
  std::string name;
  std::string status;
  std::string header;  // lines
  std::string body;
  std::string said;      // a rule that is found; "" for none
  std::string not_said;  // one that is not
};

void PrintTo(const Row& row, std::ostream* out) {
  *out << row.name;
}

// The rules of all findings in a service with this contract that always sends `response`, the
// number of each.
std::multiset<std::string> rules_found(const std::string& contract, const std::string& response,
                                       const std::vector<std::string>& flags = {}) {
  const test_support::Folder folder;
  const support::ScriptedServer server({{.steps = {{{"send", response}}}, .keep = true}});
  std::vector<std::string> arguments{"--contract", folder.write("shop.yaml", contract).string(),
                                     "--base-url", server.url(),
                                     "--max-wait", "0",
                                     "--report",   folder.path().string()};
  arguments.insert(arguments.end(), flags.begin(), flags.end());
  support::run_child(test_paths::contract_tests(), arguments);
  const auto run = support::read_report(folder.path());
  std::multiset<std::string> found;
  for (const auto& item : run.at("cases")) {
    for (const auto& finding : item.at("findings")) {
      found.insert(finding.at("rule").get<std::string>());
    }
  }
  return found;
}

class ConstantServer : public testing::TestWithParam<Row> {
 protected:
  static std::multiset<std::string> rules() {
    const auto& row = GetParam();
    return rules_found(kDescription, "HTTP/1.1 " + row.status + "\r\n" + row.header +
                                         "Content-Length: " + std::to_string(row.body.size()) +
                                         "\r\n\r\n" + row.body);
  }
};

TEST_P(ConstantServer, has_these_findings) {
  const auto found = rules();

  EXPECT_THAT(found, Not(Contains(GetParam().not_said)));
  if (!GetParam().said.empty()) {
    EXPECT_EQ(found.count(GetParam().said), 1U);
  }
}

const std::string kJson = "Content-Type: application/json\r\n";

INSTANTIATE_TEST_SUITE_P(
    Responses, ConstantServer,
    testing::Values(Row{"success", "200 OK", kJson, "{}", "status/accepts-everything",
                        "response/nothing-documented"},
                    Row{"success_with_an_odd_header", "200 OK", kJson + "X-Evil: own\r\n", "{}",
                        "status/accepts-everything", "http/injection"},
                    Row{"archive", "200 OK", "Content-Type: application/gzip\r\n",
                        "\x1f\x8b\x08 and so on", "status/accepts-everything",
                        "http/coding-unlabelled"},
                    Row{"server_error", "500 Internal Server Error", kJson,
                        R"({"message": "internal"})", "", "status/undeclared"},
                    Row{"rejection", "400 Bad Request", kJson, R"({"message": "no"})", "",
                        "status/accepts-everything"}),
    spec::tests::kRowNames);

// Source: RFC 9110 §13.1.1.
TEST(PreconditionThatWasMadeUp, need_not_hold) {
  const auto found =
      rules_found(R"(openapi: 3.1.0
info: {title: Notes, version: "1"}
paths:
  /note:
    put:
      parameters: [{name: If-Match, in: header, required: true, schema: {type: string}}]
      responses: {"204": {description: changed}}
)",
                  "HTTP/1.1 412 Precondition Failed\r\nContent-Length: 0\r\n\r\n", {"--sandbox"});

  EXPECT_THAT(found, Not(Contains("status/success")));
}

TEST(OnlyWriteOnlyMembers, may_all_be_missing) {
  const auto found = rules_found(R"(openapi: 3.1.0
info: {title: Keys, version: "1"}
paths:
  /key:
    get:
      responses:
        "200":
          description: ok
          content: {application/json: {schema: {type: object, required: [login], properties: {login: {type: object, required: [password], properties: {password: {type: string, writeOnly: true}}}}}}}
)",
                                 "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
                                 "Content-Length: 12\r\n\r\n{\"login\":{}}");

  EXPECT_THAT(found, Not(Contains("response/nothing-documented")));
}

}  // namespace
}  // namespace contract_tests
