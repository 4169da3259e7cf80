#include "mock_server/state/disk/disk_state.hpp"

#include "spec/load_error.hpp"

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
#include <stdexcept>
#include <string>
#include <string_view>
#include <sys/resource.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace mock_server::state::disk {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr std::size_t kJournalBytes = 256 * 1024;

// A folder that goes with it.
class Folder {
 public:
  Folder() {
    std::string name = "/tmp/counterpart-disk-XXXXXX";
    if (mkdtemp(name.data()) == nullptr) {
      throw std::runtime_error("no folder for the test");
    }
    path_ = name;
  }

  ~Folder() { std::filesystem::remove_all(path_); }

  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  std::string file() const { return path_ + "/state.db"; }

 private:
  std::string path_;
};

// A start of the mock, as far as its state goes.
struct Start {
  explicit Start(const std::string& path, const char* title = "Pets")
      : disk(path, title), store(system_now, {}, disk.open_cells()), journal(kJournalBytes) {
    disk.restore(store, journal);
  }

  ~Start() { disk.finish(); }

  Start(const Start&) = delete;
  Start& operator=(const Start&) = delete;

  // What the request that `change` is gets instead of its own response; nothing: its own.
  template <typename Change>
  std::optional<spec::http::Response> ask(Change change) {
    const auto handler =
        disk.keeping([&](const spec::http::Request& /*request*/, const reply::Peer& /*peer*/) {
          change();
          return reply::Reply{};
        });
    reply::Reply reply = handler({}, {});
    if (reply.held == nullptr) {
      return reply.response.status == 503 ? std::optional(reply.response) : std::nullopt;
    }
    for (int at = 0; at < 1'000 && !reply.held->is_done(); ++at) {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return reply.held->is_done() ? reply.held->instead() : std::optional<spec::http::Response>();
  }

  void add_entry(std::uint64_t session, const std::string& target) {
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

  DiskState disk;
  Store store;
  RingJournal journal;
};

std::string text_at(Session& session, std::string_view key) {
  const Cell cell = session.read(key);
  return cell ? *cell.text : "(nothing)";
}

std::string problem_of(const std::string& path, const char* title = "Pets") {
  try {
    const Start start(path, title);
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

TEST(DiskState, the_next_start_goes_on_with_everything) {
  const Folder folder;
  std::uint64_t version = 0;
  std::uint64_t serial = 0;
  {
    Start start(folder.file());
    const auto session = start.store.session("a");
    serial = session->serial();
    session->compare_and_set("k", 0, "one");
    session->take_snapshot("before");
    session->compare_and_set("k", session->read("k").version, "two");
    session->compare_and_set("gone", 0, "x");
    session->compare_and_set("gone", session->read("gone").version, std::nullopt);
    version = session->read("k").version;
    start.store.session("")->compare_and_set("d", 0, "default's");
    start.store.session("removed")->compare_and_set("k", 0, "x");
    start.store.remove("removed");
    start.store.arm_for_all("slow");
    start.add_entry(serial, "/one");
    start.add_entry(serial, "/two");
  }

  Start again(folder.file());

  const auto session = again.store.find("a");
  ASSERT_NE(session, nullptr);
  EXPECT_EQ(session->serial(), serial);
  EXPECT_EQ(text_at(*session, "k"), "two");
  EXPECT_EQ(session->read("k").version, version);
  EXPECT_EQ(text_at(*session, "gone"), "(nothing)");
  EXPECT_EQ(text_at(*again.store.session(""), "d"), "default's");
  EXPECT_EQ(again.store.find("removed"), nullptr);
  EXPECT_THAT(again.store.armed_for_all(), ElementsAre("slow"));
  EXPECT_THAT(targets(again.journal, serial), ElementsAre("/one", "/two"));
  EXPECT_EQ(again.journal.window(serial).noted, 2U);
  EXPECT_FALSE(again.journal.window(serial).is_partial);
  EXPECT_EQ(again.journal.next_id(), 3U);
  EXPECT_GT(again.store.session("new")->serial(), serial + 1);
  session->restore_snapshot("before");
  EXPECT_EQ(text_at(*session, "k"), "one");
  EXPECT_GT(session->read("k").version, version + 1);
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

TEST(DiskState, clearing_a_journal_is_kept) {
  const Folder folder;
  {
    Start start(folder.file());
    start.add_entry(0, "/one");
    start.journal.clear(0);
    start.add_entry(0, "/two");
  }
  const Start again(folder.file());
  EXPECT_THAT(targets(again.journal, 0), ElementsAre("/two"));
  EXPECT_EQ(again.journal.window(0).noted, 1U);
}

TEST(DiskState, a_response_waits_for_what_it_changed_and_for_nothing_else) {
  const Folder folder;
  Start start(folder.file());
  const auto session = start.store.session("a");
  const auto reading = start.disk.keeping([&](const auto& /*request*/, const auto& /*peer*/) {
    session->read("k");
    return reply::Reply{};
  });

  EXPECT_EQ(reading({}, {}).held, nullptr);
  EXPECT_EQ(start.ask([&] { session->compare_and_set("k", 0, "one"); }), std::nullopt);
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
      EXPECT_THAT(start.disk.problem(), HasSubstr("cannot be written"));
      EXPECT_EQ(start.ask([&] { session->compare_and_set("other", 0, "x"); })->status, 503);
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
  EXPECT_THAT(problem_of(folder.file(), "Cars"), HasSubstr("another contract, \"Pets\""));
  execute(folder.file(), "PRAGMA user_version = 2");
  EXPECT_THAT(problem_of(folder.file()), HasSubstr("newer mock_server"));
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

}  // namespace
}  // namespace mock_server::state::disk
