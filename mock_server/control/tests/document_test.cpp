#include "mock_server/control/control_request.hpp"
#include "mock_server/control/routes.hpp"
#include "spec/tests/folder.hpp"
#include "spec/tests/paths.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cctype>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace mock_server::control {
namespace {

std::vector<std::string_view> described_operations(const Api& control_api) {
  std::vector<std::string_view> ids;
  for (const auto& operation : control_api.contract().operations()) {
    ids.push_back(operation.id);
  }
  return ids;
}

TEST(ControlDocument, has_exactly_the_routes_of_the_program) {
  const Api control_api;

  EXPECT_THAT(routed_operations(),
              testing::UnorderedElementsAreArray(described_operations(control_api)));
}

// "METHOD path" of each endpoint that the README's table has.
std::vector<std::string> tabled_endpoints() {
  std::istringstream lines(
      test_support::read_file(test_paths::source() + "/mock_server/control/README.md"));
  std::vector<std::string> endpoints;
  for (std::string line; std::getline(lines, line);) {
    std::istringstream spans(line.starts_with("| `") ? line.substr(0, line.find('|', 1)) : "");
    std::vector<std::string> methods;
    for (std::string span; std::getline(spans, span, '`');) {
      const std::string method = span.substr(0, span.find(' '));
      if (method != "GET" && method != "PUT" && method != "POST" && method != "PATCH" &&
          method != "DELETE") {
        continue;
      }
      methods.push_back(method);
      if (method != span) {
        for (const std::string& one : std::exchange(methods, {})) {
          endpoints.push_back(one + span.substr(method.size()));
        }
      }
    }
  }
  return endpoints;
}

// "PUT records/COLLECTION/KEY" for "PUT /_mock/records/{collection}/{key}".
std::string as_in_table(const spec::contract::Operation& operation) {
  std::string path = operation.path.substr(std::string_view("/_mock/").size());
  bool is_name = false;
  for (char& letter : path) {
    is_name = letter == '{' || (is_name && letter != '}');
    letter = is_name ? static_cast<char>(std::toupper(static_cast<unsigned char>(letter))) : letter;
  }
  std::erase_if(path, [](char letter) { return letter == '{' || letter == '}'; });
  return operation.method + ' ' + path;
}

TEST(ControlDocument, has_exactly_the_endpoints_of_the_readme) {
  const Api control_api;
  std::vector<std::string> described;
  for (const auto& operation : control_api.contract().operations()) {
    if (operation.path != "/_mock/") {
      described.push_back(as_in_table(operation));
    }
  }

  EXPECT_THAT(tabled_endpoints(), testing::UnorderedElementsAreArray(described));
}

TEST(ControlDocument, has_no_warnings) {
  const Api control_api;

  EXPECT_THAT(control_api.contract().warnings(), testing::IsEmpty());
}

TEST(ControlDocument, declares_an_error_for_every_operation) {
  const Api control_api;

  for (const auto& operation : control_api.contract().operations()) {
    EXPECT_NE(operation.response(422), nullptr) << operation.name;
  }
}

}  // namespace
}  // namespace mock_server::control
