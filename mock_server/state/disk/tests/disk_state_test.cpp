#include "mock_server/state/disk/disk_state.hpp"

#include "mock_server/reply/json_response.hpp"
#include "mock_server/state/cells.hpp"
#include "spec/load_error.hpp"
#include "spec/tests/folder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <sqlite3.h>
#include <string>
#include <string_view>
#include <sys/resource.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace mock_server::state::disk {
namespace {

using ::testing::HasSubstr;

const ContractMark kPets{"Pets", "1", "GET /pets\n"};
constexpr std::size_t kJournalBytes = 256 * 1024;

struct Folder : test_support::Folder {
  std::string file() const { return path() / "state.db"; }
};

void note(Journal& journal, std::uint64_t session, const std::string& target) {
  spec::http::Request request;
  request.method = "GET";
  request.target = target;
  const spec::http::Response response;
  Exchange exchange;
  exchange.id = journal.next_id();
  exchange.session = session;
  exchange.request = &request;
  exchange.response = &response;
  journal.add(exchange);
}

// A start of the mock, as far as its state goes.
struct Start {
  explicit Start(const std::string& path, const ContractMark& contract = kPets)
      : disk(path, contract), store(system_now, {}, disk.open_cells()), journal(kJournalBytes) {
    disk.restore(store, journal);
  }

  ~Start() { disk.finish(); }

  Start(const Start&) = delete;
  Start& operator=(const Start&) = delete;

  // The response that replaces that of the request `change`; nothing: its own.
  template <typename Change>
  std::optional<spec::http::Response> ask(Change change) {
    const auto handler =
        disk.keeping([&](const spec::http::Request& /*request*/, const reply::Peer& /*peer*/) {
          reply::Reply reply;
          try {
            change();
          } catch (const Unavailable& away) {
            reply.response = reply::unavailable(away.what());
          }
          return reply;
        });
    reply::Reply reply = handler({"PUT", "/", {{"Origin", "http://page.example"}}, ""}, {});
    if (reply.pending_write == nullptr) {
      return reply.response.status == 503 ? std::optional(reply.response) : std::nullopt;
    }
    for (int at = 0; at < 1'000 && !reply.pending_write->is_done(); ++at) {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return reply.pending_write->is_done() ? reply.pending_write->instead()
                                          : std::optional<spec::http::Response>();
  }

  void add_entry(std::uint64_t session, const std::string& target) {
    note(journal, session, target);
  }

  DiskState disk;
  Store store;
  MemoryJournal journal;
};

std::string text_at(Session& session, std::string_view key) {
  const Cell cell = session.read(key);
  return cell ? *cell.text : "(nothing)";
}

std::string problem_of(const std::string& path, const ContractMark& contract = kPets) {
  try {
    const Start start(path, contract);
  } catch (const spec::LoadError& error) {
    return error.what();
  }
  return "";
}

std::vector<std::string> targets(const Journal& journal, std::uint64_t session) {
  std::vector<std::string> all;
  journal.each(session, [&](const Entry& entry) { all.push_back(entry.request.target); });
  return all;
}

TEST(DiskState, a_journal_whose_old_entries_went_out_says_so_at_the_next_start) {
  const Folder folder;
  {
    Start start(folder.file());
    for (int at = 0; at < 2'000; ++at) {
      start.add_entry(0, std::string(400, 'x') + std::to_string(at));
    }
  }
  for (int at = 0; at < 2; ++at) {
    Start again(folder.file());
    const JournalWindow window = again.journal.window(0);
    EXPECT_EQ(window.noted, 2'000U + static_cast<unsigned>(at));
    EXPECT_EQ(window.kept, targets(again.journal, 0).size());
    EXPECT_LT(window.kept, 1'000U);
    again.add_entry(0, "/new");
  }
  EXPECT_LT(std::filesystem::file_size(folder.file()), 8 * kJournalBytes);
}

TEST(DiskState, a_response_waits_for_what_it_changed_and_for_nothing_else) {
  const Folder folder;
  Start start(folder.file());
  const auto session = start.store.session("a");
  const auto reading = start.disk.keeping([&](const auto& /*request*/, const auto& /*peer*/) {
    session->read("k");
    return reply::Reply{};
  });

  EXPECT_EQ(reading({}, {}).pending_write, nullptr);
  EXPECT_EQ(start.ask([&] { session->compare_and_set("k", 0, "one"); }), std::nullopt);
}

TEST(DiskState, who_sees_a_change_waits_for_it_too) {
  const Folder folder;
  Start start(folder.file());
  const auto session = start.store.session("a");
  const auto other = start.store.session("b");
  const auto keeping = [&](Session& one, bool changes) {
    return start.disk.keeping([&one, changes](const auto& /*request*/, const auto& /*peer*/) {
      if (changes) {
        one.compare_and_set("k", one.read("k").version, std::string(1'000'000, 'x'));
      } else {
        one.read("k");
      }
      return reply::Reply{};
    })({}, {});
  };
  start.ask([&] { other->compare_and_set("k", 0, "x"); });
  std::shared_ptr<reply::PendingWrite> changed;
  std::shared_ptr<reply::PendingWrite> seen;
  for (int at = 0; at < 1'000 && !seen; ++at) {  // the writer may be faster than this thread
    changed = keeping(*session, true).pending_write;
    EXPECT_EQ(keeping(*other, false).pending_write, nullptr);
    seen = keeping(*session, false).pending_write;
  }

  ASSERT_NE(seen, nullptr);
  for (int at = 0; at < 1'000 && !seen->is_done(); ++at) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  EXPECT_TRUE(changed->is_done());
  EXPECT_EQ(keeping(*session, false).pending_write, nullptr);
}

TEST(DiskState, who_lists_sessions_waits_for_those_that_go_and_come) {
  const Folder folder;
  Start start(folder.file());
  const auto listing = start.disk.keeping([&](const auto& /*request*/, const auto& /*peer*/) {
    start.store.list();
    return reply::Reply{};
  });
  for (const char* const target : {"/_mock/sessions", "/_s/a/_mock/snapshots?x=1"}) {
    std::shared_ptr<reply::PendingWrite> held;
    for (int at = 0; at < 1'000 && !held; ++at) {  // the writer may be faster than this thread
      start.store.session("gone");
      start.store.remove("gone");
      EXPECT_EQ(listing({"GET", "/orders", {}, ""}, {}).pending_write, nullptr);
      held = listing({"GET", target, {}, ""}, {}).pending_write;
    }
    ASSERT_NE(held, nullptr) << target;
    for (int at = 0; at < 1'000 && !held->is_done(); ++at) {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    EXPECT_TRUE(held->is_done()) << target;
  }
}

TEST(DiskState, ten_thousand_sessions_are_read_quickly) {
  const Folder folder;
  {
    Start start(folder.file());
    for (int at = 0; at < 10'000; ++at) {
      start.store.session("s" + std::to_string(at))->compare_and_set("record/a/b", 0, "{\"a\":1}");
    }
  }
  const auto began = std::chrono::steady_clock::now();
  Start again(folder.file());
  const auto took = std::chrono::steady_clock::now() - began;
  EXPECT_EQ(again.store.size(), 10'001U);
  RecordProperty("milliseconds", static_cast<int>(took / std::chrono::milliseconds(1)));
  EXPECT_LT(took, std::chrono::seconds(3));
}

// No file of this process may grow beyond `bytes` while it lives: as if the disk were full.
class FullDisk {
 public:
  explicit FullDisk(rlim_t bytes) {
    std::signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit now{bytes, before_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &now);
  }

  ~FullDisk() { setrlimit(RLIMIT_FSIZE, &before_); }

  FullDisk(const FullDisk&) = delete;
  FullDisk& operator=(const FullDisk&) = delete;

 private:
  rlimit before_{};
};

TEST(DiskState, a_full_disk_rejects_changes_and_keeps_what_was_acknowledged) {
  const Folder folder;
  {
    Start start(folder.file());
    const auto session = start.store.session("a");
    EXPECT_EQ(start.ask([&] { session->compare_and_set("k", 0, "kept"); }), std::nullopt);
    {
      const FullDisk full(16 * 1024);
      const auto response = start.ask([&] {
        session->compare_and_set("k", session->read("k").version, std::string(300'000, 'x'));
      });
      ASSERT_TRUE(response);
      EXPECT_EQ(response->status, 503);
      EXPECT_EQ(response->headers.find("Retry-After"), "1");
      EXPECT_EQ(response->headers.find("Access-Control-Allow-Origin"), "http://page.example");
      EXPECT_THAT(start.disk.problem(), HasSubstr("cannot be written"));
      EXPECT_EQ(start.ask([&] { session->compare_and_set("other", 0, "x"); })->status, 503);
      EXPECT_EQ(start.ask([&] { start.store.fork(*session, "b"); })->status, 503);
      EXPECT_EQ(start.store.find("b"), nullptr);
    }
    for (int at = 0; at < 1'000 && !start.disk.problem().empty(); ++at) {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    EXPECT_EQ(text_at(*session, "k"), "kept");
    EXPECT_EQ(start.ask([&] { session->compare_and_set("after", 0, "y"); }), std::nullopt);
  }
  Start again(folder.file());
  const auto session = again.store.find("a");
  ASSERT_NE(session, nullptr);
  EXPECT_EQ(text_at(*session, "k"), "kept");
  EXPECT_EQ(text_at(*session, "after"), "y");
  EXPECT_EQ(text_at(*session, "other"), "(nothing)");
}

void execute(const std::string& path, const char* text) {
  sqlite3* database = nullptr;
  sqlite3_open(path.c_str(), &database);
  sqlite3_exec(database, text, nullptr, nullptr, nullptr);
  sqlite3_close(database);
}

TEST(DiskState, says_why_a_file_cannot_be_used) {
  const Folder folder;
  EXPECT_THAT(problem_of("/no/such/folder/state.db"), HasSubstr("make its folder"));
  std::ofstream(folder.file()) << "this is no database, but a text that is long enough for one";
  EXPECT_THAT(problem_of(folder.file()), HasSubstr("is not a state file of mock_server"));
  std::filesystem::remove(folder.file());
  execute(folder.file(), "CREATE TABLE somebody_elses (a)");
  EXPECT_THAT(problem_of(folder.file()), HasSubstr("is not a state file of mock_server"));
  std::filesystem::remove(folder.file());
  EXPECT_EQ(problem_of(folder.file()), "");
  EXPECT_THAT(problem_of(folder.file(), {"Cars", "1", ""}),
              HasSubstr("has the state of another contract, \"Pets\"; name another file"));
  execute(folder.file(), "PRAGMA user_version = 99");
  EXPECT_THAT(problem_of(folder.file()), HasSubstr("newer mock_server"));
}

TEST(DiskState, goes_on_with_a_contract_that_was_changed_and_says_so) {
  const Folder folder;
  EXPECT_FALSE(Start(folder.file()).disk.has_other_version());
  const ContractMark changed{"Pets", "2", "GET /pets\nPUT /pets\n"};
  EXPECT_TRUE(Start(folder.file(), changed).disk.has_other_version());
  EXPECT_FALSE(Start(folder.file(), changed).disk.has_other_version());
  const ContractMark reloaded{"Animals", "3", "GET /pets\n"};
  Start(folder.file(), changed).disk.use_contract(reloaded);
  EXPECT_EQ(problem_of(folder.file(), reloaded), "");
}

TEST(DiskState, a_journal_is_partial_after_an_end_without_a_word_however_it_ends_then) {
  const Folder folder;
  const pid_t child = fork();
  if (child == 0) {
    const Start start(folder.file());
    _exit(0);  // no destructor runs
  }
  waitpid(child, nullptr, 0);
  for (int at = 0; at < 3; ++at) {
    const Start again(folder.file());
    EXPECT_TRUE(again.journal.window(0).is_partial) << at;
  }
}

TEST(DiskState, counts_damaged_entries_of_the_journal_and_what_is_left_is_partial) {
  const Folder folder;
  {
    Start start(folder.file());
    for (const char* const target : {"/one", "/two", "/three"}) {
      start.add_entry(0, target);
    }
  }
  execute(folder.file(), "UPDATE entry SET bytes = substr(bytes, 9) WHERE place = 1");
  {
    const Start again(folder.file());
    EXPECT_EQ(again.disk.damaged_entries(), 1U);
    EXPECT_THAT(targets(again.journal, 0), ::testing::ElementsAre("/one", "/three"));
    EXPECT_TRUE(again.journal.window(0).is_partial);
  }
  const Start last(folder.file());
  EXPECT_EQ(last.disk.damaged_entries(), 0U);
  EXPECT_TRUE(last.journal.window(0).is_partial);
}

TEST(DiskState, entries_keep_their_age) {
  const Folder folder;
  TimePoint now(std::chrono::seconds(1'767'225'600));
  for (const char* const target : {"/old", "/new"}) {
    DiskState disk(folder.file(), kPets);
    Store store(system_now, {}, disk.open_cells());
    MemoryJournal journal(kJournalBytes, std::chrono::seconds(60), [&] { return now; });
    disk.restore(store, journal);
    note(journal, 0, target);
    disk.finish();
    now += std::chrono::seconds(40);
  }
  DiskState disk(folder.file(), kPets);
  Store store(system_now, {}, disk.open_cells());
  MemoryJournal journal(kJournalBytes, std::chrono::seconds(60), [&] { return now; });
  disk.restore(store, journal);
  EXPECT_THAT(targets(journal, 0), ::testing::ElementsAre("/new"));
  EXPECT_EQ(journal.window(0).lost(), 1U);
  disk.finish();
}

TEST(DiskState, a_file_of_the_first_format_is_taken_over) {
  const Folder folder;
  { Start(folder.file()).add_entry(0, "/one"); }
  execute(folder.file(),
          "ALTER TABLE entry DROP COLUMN noted; ALTER TABLE cell DROP COLUMN checksum;"
          " PRAGMA user_version = 1");
  for (int at = 0; at < 2; ++at) {
    const Start again(folder.file());
    EXPECT_THAT(targets(again.journal, 0), ::testing::ElementsAre("/one"));
  }
}

TEST(DiskState, two_starts_do_not_share_a_file) {
  const Folder folder;
  const Start first(folder.file());
  EXPECT_THAT(problem_of(folder.file()), HasSubstr("is in use by another process"));
}

TEST(DiskState, a_damaged_file_is_said_to_be) {
  const Folder folder;
  {
    Start start(folder.file());
    for (int at = 0; at < 200; ++at) {
      start.store.session("")->compare_and_set("k" + std::to_string(at), 0, std::string(500, 'x'));
    }
  }
  {
    std::fstream file(folder.file(), std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(4096);
    file << std::string(std::filesystem::file_size(folder.file()) - 4096, '\xAB');
  }
  EXPECT_THAT(problem_of(folder.file()), HasSubstr("damaged"));
}

TEST(DiskState, a_record_that_is_not_what_was_written_is_damage) {
  const Folder folder;
  { Start(folder.file()).store.session("")->compare_and_set("k", 0, R"({"a": 1})"); }
  for (const char* const damage :
       {"UPDATE cell SET text = '{\"a\": 2}'", "UPDATE cell SET text = '{\"a\": 1}', key = 'l'",
        "UPDATE cell SET key = 'k', expires = 1", "UPDATE cell SET expires = NULL, version = 9"}) {
    execute(folder.file(), damage);
    EXPECT_THAT(
        problem_of(folder.file()),
        HasSubstr(folder.file() + ": is damaged (the checksum of a cell is wrong); restore"))
        << damage;
  }
  execute(folder.file(), "UPDATE cell SET version = 1");
  EXPECT_EQ(problem_of(folder.file()), "");
  execute(folder.file(), "UPDATE cell SET text = 'older', checksum = NULL");  // of format 2
  EXPECT_EQ(problem_of(folder.file()), "");
}

TEST(DiskState, a_page_that_has_lost_its_records_is_damage) {
  constexpr std::streamoff kPage = 4096;
  constexpr char kLeafOfKeys = 0x0A;
  const Folder folder;
  {
    Start start(folder.file());
    for (int at = 0; at < 200; ++at) {
      start.store.session("")->compare_and_set("k" + std::to_string(at), 0, std::string(500, 'x'));
    }
  }
  {
    std::fstream file(folder.file(), std::ios::in | std::ios::out | std::ios::binary);
    std::streamoff page = 0;
    char kind = 0;
    for (int full = 0; full < 3;) {  // the first ones are of small tables
      page += kPage;
      file.seekg(page).get(kind);
      full += kind == kLeafOfKeys ? 1 : 0;
    }
    file.seekp(page + 3) << std::string(2, '\0');  // the number of its cells
  }
  EXPECT_THAT(problem_of(folder.file()), HasSubstr("is damaged ("));
}

TEST(DiskState, keeps_state_in_files_alone) {
  const Folder folder;
  for (const std::string& path : {std::string(":memory:"), std::string("file:x?mode=memory"),
                                  std::string("/dev/null"), folder.path().string()}) {
    EXPECT_THAT(problem_of(path), HasSubstr("is no file; name one, for example sqlite:mock.db"));
  }
}

TEST(DiskState, rejects_changes_while_its_file_is_not_where_it_was) {
  for (const char* const ending : {"", "-wal"}) {
    const Folder folder;
    const std::string file = folder.file() + ending;
    Start start(folder.file());
    const auto session = start.store.session("a");
    EXPECT_EQ(start.ask([&] { session->compare_and_set("k", 0, "kept"); }), std::nullopt);
    std::filesystem::rename(file, file + ".away");
    const auto response =
        start.ask([&] { session->compare_and_set("k", session->read("k").version, "lost"); });
    ASSERT_TRUE(response) << file;
    EXPECT_EQ(response->status, 503);
    EXPECT_THAT(response->body, HasSubstr("was deleted, moved or replaced; put it back"));
    EXPECT_EQ(text_at(*session, "k"), "kept");

    std::filesystem::rename(file + ".away", file);
    for (int at = 0; at < 1'000 && !start.disk.problem().empty(); ++at) {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    EXPECT_EQ(start.ask([&] { session->compare_and_set("after", 0, "y"); }), std::nullopt);
  }
}

TEST(DiskState, a_file_in_place_of_its_own_is_another) {
  const Folder folder;
  Start start(folder.file());
  const auto session = start.store.session("a");
  std::filesystem::copy(folder.file(), folder.file() + ".copy");
  std::filesystem::rename(folder.file() + ".copy", folder.file());

  const auto response = start.ask([&] { session->compare_and_set("k", 0, "lost"); });
  ASSERT_TRUE(response);
  EXPECT_EQ(response->status, 503);
}

}  // namespace
}  // namespace mock_server::state::disk
