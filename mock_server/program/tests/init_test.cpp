// mock_server init: what it writes is loaded, and the commands that it prints work as they are.

#include "mock_server/transport/tests/support/process.hpp"
#include "spec/tests/folder.hpp"
#include "spec/tests/paths.hpp"
#include "spec/tests/rows.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace mock_server::program {
namespace {

using testing::HasSubstr;
using testing::Not;
using transport::testing::port_in;
using transport::testing::Process;

constexpr const char* kHead = "openapi: 3.1.0\ninfo: {title: Pets, version: '1'}\n";

// All that a line for a shell prints, in that folder.
std::string output_of(const std::string& line, const test_support::Folder& folder) {
  Process shell(
      {"sh", "-c", "cd \"$1\" && " + line + " >printed 2>&1", "sh", folder.path().string()});
  shell.end();
  return test_support::read_file(folder.path() / "printed");
}

std::string init_in(const test_support::Folder& folder) {
  return output_of(test_paths::mock_server() + " init 'the pets.yaml'", folder);
}

// The printed commands.
std::vector<std::string> commands_in(const std::string& printed) {
  std::vector<std::string> commands;
  for (auto at = printed.find("\n  "); at != std::string::npos; at = printed.find("\n  ", at + 1)) {
    commands.push_back(printed.substr(at + 3, printed.find('\n', at + 1) - at - 3));
  }
  return commands;
}

std::string at_port(std::string line, int port) {
  return line.replace(line.find("4010"), 4, std::to_string(port));
}

struct InitCase {
  std::string name;
  std::string paths;  // the rest of the contract
  std::string operations;
  std::string body;
};

using FirstFixtures = spec::tests::RowTest;

TEST_P(FirstFixtures, make_the_printed_commands_work) {
  const InitCase& row = GetParam();
  const test_support::Folder folder;
  folder.write("the pets.yaml", kHead + row.paths);

  const auto commands = commands_in(init_in(folder));

  ASSERT_EQ(commands.size(), 3U);
  EXPECT_THAT(test_support::read_file(folder.path() / "mock/operations.yaml"),
              HasSubstr(row.operations));
  Process mock({"sh", "-c", "cd \"$1\" && exec " + commands[0] + " --port 0 --quiet", "sh",
                folder.path().string()});
  const int port = port_in(mock.line());
  const auto call = at_port(commands[1], port) + " -s";
  EXPECT_THAT(output_of(call, folder), testing::AllOf(HasSubstr(" 200 "), HasSubstr(row.body)));
  EXPECT_THAT(output_of(at_port(commands[2], port) + " -s", folder), HasSubstr("first_call_fails"));
  EXPECT_THAT(output_of(call, folder), HasSubstr(" 503 "));
  EXPECT_THAT(output_of(call, folder), HasSubstr(" 200 "));
}

constexpr const char* kPets =
    "paths:\n"
    "  /pets:\n"
    "    get: {operationId: list, responses: {'200': {description: ok, content: {application/json: "
    "{schema: {type: array, items: {$ref: '#/components/schemas/Pet'}}}}}}}\n"
    "  /pets/{id}:\n"
    "    get:\n"
    "      operationId: read\n"
    "      parameters: [{name: id, in: path, required: true, schema: {type: string}}]\n"
    "      responses: {'200': {description: ok, content: {application/json: {schema: {$ref: "
    "'#/components/schemas/Pet'}}}}}\n"
    "components:\n"
    "  schemas: {Pet: {type: object, required: [id, of], properties: {id: {type: string, const: "
    "it's}, of: {type: object, required: [name], properties: {name: {const: 'a: b'}}}}}}\n";

const std::vector<InitCase> kInitCases = {
    {"collection", kPets, "  read: {behaviour: read, collection: pets, key: /path/id}", "a: b"},
    {"credentials",
     std::string(kPets) + "  securitySchemes:\n"
                          "    basic: {type: http, scheme: basic}\n"
                          "    key: {type: apiKey, in: query, name: key}\n"
                          "    head: {type: apiKey, in: header, name: X-Key}\n"
                          "    cookie: {type: apiKey, in: cookie, name: crumb}\n"
                          "security: [{key: [], head: [], basic: [], cookie: []}]\n",
     "collections:", "a: b"},
    {"no_collection",
     "paths:\n"
     "  /health:\n"
     "    get: {parameters: [{name: deep, in: query, required: true, schema: {type: boolean}}, "
     "{name: X-Kind, in: header, required: true, schema: {const: full}}], responses: {'200': "
     "{description: ok}}}\n",
     "operations: {}", ""},
    {"key_that_no_path_takes",
     "paths:\n"
     "  /notes/{id}:\n"
     "    get: {operationId: read, parameters: [{name: id, in: path, required: true, schema: "
     "{type: "
     "integer, minimum: 5, maximum: 4}}], responses: {'200': {description: ok}}}\n"
     "  /health: {get: {responses: {'200': {description: ok}}}}\n",
     "operations:", ""}};

INSTANTIATE_TEST_SUITE_P(Init, FirstFixtures, testing::ValuesIn(spec::tests::rows(kInitCases)),
                         spec::tests::kRowNames);

TEST(Init, names_the_files_that_are_there_and_writes_nothing) {
  const test_support::Folder folder;
  folder.write("the pets.yaml", std::string(kHead) + kPets);
  folder.write("mock/pets.yaml", "{}");

  const auto printed = init_in(folder);

  EXPECT_THAT(printed, HasSubstr("mock/pets.yaml: is there already; name another folder"));
  EXPECT_THAT(printed, Not(HasSubstr("mock/operations.yaml")));
  EXPECT_FALSE(std::filesystem::exists(folder.path() / "mock/operations.yaml"));
}

TEST(Init, says_which_file_cannot_be_written) {
  const test_support::Folder folder;
  folder.write("the pets.yaml", std::string(kHead) + kPets);
  folder.write("mock", "a file");

  EXPECT_THAT(init_in(folder), HasSubstr("mock/operations.yaml: cannot be written: "));
}

}  // namespace
}  // namespace mock_server::program
