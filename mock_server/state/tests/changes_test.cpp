#include "mock_server/state/rate_limit.hpp"
#include "mock_server/state/session_changes.hpp"
#include "mock_server/state/session_store.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ostream>
#include <string>

namespace mock_server::state {

void PrintTo(Change change, std::ostream* out) {
  *out << to_text(change);
}

namespace {

using ::testing::ElementsAre;
using ::testing::FieldsAre;
using ::testing::IsEmpty;

TEST(Changes, of_a_session_are_taken_once_and_as_one) {
  Changes changes;
  ChangeWatch watch(changes);
  changes.note("a", Change::kRecords);
  changes.note("b", Change::kClock);
  changes.note("a", Change::kJournal);
  changes.note("a", Change::kRecords);

  EXPECT_THAT(watch.take({}, 10),
              ElementsAre(FieldsAre("b", ElementsAre(Change::kClock)),
                          FieldsAre("a", ElementsAre(Change::kRecords, Change::kJournal))));
  EXPECT_THAT(watch.take({}, 10), IsEmpty());
}

TEST(Changes, that_do_not_fit_come_when_it_is_asked_again) {
  Changes changes;
  ChangeWatch watch(changes);
  changes.note("a", Change::kRecords);
  changes.note("b", Change::kRecords);

  EXPECT_THAT(watch.take({}, 1), ElementsAre(FieldsAre("a", ElementsAre(Change::kRecords))));
  EXPECT_THAT(watch.take({}, 1), ElementsAre(FieldsAre("b", ElementsAre(Change::kRecords))));
}

TEST(Changes, of_other_sessions_and_from_before_are_not_taken) {
  Changes changes;
  const ChangeWatch earlier(changes);
  changes.note("a", Change::kRecords);
  ChangeWatch watch(changes);
  changes.note("b", Change::kRecords);

  EXPECT_THAT(watch.take("a", 10), IsEmpty());
}

TEST(Changes, are_seen_by_each_watcher) {
  Changes changes;
  ChangeWatch first(changes);
  ChangeWatch second(changes);
  changes.note("a", Change::kRecords);

  EXPECT_EQ(first.take({}, 10).size(), 1U);
  EXPECT_EQ(second.take("a", 10).size(), 1U);
}

TEST(Changes, of_very_many_sessions_are_bounded) {
  Changes changes;
  ChangeWatch watch(changes);
  for (std::size_t at = 0; at < Changes::kMaxSessions + 5; ++at) {
    changes.note(std::to_string(at), Change::kRecords);
  }

  const auto taken = watch.take({}, 2 * Changes::kMaxSessions);
  ASSERT_EQ(taken.size(), Changes::kMaxSessions);
  EXPECT_EQ(taken.front().session, "5");
}

TEST(Changes, say_what_was_done_to_a_session) {
  Store store;
  ChangeWatch watch(store.changes());
  const auto session = store.session("a");
  const auto what = [&] {
    const auto taken = watch.take({}, 10);
    return taken.size() == 1 ? taken.front().what : std::vector<Change>{};
  };

  EXPECT_THAT(what(), ElementsAre(Change::kSession));
  session->compare_and_set("record/customers/c", 0, "{}");
  EXPECT_THAT(what(), ElementsAre(Change::kRecords));
  session->compare_and_set("record/customers/c", 0, "{}");  // stale: not done
  EXPECT_THAT(what(), IsEmpty());
  session->compare_and_set("step/busy/0", 0, "1");
  session->compare_and_set("seed", 0, "1");
  EXPECT_THAT(what(), ElementsAre(Change::kScenarios, Change::kSeed));
  session->set_clock(0, ClockSetting::set(TimePoint{}, true, system_now()));
  RateLimit limit;
  limit.requests = 1;
  take_rate(*session, "x", limit);
  EXPECT_THAT(what(), ElementsAre(Change::kClock, Change::kRates));
  session->take_snapshot("s");
  EXPECT_THAT(what(), ElementsAre(Change::kSnapshots));
  session->restore_snapshot("s");
  EXPECT_THAT(what(), ElementsAre(Change::kSession));
  session->drop_snapshot("s");
  session->replace({});
  EXPECT_THAT(what(), ElementsAre(Change::kSnapshots, Change::kSession));
  store.remove("a");
  EXPECT_THAT(what(), ElementsAre(Change::kSession));
}

}  // namespace
}  // namespace mock_server::state
