// Texts of a service do nothing to a terminal, or to a program that shows the reports.

#include "contract_tests/report/formats/report_files.hpp"
#include "contract_tests/tests/support/child.hpp"
#include "contract_tests/tests/support/scripted_server.hpp"
#include "contract_tests/tests/support/suite_tests.hpp"
#include "spec/tests/paths.hpp"
#include "spec/tests/rows.hpp"
#include "spec/text/quote.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <sstream>

namespace contract_tests {
namespace {

using nlohmann::json;
using testing::IsEmpty;

constexpr const char* kKindsDescription = R"(openapi: 3.1.0
info: {title: Shop, version: "1"}
paths:
  /pets:
    get:
      operationId: list_pets
      responses:
        "200":
          description: ok
          headers: {X-Kind: {schema: {enum: [a]}}}
          content: {application/json: {schema: {type: object, additionalProperties: {enum: [a]}}}}
)";

// C1, in UTF-8; a separator of lines; what turns the direction of text.
const std::string kControls =
    "a\xC2\x9B"
    "31m\xC2\x9D\xE2\x80\xA8\xE2\x80\xAE\xE2\x81\xA6\xD8\x9C\xE2\x80\x8F"
    "z";

struct HostileResponse {
  std::string name;
  std::string head;
  std::string body;
};

std::string bytes_of_response(const HostileResponse& row) {
  return "HTTP/1.1 " + row.head + "\r\nContent-Length: " + std::to_string(row.body.size()) +
         "\r\n\r\n" + row.body;
}

std::vector<std::string> lines_with_controls(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> found;
  for (std::string line; std::getline(in, line);) {
    std::ranges::replace(line, '\t', ' ');
    if (spec::text::without_controls(line) != line) {
      found.push_back(line);
    }
  }
  return found;
}

using Controls = spec::tests::RowTest;

TEST_P(Controls, are_escaped_wherever_texts_leave) {
  const HostileResponse& row = GetParam();
  const test_support::Folder folder;
  const support::ScriptedServer server(
      {{.steps = json::array({{{"send", bytes_of_response(row)}}})}});

  const auto ended =
      support::run_child(test_paths::contract_tests(),
                         {"--contract", folder.write("shop.yaml", kKindsDescription).string(),
                          "--base-url", server.url(), "--report", (folder.path() / "out").string(),
                          "--annotate", "github", "--verbose"},
                         {{"GITHUB_STEP_SUMMARY", (folder.path() / "out/step.md").string()}});

  EXPECT_THAT(lines_with_controls(ended.out), IsEmpty());
  EXPECT_THAT(lines_with_controls(ended.err), IsEmpty());
  std::vector<std::string> names{"step.md"};
  for (const auto& file : report::formats::report_files()) {
    if (file.name != "run.json" &&
        file.name != "report.html") {  // they hold the exchange as it was
      names.emplace_back(file.name);
    }
  }
  for (const std::string& name : names) {
    const auto text = test_support::read_file(folder.path() / "out" / name);
    EXPECT_THAT(lines_with_controls(text), IsEmpty()) << name;
    EXPECT_FALSE(text.empty()) << name << '\n' << ended.out << ended.err;
  }
}

const std::vector<HostileResponse> kHostileResponses = {
    {"in_values_and_names", "200 OK\r\nContent-Type: application/json",
     "{\"" + kControls + "\":\"" + kControls + "\"}"},
    {"in_a_body_that_is_no_json", "200 OK\r\nContent-Type: application/json", kControls},
    {"in_fields",
     "200 OK\r\nX-Kind: " + kControls + "\r\nContent-Type: application/json;x=\"" + kControls + '"',
     "{}"},
    {"in_a_reason", "400 " + kControls + "\r\nContent-Type: text/" + kControls, "{}"},
    {"in_a_redirect", "302 Found\r\nLocation: http://other.example/" + kControls, ""},
    {"in_the_name_of_a_field", "200 OK\r\nX-" + kControls + ": a", ""}};

INSTANTIATE_TEST_SUITE_P(Suite, Controls, testing::ValuesIn(spec::tests::rows(kHostileResponses)),
                         spec::tests::kRowNames);

}  // namespace
}  // namespace contract_tests
