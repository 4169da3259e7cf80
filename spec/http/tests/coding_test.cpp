#include "spec/http/coding.hpp"

#include "spec/http/tests/gzip.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace spec::http {

namespace {

using std::string_view_literals::operator""sv;

std::string content(std::string_view codings, std::string_view body) {
  auto decoded = decode_content(codings, body);
  return decoded ? *decoded : decoded.error().message.text();
}

CodingErrorKind error_kind(std::string_view codings, std::string_view body,
                           const CodingLimits& limits) {
  return decode_content(codings, body, limits).error().kind;
}

// "hello" by other tools: zlib.compress, its bare form, and brotli.
constexpr std::string_view kZlibHello = "\x78\x9c\xcb\x48\xcd\xc9\xc9\x07\x00\x06\x2c\x02\x15"sv;
constexpr std::string_view kBareHello = "\xcb\x48\xcd\xc9\xc9\x07\x00"sv;
constexpr std::string_view kBrotliHello = "\x0b\x02\x80hello\x03"sv;

TEST(ContentCoding, none_and_identity_change_nothing) {
  EXPECT_EQ(content("", "hello"), "hello");
  EXPECT_EQ(content(" identity , ", "hello"), "hello");
}

TEST(ContentCoding, gzip_is_taken_off_whatever_the_case) {
  EXPECT_EQ(content("GZip", gzip("hello")), "hello");
  EXPECT_EQ(content("x-gzip", gzip("")), "");
}

TEST(ContentCoding, gzip_members_are_joined) {
  EXPECT_EQ(content("gzip", gzip("hel") + gzip("lo")), "hello");
}

TEST(ContentCoding, deflate_is_read_in_both_its_forms) {
  EXPECT_EQ(content("deflate", kZlibHello), "hello");
  EXPECT_EQ(content("deflate", kBareHello), "hello");
}

TEST(ContentCoding, br_is_taken_off) {
  EXPECT_EQ(content("br", kBrotliHello), "hello");
}

TEST(ContentCoding, stacked_codings_are_taken_off_from_the_last) {
  EXPECT_EQ(content("gzip, gzip", gzip(gzip("hello"))), "hello");
  EXPECT_EQ(content("deflate, gzip", gzip(kZlibHello)), "hello");
}

TEST(ContentCoding, a_cut_stream_ends_early) {
  const std::string whole = gzip("hello");

  EXPECT_EQ(content("gzip", whole.substr(0, whole.size() - 1)), "must be gzip, but ends early");
  EXPECT_EQ(content("br", kBrotliHello.substr(0, 6)), "must be br, but ends early");
  EXPECT_EQ(content("gzip", ""), "must be gzip, but ends early");
}

TEST(ContentCoding, a_wrong_checksum_is_corrupt) {
  std::string wrong = gzip("hello");
  wrong[wrong.size() - 8] = static_cast<char>(wrong[wrong.size() - 8] ^ 1);

  EXPECT_EQ(content("gzip", wrong), "must be gzip, but is corrupt");
}

TEST(ContentCoding, bytes_behind_the_end_are_rejected) {
  EXPECT_EQ(content("gzip", gzip("hello") + "x"), "must be gzip, but ends early");
  EXPECT_EQ(content("deflate", std::string(kZlibHello) + "x"),
            "must be deflate, but has bytes behind its end");
  EXPECT_EQ(content("br", std::string(kBrotliHello) + "x"),
            "must be br, but has bytes behind its end");
}

TEST(ContentCoding, an_unknown_one_is_named) {
  EXPECT_EQ(content("zstd", "x"), "must be gzip, deflate, br or identity, but is \"zstd\"");
  EXPECT_EQ(error_kind("zstd", "x", {}), CodingErrorKind::kUnknown);
}

TEST(ContentCoding, a_body_that_decompresses_beyond_a_limit_is_too_large) {
  const std::string bomb = gzip(std::string(1'000'000, 'a'));

  EXPECT_EQ(error_kind("gzip", bomb, {.max_bytes = 999'999}), CodingErrorKind::kTooLarge);
  EXPECT_EQ(error_kind("gzip", bomb, {.max_ratio = 100, .ratio_from = 999'999}),
            CodingErrorKind::kTooLarge);
  EXPECT_EQ(decode_content("gzip", bomb, {.max_bytes = 1'000'000})->size(), 1'000'000U);
  EXPECT_EQ(error_kind("gzip,gzip,gzip", "x", {.max_codings = 2}), CodingErrorKind::kTooLarge);
}

// A page of like items compresses a thousand times, and is none the worse for it.
TEST(ContentCoding, repetitive_content_is_no_bomb) {
  const std::string page(16U * 1024 * 1024, 'a');
  const std::string packed = gzip(page);

  EXPECT_GT(page.size() / packed.size(), 500U);
  EXPECT_EQ(decode_content("gzip", packed, {.max_ratio = 100})->size(), page.size());
  EXPECT_EQ(error_kind("gzip", gzip(page + 'a'), {.max_ratio = 100}), CodingErrorKind::kTooLarge);
}

}  // namespace

}  // namespace spec::http
