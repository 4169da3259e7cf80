#include "mock_server/reply/json_response.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace mock_server::reply {
namespace {

TEST(ErrorResponse, has_code_message_and_other_members) {
  EXPECT_EQ(error_response(404, "NOT_FOUND", "no \"x\"").body,
            R"({"code":"NOT_FOUND","message":"no \"x\""})");
  EXPECT_EQ(error_response(503, "NOT_READY", "draining", {{"ready", false}}).body,
            R"({"code":"NOT_READY","message":"draining","ready":false})");
}

}  // namespace
}  // namespace mock_server::reply
