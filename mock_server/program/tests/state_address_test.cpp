#include "mock_server/program/program_options.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace mock_server::program {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using Kind = StateAddress::Kind;

TEST(StateAddress, names_a_file_or_nothing) {
  EXPECT_EQ(parse_state_address("")->kind, Kind::kMemory);
  EXPECT_EQ(parse_state_address("sqlite:a/b.db")->kind, Kind::kSqlite);
  EXPECT_EQ(parse_state_address("sqlite:a/b.db")->file, "a/b.db");
}

TEST(StateAddress, names_a_redis) {
  const auto plain = parse_state_address("redis://localhost");
  EXPECT_EQ(plain->redis.host, "localhost");
  EXPECT_EQ(plain->redis.port, 6379);
  const auto full = parse_state_address("rediss://:a@b@[::1]:7000/3");
  EXPECT_TRUE(full->redis.is_encrypted);
  EXPECT_EQ(full->redis.password, "a@b");
  EXPECT_EQ(full->redis.host, "::1");
  EXPECT_EQ(full->redis.port, 7000);
  EXPECT_EQ(full->redis.database, 3);
}

TEST(StateAddress, says_what_is_wrong_and_never_the_password) {
  for (const char* const text : {"postgres://secret", "sqlite:", "redis://", "redis://:secret@",
                                 "redis://secret@h", "redis://:secret@h:0", "redis://h/x"}) {
    const auto parsed = parse_state_address(text);
    ASSERT_FALSE(parsed.has_value()) << text;
    EXPECT_THAT(parsed.error(), HasSubstr("--state: "));
    EXPECT_THAT(parsed.error(), Not(HasSubstr("secret")));
  }
}

TEST(StateAddress, takes_a_name_alone_for_a_forgotten_scheme) {
  EXPECT_THAT(parse_state_address("shop.db").error(),
              HasSubstr(", but is shop.db; did you mean sqlite:shop.db?"));
}

}  // namespace
}  // namespace mock_server::program
