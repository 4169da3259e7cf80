#include "mock_server/control/request/api.hpp"
#include "mock_server/control/routes.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace mock_server::control {
namespace {

using request::Api;

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
