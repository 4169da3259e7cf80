#include "mock_server/service/request/request_context.hpp"

#include <gtest/gtest.h>

namespace mock_server::service::request {
namespace {

using spec::http::Request;

TEST(SessionChoice, is_the_default_session_without_a_name) {
  const Request request{"GET", "/customers/a?x=1", {}, ""};
  const SessionChoice choice = choose_session(request);

  EXPECT_EQ(choice.name, "");
  EXPECT_EQ(choice.path, "/customers/a");
  EXPECT_TRUE(choice.readable);
}

TEST(SessionChoice, may_be_in_the_header) {
  const Request request{"GET", "/customers/a", {{"x-counterpart-session", "ci-7"}}, ""};
  const SessionChoice choice = choose_session(request);

  EXPECT_EQ(choice.name, "ci-7");
  EXPECT_EQ(choice.path, "/customers/a");
  EXPECT_EQ(choice.prefix, "");
}

TEST(SessionChoice, may_be_in_the_path_prefix_which_has_priority) {
  const Request request{
      "GET", "/_s/left/customers/a?x=1", {{"X-Counterpart-Session", "right"}}, ""};
  const SessionChoice choice = choose_session(request);

  EXPECT_EQ(choice.name, "left");
  EXPECT_EQ(choice.path, "/customers/a");
  EXPECT_EQ(choice.prefix, "/_s/left");
}

TEST(SessionChoice, of_a_prefix_without_a_path_has_the_root_path) {
  const Request request{"GET", "/_s/left", {}, ""};

  EXPECT_EQ(choose_session(request).path, "/");
}

TEST(SessionChoice, reports_an_invalid_name) {
  const Request by_path{"GET", "/_s/a%20b/x", {}, ""};
  const Request empty{"GET", "/_s//x", {}, ""};
  const Request by_header{"GET", "/x", {{"X-Counterpart-Session", "a b"}}, ""};

  EXPECT_FALSE(choose_session(by_path).readable);
  EXPECT_FALSE(choose_session(empty).readable);
  EXPECT_FALSE(choose_session(by_header).readable);
}

}  // namespace
}  // namespace mock_server::service::request
