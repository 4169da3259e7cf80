#include "spec/net/base_url.hpp"

#include <gtest/gtest.h>

namespace spec::http {
namespace {

TEST(LoopbackHost, is_what_leads_to_this_machine) {
  for (const char* const host :
       {"localhost", "LocalHost", "api.localhost", "127.0.0.1", "127.8.9.1", "::1", "[::1]"}) {
    EXPECT_TRUE(net::is_loopback_host(host)) << host;
  }
}

TEST(LoopbackHost, is_no_name_that_looks_like_one) {
  for (const char* const host : {"", "127.example", "127.0.0.1.example", "notlocalhost",
                                 "localhost.example", "1.127.0.0", "::2", "host"}) {
    EXPECT_FALSE(net::is_loopback_host(host)) << host;
  }
}

}  // namespace
}  // namespace spec::http
