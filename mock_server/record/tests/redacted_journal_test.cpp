// Which entries of the journal are redacted again when they are read.

#include "mock_server/record/redacted_journal.hpp"

#include "mock_server/fixtures/loading/load_api.hpp"
#include "mock_server/state/memory_journal.hpp"
#include "spec/tests/folder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <string>

namespace mock_server::record {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr const char* kAddress = "rex@kennel.test";  // a secret by its form
constexpr const char* kPing = R"({"openapi": "3.1.0", "info": {"title": "P", "version": "1"},
  "paths": {"/p": {"get": {"responses": {"200": {"description": "d", "content": {
    "application/json": {"schema": {"properties": {"phrase": {"format": "password"}}}}}}}}}}})";

class RedactedEntries : public testing::Test {
 protected:
  static void note(state::Journal& journal, const spec::http::Headers& fields,
                   const std::string& body, std::uint64_t redacted_at = 0,
                   const std::string& type = "text/plain") {
    const spec::http::Request request{"GET", "/p", fields, ""};
    const spec::http::Response response{200, "", {{"Content-Type", type}}, body};
    state::Exchange exchange;
    exchange.id = journal.next_id();
    exchange.request = &request;
    exchange.response = &response;
    exchange.redacted_at = redacted_at;
    journal.add(exchange);
  }

  // Returns the generation with which the entry is kept.
  std::uint64_t learn(const std::string& token) {
    note(journal_, {{"Authorization", "Bearer " + token}}, "");
    return kept_.find(0, kept_.last_id())->redacted_at;
  }

  // As no entry is kept, so that it shows when one is redacted again.
  void keep_with_address(std::size_t count, std::uint64_t redacted_at) {
    for (std::size_t at = 0; at < count; ++at) {
      note(kept_, {}, kAddress, redacted_at);
    }
  }

  // Of those entries, since `mark`.
  std::size_t redactions(state::JournalMark& mark) const {
    std::size_t count = 0;
    journal_.follow(std::nullopt, mark, [&](const state::Entry& entry) {
      count += entry.response.body.empty() || entry.response.body == kAddress ? 0 : 1;
      return true;
    });
    return count;
  }

  std::size_t redactions() const {
    state::JournalMark mark;
    return redactions(mark);
  }

  test_support::Folder folder_;
  std::shared_ptr<const fixtures::LoadedApi> api_ = fixtures::load_api(
      {.contract = folder_.write("p.json", kPing), .folders = {}, .infers = true});
  Redaction redaction_{api_, Key("key"), {}, {.known = 10}};
  state::MemoryJournal kept_{std::size_t{16} * 1024 * 1024};
  RedactedJournal journal_{kept_, redaction_};
};

TEST_F(RedactedEntries, are_shown_as_they_are_kept_while_nothing_new_is_secret) {
  keep_with_address(10'000, learn("a-first-token"));
  state::JournalMark mark;

  EXPECT_EQ(redactions(mark), 0U);
  learn("a-first-token");
  EXPECT_EQ(redactions(mark), 0U);
  EXPECT_EQ(redactions(), 0U);
  learn("another-token");
  EXPECT_EQ(redactions(), 10'000U);
}

TEST_F(RedactedEntries, of_another_start_or_mock_are_always_redacted) {
  learn("a-first-token");
  keep_with_address(3, 0);

  EXPECT_EQ(redactions(), 3U);
}

TEST_F(RedactedEntries, are_redacted_again_after_secrets_were_forgotten) {
  const std::uint64_t generation = learn("a-first-token");
  keep_with_address(3, generation);
  for (int at = 0; at < 100; ++at) {
    EXPECT_GT(learn("token-number-" + std::to_string(at)), generation);
    EXPECT_EQ(redactions(), 3U);
  }
}

TEST_F(RedactedEntries, hide_a_secret_also_before_the_member_whose_schema_says_that_it_is_one) {
  note(journal_, {}, R"({"comment": "it is horse-battery", "phrase": "horse-battery"})", 0,
       "application/json");

  EXPECT_THAT(kept_.find(0, 1)->response.body, Not(HasSubstr("horse-battery")));
  EXPECT_THAT(journal_.find(0, 1)->response.body, HasSubstr("it is "));
}

TEST_F(RedactedEntries, do_not_show_what_became_secret_later) {
  note(journal_, {}, "the token is not-known-yet, it says");
  learn("not-known-yet");

  EXPECT_THAT(kept_.find(0, 1)->response.body, HasSubstr("not-known-yet"));
  EXPECT_THAT(journal_.find(0, 1)->response.body, Not(HasSubstr("not-known-yet")));
}

}  // namespace
}  // namespace mock_server::record
