// Which entries of the journal are redacted when they are read, or again.

#include "mock_server/record/redacted_journal.hpp"

#include "mock_server/api/loading/load_api.hpp"
#include "mock_server/state/memory_journal.hpp"
#include "spec/schema/patterns/pattern.hpp"
#include "spec/tests/folder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <string>

namespace mock_server::record {
namespace {

using testing::HasSubstr;
using testing::MatchesRegex;
using testing::Not;

constexpr const char* kAddress = "rex@kennel.test";  // a secret by its form
constexpr const char* kPing = R"({"openapi": "3.1.0", "info": {"title": "P", "version": "1"},
  "paths": {"/p": {"get": {"responses": {"200": {"description": "d", "content": {
    "application/json": {"schema": {"properties": {"phrase": {"format": "password"}}}}}}}}},
  "/p/{token}": {"get": {"parameters": [
    {"name": "token", "in": "path", "required": true, "schema": {"type": "string"}}],
    "responses": {"204": {"description": "d"}}}}}})";

class RedactedEntries : public testing::Test {
 protected:
  void note(state::Journal& journal, const spec::http::Headers& fields, const std::string& body,
            std::uint64_t redacted_at = 0, const std::string& type = "text/plain") {
    const spec::http::Request request{"GET", "/p", fields, ""};
    const spec::http::Response response{200, "", {{"Content-Type", type}}, body};
    state::Exchange exchange;
    exchange.id = journal.next_id();
    exchange.operation = api_->contract.operations()[0].id;
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

  // Adds an entry that no journal keeps, so that it shows when one is redacted again.
  void keep_with_address(std::size_t count, std::uint64_t redacted_at) {
    for (std::size_t at = 0; at < count; ++at) {
      note(kept_, {}, kAddress, redacted_at);
    }
  }

  // As of a request that was rejected before anybody looked for its operation.
  static void note_rejected(state::Journal& journal, const std::string& target) {
    const spec::http::Request request{"GET", target, {}, ""};
    const spec::http::Response response{503, "", {}, ""};
    state::Exchange exchange;
    exchange.id = journal.next_id();
    exchange.request = &request;
    exchange.response = &response;
    journal.add(exchange);
  }

  void note_json(state::Journal& journal, const std::string& body) {
    note(journal, {}, body, 0, "application/json");
  }

  // The redactions of those entries, since `mark`.
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
  std::shared_ptr<const api::LoadedApi> api_ =
      api::load_api({.contract = folder_.write("p.json", kPing), .folders = {}, .infers = true});
  Redaction redaction_{api_, Key("key"), {}, {.known = 10}};
  state::MemoryJournal kept_{std::size_t{16} * 1024 * 1024};
  RedactedJournal journal_{kept_, redaction_};
  RedactedJournal late_{kept_, redaction_, RedactedWhen::kRead};
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
  note_json(journal_, R"({"comment": "it is horse-battery", "phrase": "horse-battery"})");

  EXPECT_THAT(kept_.find(0, 1)->response.body, Not(HasSubstr("horse-battery")));
  EXPECT_THAT(journal_.find(0, 1)->response.body, HasSubstr("it is "));
}

TEST_F(RedactedEntries, do_not_show_what_became_secret_later) {
  note(journal_, {}, "the token is not-known-yet, it says");
  learn("not-known-yet");

  EXPECT_THAT(kept_.find(0, 1)->response.body, HasSubstr("not-known-yet"));
  EXPECT_THAT(journal_.find(0, 1)->response.body, Not(HasSubstr("not-known-yet")));
}

TEST_F(RedactedEntries, that_stay_in_memory_are_kept_as_they_came_until_they_are_read) {
  note(late_, {{"Authorization", "Bearer a-first-token"}}, kAddress);

  EXPECT_EQ(kept_.find(0, 1)->response.body, kAddress);
  const auto shown = late_.find(0, 1);
  EXPECT_THAT(shown->response.body, Not(HasSubstr("kennel.test")));
  EXPECT_EQ(shown->request.headers.find("Authorization"), "Bearer [hidden]");
}

TEST_F(RedactedEntries, have_no_secret_of_an_entry_that_nobody_read) {
  note_json(late_, R"({"phrase": "horse-battery"})");  // by its schema
  note_json(late_, R"({"client_secret": "staple-correct"})");
  note(late_, {{"Authorization", "Bearer a-first-token"}}, "");
  note(late_, {}, "it is horse-battery staple-correct a-first-token!");

  EXPECT_THAT(late_.find(0, 4)->response.body,
              MatchesRegex("it is redacted-[0-9a-f]+ redacted-[0-9a-f]+ redacted-[0-9a-f]+!"));
}

TEST_F(RedactedEntries, as_they_came_have_no_secret_that_was_forgotten_since) {
  for (int at = 0; at < 100; ++at) {
    const std::string token = "token-number-" + std::to_string(at);
    note(late_, {{"Authorization", "Bearer " + token}}, "it is " + token);
  }

  late_.each(0, [](const state::Entry& entry) {
    EXPECT_THAT(entry.response.body, Not(HasSubstr("token-number")));
    EXPECT_EQ(entry.response.status, 200);
  });
  EXPECT_THAT(late_.find(0, 95)->response.body, HasSubstr("it is redacted-"));
}

TEST_F(RedactedEntries, that_are_kept_in_part_are_redacted_before_they_are_cut) {
  state::MemoryJournal small(16'384);
  RedactedJournal late(small, redaction_, RedactedWhen::kRead);
  note(late, {}, std::string(1'010, 'x') + ' ' + kAddress);

  EXPECT_THAT(small.find(0, 1)->response.body, Not(HasSubstr("rex")));
}

TEST_F(RedactedEntries, do_not_hold_an_event_loop_while_many_or_long_ones_are_redacted) {
  using spec::schema::patterns::SearchBudget;
  note_json(late_, "[\"" + std::string(10'000, 'x') + "\"]");
  const SearchBudget of_loop(1'000, [] { return true; });
  state::JournalMark mark;

  EXPECT_THROW(late_.find(0, 1), SearchBudget::Exhaustion);
  EXPECT_THROW(late_.follow(0, mark, [](auto& /*entry*/) { return true; }),
               SearchBudget::Exhaustion);
  EXPECT_EQ(mark.place, 0U);
}

TEST_F(RedactedEntries, of_rejected_requests_and_of_sessions_have_no_secret_in_their_path) {
  for (RedactedJournal* const journal : {&journal_, &late_}) {
    for (const std::string prefix : {"", "/_s/alice"}) {
      note_rejected(*journal, prefix + "/p/tok-in-the-path");
      const auto shown = journal->find(0, kept_.last_id());
      EXPECT_THAT(shown->request.target, Not(HasSubstr("tok-in-the-path")));
      EXPECT_THAT(shown->request.target, HasSubstr(prefix + "/p/"));
    }
  }
  EXPECT_THAT(redaction_.text("tok-in-the-path"), Not(HasSubstr("tok-in")));
}

TEST_F(RedactedEntries, come_without_what_their_reader_does_not_need) {
  note(late_, {{"X-Name", kAddress}}, kAddress);
  const auto read = [this](state::NeededParts needed) {
    state::Entry found;
    state::JournalMark mark;
    mark.needed = needed;
    late_.follow(std::nullopt, mark, [&](state::Entry& entry) {
      found = entry;
      return true;
    });
    return found;
  };
  const state::Entry all = read(state::NeededParts::kAll);
  const state::Entry heads = read(state::NeededParts::kHeads);
  const state::Entry counted = read(state::NeededParts::kCounted);

  EXPECT_THAT(all.response.body, HasSubstr("redacted-"));
  EXPECT_EQ(heads.response.body, "");
  EXPECT_EQ(heads.response_body_bytes, std::string(kAddress).size());
  EXPECT_THAT(heads.request.headers.find("X-Name").value_or(""), HasSubstr("redacted-"));
  EXPECT_EQ(counted.request.headers.find("X-Name"), std::nullopt);
  EXPECT_EQ(counted.request.target + counted.response.body, "");
  EXPECT_EQ(counted.response.status, 200);
}

// Who waits is asked on a loop for every request that comes.
TEST_F(RedactedEntries, that_are_only_counted_do_not_leave_an_event_loop) {
  using spec::schema::patterns::SearchBudget;
  note_json(late_, "[\"" + std::string(10'000, 'x') + "\"]");
  const SearchBudget of_loop(1'000, [] { return true; });
  state::JournalMark mark;
  mark.needed = state::NeededParts::kCounted;

  late_.follow(0, mark, [](auto& /*entry*/) { return true; });

  EXPECT_EQ(mark.place, 1U);
}

TEST_F(RedactedEntries, leave_no_more_in_memory_than_the_limit_also_of_numbers_and_short_secrets) {
  for (int at = 0; at < 100; ++at) {
    note_json(journal_, R"({"card_number": )" + std::to_string(41'111'111 + at) + "}");
    note_json(journal_, R"({"password": "p)" + std::to_string(at) + "\"}");
  }

  EXPECT_LE(redaction_.use().redactor.remembered(), 15U);
}

class NamedSecrets : public RedactedEntries, public testing::WithParamInterface<const char*> {};

TEST_P(NamedSecrets, are_learned_from_what_is_only_looked_through) {
  note_json(late_, GetParam());
  note(late_, {}, "it is seven-dwarfs");

  EXPECT_THAT(late_.find(0, 2)->response.body, HasSubstr("it is redacted-")) << GetParam();
}

INSTANTIATE_TEST_SUITE_P(
    All, NamedSecrets,
    testing::Values(R"({"password": "seven-dwarfs"})", R"([{"a": 1, "my pass word"
        : "seven-dwarfs"}])",
                    R"({"pass\u0077ord": "seven-dwarfs"})", R"({"tokens": ["seven-dwarfs"]})",
                    R"({"secret": {"deep": [[], "seven-dwarfs"]}})",
                    R"({"link": "https://ada:seven-dwarfs@kennel.test/"})",
                    R"({"note": "your token=seven-dwarfs", "end": {}})",
                    R"({"password" = 'seven-dwarfs'})", R"({"a": "b", password=seven-dwarfs)",
                    R"({password: "seven-dwarfs"})", R"({"a": 1, password: "seven-dwarfs"})",
                    R"(password=seven-dwarfs&b={"c":1})"));

}  // namespace
}  // namespace mock_server::record
