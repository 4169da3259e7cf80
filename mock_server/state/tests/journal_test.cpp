#include "mock_server/state/memory_journal.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <optional>
#include <string>
#include <unistd.h>
#include <utility>
#include <vector>

namespace mock_server::state {
namespace {

using spec::http::Request;
using spec::http::Response;

std::uint64_t note(Journal& journal, std::uint64_t session, const Request& request,
                   const Response& response = {}) {
  Exchange exchange;
  exchange.id = journal.next_id();
  exchange.session = session;
  exchange.request = &request;
  exchange.response = &response;
  journal.add(exchange);
  return exchange.id;
}

Request get(std::string target, std::string body = "") {
  return {"GET", std::move(target), {}, std::move(body)};
}

std::vector<std::string> targets(const Journal& journal, std::uint64_t session) {
  std::vector<std::string> targets;
  journal.each(session, [&](const Entry& entry) { targets.push_back(entry.request.target); });
  return targets;
}

TEST(Journal, survives_entries_of_every_size) {
  MemoryJournal journal(4'096);
  for (std::size_t size = 0; size < 3'000; ++size) {
    const std::string target = "/" + std::string(size % 700, 'x');
    const auto id = note(journal, 1, get(target, std::string(size % 301, 'y')));
    ASSERT_EQ(journal.find(1, id)->request.target, target);
  }
  EXPECT_EQ(targets(journal, 1).size(), journal.window(1).kept);
}

TEST(Journal, keeps_a_part_of_a_long_body_and_its_length) {
  MemoryJournal journal(16'000);
  const auto id = note(journal, 1, get("/", std::string(5'000, 'b')));

  const auto entry = journal.find(1, id);

  EXPECT_EQ(entry->request.body, std::string(1'000, 'b'));
  EXPECT_EQ(entry->request_body_bytes, 5'000U);
}

TEST(Journal, has_what_an_exchange_was_in_the_end) {
  MemoryJournal journal(16'000);
  const Request request = get("/events");
  const auto id = note(journal, 1, request, {200, "", {}, ""});
  note(journal, 1, get("/other"));

  const Response last{200, "", {}, std::string(500, 'b')};
  Exchange amended{.id = id, .session = 1, .request = &request, .response = &last};
  journal.amend(amended);
  amended.id = 7;  // of no entry
  journal.amend(amended);

  EXPECT_EQ(journal.find(1, id)->response.body, last.body);
  EXPECT_THAT(targets(journal, 1), testing::ElementsAre("/events", "/other"));
  EXPECT_EQ(journal.window(1).added, 2U);
  journal.clear(1);
  journal.drop_before(2);
  EXPECT_EQ(journal.used_bytes(), 0U);
}

// In bytes, as the kernel counts it.
std::size_t memory_of_process() {
  std::size_t all_pages = 0;
  std::size_t resident_pages = 0;
  std::ifstream("/proc/self/statm") >> all_pages >> resident_pages;
  return resident_pages * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
}

TEST(Journal, gives_the_memory_of_cleared_entries_back) {
  constexpr std::size_t kMegabyte = 1024 * 1024;
  MemoryJournal journal(64 * kMegabyte);
  const std::string body(4 * kMegabyte, 'b');
  const std::size_t before = memory_of_process();

  for (int at = 0; at < 300; ++at) {
    note(journal, 1, get("/", body));
    journal.clear(1);
  }

  // A sanitizer keeps 256 MB of what was freed.
  EXPECT_LT(memory_of_process(), before + 600 * kMegabyte);
}

// The slot of an entry that was cleared stays, and counts.
TEST(Journal, counts_the_slots_of_entries_too) {
  constexpr std::size_t kLimit = 64 * 1024;
  constexpr std::size_t kSmallestSlot = 48;
  MemoryJournal journal(kLimit);
  for (int at = 0; at < 10'000; ++at) {
    const std::uint64_t session = at % 2;
    note(journal, session, get("/"));
    journal.clear(session);
    ASSERT_LE(journal.used_bytes(), kLimit);
  }
  for (int at = 0; at < 10'000; ++at) {
    note(journal, 2, get("/"));
  }

  EXPECT_LE(journal.used_bytes(), kLimit);
  EXPECT_LT(journal.window(2).kept, kLimit / kSmallestSlot);
  EXPECT_GT(journal.window(2).kept, 100U);
}

TEST(Journal, counts_entries_that_are_too_large) {
  MemoryJournal journal(500);
  note(journal, 1, get("/" + std::string(1'000, 'x')));

  EXPECT_EQ(journal.window(1).noted, 1U);
  EXPECT_EQ(journal.window(1).kept, 0U);
}

TEST(Journal, marks_a_window_as_partial_after_dropping_it) {
  MemoryJournal journal(1'000);
  constexpr std::uint64_t kMany = 100'003;
  note(journal, 0, get("/"));
  for (std::uint64_t session = 1; session <= kMany; ++session) {
    note(journal, session, get("/"));
  }
  note(journal, 1, get("/"));
  note(journal, kMany + 1, get("/"));

  EXPECT_TRUE(journal.window(1).is_partial);
  EXPECT_FALSE(journal.window(kMany + 1).is_partial);
  EXPECT_EQ(journal.window(0).noted, 1U);
}

// The numbers of entries behind `mark` that are shown, and that were lost.
std::pair<std::uint64_t, std::uint64_t> shown_and_lost(const Journal& journal,
                                                       std::optional<std::uint64_t> session,
                                                       JournalMark mark) {
  std::uint64_t shown = 0;
  const std::uint64_t lost = journal.follow(session, mark, [&](const Entry& /*entry*/) {
    ++shown;
    return true;
  });
  return {shown, lost};
}

TEST(Journal, forgets_what_is_older_than_its_max_age) {
  TimePoint now(std::chrono::seconds(1'767'225'600));
  MemoryJournal journal(10'000, std::chrono::seconds(60), [&] { return now; });
  const auto old = note(journal, 1, get("/old"));
  now += std::chrono::seconds(59);
  note(journal, 1, get("/new"));
  EXPECT_EQ(targets(journal, 1).size(), 2U);

  now += std::chrono::seconds(1);

  EXPECT_THAT(targets(journal, 1), testing::ElementsAre("/new"));
  EXPECT_EQ(journal.window(1).last_lost_id, old);
  now += std::chrono::seconds(60);
  EXPECT_EQ(journal.used_bytes(), 0U);
}

TEST(Journal, counts_what_went_out_behind_an_id) {
  MemoryJournal journal(1'000);
  for (int at = 0; at < 60; ++at) {
    note(journal, 1, get("/1"));
  }
  const std::uint64_t kept = journal.window(1).kept;

  EXPECT_THAT(shown_and_lost(journal, std::nullopt, journal.mark(std::nullopt, 5)),
              testing::Pair(kept, 55 - kept));
  EXPECT_THAT(shown_and_lost(journal, 1, journal.mark(1, 5)), testing::Pair(kept, 55 - kept));
  EXPECT_THAT(shown_and_lost(journal, 2, journal.mark(2, 5)), testing::Pair(0, 0));
}

}  // namespace
}  // namespace mock_server::state
