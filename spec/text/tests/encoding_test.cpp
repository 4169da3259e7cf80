#include "spec/text/encoding.hpp"

#include "spec/tests/rows.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace spec::text {
namespace {

struct Pair {
  const char* name;
  std::string bytes;
  std::string text;
};

using Base64 = spec::tests::RowTest;

// Source: RFC 4648 §10, and bytes of every kind.
const std::vector<Pair> kTextsBase64 = {
    {"nothing", "", ""},          {"one", "f", "Zg=="},
    {"two", "fo", "Zm8="},        {"three", "foo", "Zm9v"},
    {"four", "foob", "Zm9vYg=="}, {"bytes", std::string("\x00\xFF\xFE", 3), "AP/+"}};

INSTANTIATE_TEST_SUITE_P(Texts, Base64, testing::ValuesIn(spec::tests::rows(kTextsBase64)),
                         spec::tests::kRowNames);

TEST_P(Base64, is_written) {
  const Pair& row = GetParam();

  EXPECT_EQ(to_base64(row.bytes), row.text);
}

TEST_P(Base64, is_read_back) {
  const Pair& row = GetParam();

  EXPECT_EQ(from_base64(row.text), row.bytes);
}

TEST(Base64Text, is_rejected_when_it_is_none) {
  for (const char* const text : {"Zg", "Zg=", "Z===", "Zm9v!A==", "Zg==Zg=="}) {
    EXPECT_EQ(from_base64(text), std::nullopt) << text;
  }
}

TEST(Hex, is_two_digits_a_byte) {
  EXPECT_EQ(to_hex(std::string("\x00\x9Fz", 3)), "009f7a");
}

TEST(PercentDecoding, takes_triplets_in_either_case_once) {
  EXPECT_EQ(percent_decode("a%2Fb%2f%2541"), "a/b/%41");
  EXPECT_EQ(percent_decode("%00"), std::string(1, '\0'));
}

TEST(PercentDecoding, reads_a_plus_as_a_blank_only_in_forms) {
  EXPECT_EQ(percent_decode("a+b"), "a+b");
  EXPECT_EQ(percent_decode("a+b%2B", true), "a b+");
}

TEST(PercentDecoding, rejects_a_malformed_triplet) {
  EXPECT_EQ(percent_decode("%"), std::nullopt);
  EXPECT_EQ(percent_decode("a%4"), std::nullopt);
  EXPECT_EQ(percent_decode("%ZZ"), std::nullopt);
  EXPECT_EQ(percent_decode("%4G"), std::nullopt);
}

TEST(PercentEncoding, leaves_only_unreserved_characters) {
  EXPECT_EQ(percent_encode("aZ09-._~"), "aZ09-._~");
  EXPECT_EQ(percent_encode("a/b c+\xC3\xA9"), "a%2Fb%20c%2B%C3%A9");
  EXPECT_EQ(percent_encode("a/b c", "/"), "a/b%20c");
}

}  // namespace
}  // namespace spec::text
