#include "spec/http/base64.hpp"

#include <gtest/gtest.h>

#include <string>

namespace spec::http {
namespace {

struct Pair {
  const char* name;
  std::string bytes;
  std::string text;
};

class Base64 : public testing::TestWithParam<Pair> {};

// Source: RFC 4648 §10, and bytes of every kind.
INSTANTIATE_TEST_SUITE_P(Texts, Base64,
                         testing::Values(Pair{"nothing", "", ""}, Pair{"one", "f", "Zg=="},
                                         Pair{"two", "fo", "Zm8="}, Pair{"three", "foo", "Zm9v"},
                                         Pair{"four", "foob", "Zm9vYg=="},
                                         Pair{"bytes", std::string("\x00\xFF\xFE", 3), "AP/+"}),
                         [](const auto& each) { return std::string(each.param.name); });

TEST_P(Base64, is_written) {
  EXPECT_EQ(to_base64(GetParam().bytes), GetParam().text);
}

TEST_P(Base64, is_read_back) {
  EXPECT_EQ(from_base64(GetParam().text), GetParam().bytes);
}

TEST(Base64Text, is_refused_when_it_is_none) {
  for (const char* const text : {"Zg", "Zg=", "Z===", "Zm9v!A==", "Zg==Zg=="}) {
    EXPECT_EQ(from_base64(text), std::nullopt) << text;
  }
}

}  // namespace
}  // namespace spec::http
