#include "mock_server/journal/journal_query.hpp"
#include "mock_server/state/memory_journal.hpp"
#include "spec/schema/patterns/pattern.hpp"
#include "spec/tests/rows.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace mock_server::journal {
namespace {

constexpr auto kAny = std::numeric_limits<std::uint64_t>::max();

struct Case {
  std::string name;
  Tally tally;
  RequiredCount required;
  Verdict verdict;
};

using VerdictOf = spec::tests::RowTest;

TEST_P(VerdictOf, a_partial_journal_is_inconclusive_unless_certain) {
  const Case& row = GetParam();

  EXPECT_EQ(validate(row.tally, row.required), row.verdict);
}

const std::vector<Case> kCountsVerdictOf = {
    {"exact", {.matched = 2}, {2, 2}, Verdict::kPass},
    {"too_few", {.matched = 1}, {2, 2}, Verdict::kFail},
    {"too_many", {.matched = 3}, {2, 2}, Verdict::kFail},
    {"too_many_whatever_is_lost", {.matched = 3, .lost = 9}, {0, 2}, Verdict::kFail},
    {"enough_whatever_is_lost", {.matched = 3, .lost = 9}, {3, kAny}, Verdict::kPass},
    {"perhaps_enough", {.matched = 1, .lost = 1}, {2, kAny}, Verdict::kInconclusive},
    {"never_enough", {.matched = 1, .lost = 1}, {3, kAny}, Verdict::kFail},
    {"perhaps_too_many", {.matched = 1, .lost = 2}, {0, 2}, Verdict::kInconclusive},
    {"none_but_lost", {.lost = 1}, {0, 0}, Verdict::kInconclusive},
    {"a_cut_body", {.matched = 1, .undecided = 1}, {1, 1}, Verdict::kInconclusive},
    {"lost_beyond_counting", {.is_partial = true}, {5, kAny}, Verdict::kInconclusive},
    {"any_number", {.lost = 5}, {0, kAny}, Verdict::kPass}};

INSTANTIATE_TEST_SUITE_P(Counts, VerdictOf, testing::ValuesIn(spec::tests::rows(kCountsVerdictOf)),
                         spec::tests::kRowNames);

TEST(RequiredCount, is_named_as_it_was_asked_for) {
  EXPECT_EQ((RequiredCount{0, 0}).words(), "at most 0");
  EXPECT_EQ((RequiredCount{0, 0, true}).words(), "exactly 0");
  EXPECT_EQ((RequiredCount{2, 2}).words(), "exactly 2");
  EXPECT_EQ((RequiredCount{1, 3}).words(), "at least 1 and at most 3");
}

// A journal that counts how many entries are read.
class CountingJournal final : public state::Journal {
 public:
  std::uint64_t next_id() override { return inner_.next_id(); }

  std::uint64_t last_id() const override { return inner_.last_id(); }

  void add(const state::Exchange& exchange) override { inner_.add(exchange); }

  std::optional<state::Entry> find(std::uint64_t session, std::uint64_t id) const override {
    return inner_.find(session, id);
  }

  state::JournalMark mark(std::optional<std::uint64_t> session,
                          std::optional<std::uint64_t> after) const override {
    return inner_.mark(session, after);
  }

  std::uint64_t follow(std::optional<std::uint64_t> session, state::JournalMark& mark,
                       const std::function<bool(state::Entry&)>& visit) const override {
    needed_ = mark.needed;
    return inner_.follow(session, mark, [&](state::Entry& entry) {
      ++read_;
      return visit(entry);
    });
  }

  state::JournalWindow window(std::uint64_t session) const override {
    return inner_.window(session);
  }

  void clear(std::uint64_t session) override { inner_.clear(session); }

  void clear_in_part(std::uint64_t session) override { inner_.clear_in_part(session); }

  std::size_t limit_bytes() const override { return inner_.limit_bytes(); }

  std::size_t used_bytes() const override { return inner_.used_bytes(); }

  void note(const std::string& method, std::string_view chosen_by = {}) {
    const spec::http::Request request{method, "/", {}, ""};
    const spec::http::Response response;
    state::Exchange exchange;
    exchange.id = next_id();
    exchange.chosen_by = chosen_by;
    exchange.request = &request;
    exchange.response = &response;
    add(exchange);
  }

  // Since it was asked last.
  std::size_t read() { return std::exchange(read_, 0); }

  // The last time that it was followed.
  state::NeededParts needed() const { return needed_; }

 private:
  state::MemoryJournal inner_{std::size_t{16} * 1024 * 1024};
  mutable std::size_t read_ = 0;
  mutable state::NeededParts needed_ = state::NeededParts::kAll;
};

std::vector<std::uint64_t> ids_of(const Tally& tally) {
  std::vector<std::uint64_t> ids;
  for (const auto& request : tally.requests) {
    ids.push_back(request.at("id"));
  }
  return ids;
}

TEST(Newest, reads_no_more_of_a_long_journal_than_it_shows) {
  CountingJournal journal;
  for (int at = 0; at < 10'000; ++at) {
    journal.note("GET", at % 2 == 0 ? "" : state::kPreflight);
  }

  const Tally tally = newest(journal, 0, 3);
  EXPECT_EQ(tally.matched, 5'000U);
  EXPECT_THAT(ids_of(tally), testing::ElementsAre(9'995U, 9'997U, 9'999U));
  EXPECT_LE(journal.read(), 100U);
  EXPECT_THAT(ids_of(newest(journal, 0, 100'000)), testing::SizeIs(5'000));
  EXPECT_TRUE(newest(journal, 1, 3).requests.empty());
}

TEST(Count, leaves_a_long_journal_to_a_worker) {
  using spec::schema::patterns::SearchBudget;
  CountingJournal journal;
  const auto count_on_loop = [&] {
    const SearchBudget loop(1, [] { return true; });
    return Count(journal, {}, {}).of(0).matched;
  };
  for (int at = 0; at < 1'000; ++at) {
    journal.note("GET");
  }
  EXPECT_EQ(count_on_loop(), 1'000U);

  journal.note("GET");

  EXPECT_THROW(count_on_loop(), SearchBudget::Exhaustion);
  EXPECT_EQ(Count(journal, {}, {}).of(0).matched, 1'001U);
}

TEST(Count, needs_of_entries_what_it_compares_and_later_what_it_shows) {
  using state::NeededParts;

  struct Row {
    nlohmann::json match;
    NeededParts counted;
    NeededParts shown;
  };

  CountingJournal journal;
  journal.note("GET");
  for (const Row& row :
       {Row{{{"method", "GET"}, {"status", "200"}}, NeededParts::kCounted, NeededParts::kHeads},
        Row{{{"path", "/"}}, NeededParts::kHeads, NeededParts::kHeads},
        Row{{{"headers", {{"Accept", true}}}}, NeededParts::kHeads, NeededParts::kHeads},
        Row{{{"violates_contract", true}}, NeededParts::kHeads, NeededParts::kHeads},
        Row{{{"body", {{"/a", 1}}}}, NeededParts::kAll, NeededParts::kAll}}) {
    Count count(journal, query_of_match(row.match), {});
    Tally tally = count.of(0);
    EXPECT_EQ(journal.needed(), row.counted) << row.match;
    count.add_lists(tally);
    EXPECT_EQ(journal.needed(), row.shown) << row.match;
  }
  newest(journal, 0, 3);
  EXPECT_EQ(journal.needed(), NeededParts::kHeads);
}

TEST(Count, goes_on_with_what_came_since) {
  CountingJournal journal;
  for (int at = 0; at < 1'000; ++at) {
    journal.note("GET");
  }
  Count posts(journal, query_of_parameters({{"method", "POST"}}), {1, 0});
  EXPECT_EQ(posts.of(0).matched, 0U);
  EXPECT_EQ(journal.read(), 1'000U);

  journal.note("POST");
  journal.note("POST");
  Tally tally = posts.of(0);
  EXPECT_EQ(tally.matched, 2U);
  EXPECT_EQ(journal.read(), 2U);
  posts.add_lists(tally);
  EXPECT_THAT(ids_of(tally), testing::ElementsAre(1'002U));
  EXPECT_EQ(journal.read(), 1U);
  EXPECT_EQ(posts.of(0).matched, 2U);
  EXPECT_EQ(journal.read(), 0U);
}

TEST(Count, begins_anew_where_the_journal_was_cleared_or_is_that_of_another_session) {
  CountingJournal journal;
  journal.note("POST");
  Count posts(journal, query_of_parameters({{"method", "POST"}}), {1, 0});
  EXPECT_EQ(posts.of(0).matched, 1U);
  journal.clear(0);
  EXPECT_EQ(posts.of(0).matched, 0U);
  journal.note("POST");
  EXPECT_EQ(posts.of(0).matched, 1U);
  EXPECT_EQ(posts.of(7).matched, 0U);
  EXPECT_EQ(posts.of(0).matched, 1U);
}

}  // namespace
}  // namespace mock_server::journal
