#include "spec/http/chunk.hpp"

#include <gtest/gtest.h>

namespace spec::http {
namespace {

TEST(Chunk, has_its_size_in_hexadecimal) {
  EXPECT_EQ(chunk("a\r\nb"), "4\r\na\r\nb\r\n");
  EXPECT_EQ(chunk(std::string(26, 'x')), "1a\r\n" + std::string(26, 'x') + "\r\n");
}

TEST(Chunk, a_chunk_of_no_bytes_does_not_end_the_body) {
  EXPECT_EQ(chunk(""), "");
}

}  // namespace
}  // namespace spec::http
