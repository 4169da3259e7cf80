// Acknowledged changes are there after `kill -9`.

#include "mock_server/state/disk/disk_state.hpp"
#include "spec/tests/folder.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace mock_server::state::disk {
namespace {

// Changes one cell after the other, and writes the number of each whose response may go.
[[noreturn]] void change_until_killed(const std::string& path, int out) {
  DiskState disk(path, {"Pets", "1", "GET /pets\n"});
  Store store(system_now, {}, disk.open_cells());
  MemoryJournal journal(MemoryJournal::kDefaultBytes);
  disk.restore(store, journal);
  const auto session = store.session("a");
  const auto change = disk.keeping([&](const auto& /*request*/, const auto& /*peer*/) {
    const Cell cell = session->read("count");
    const std::uint64_t next = cell ? std::stoull(*cell.text) + 1 : 1;
    session->compare_and_set("count", cell.version, std::to_string(next));
    return reply::Reply{};
  });
  for (;;) {
    const auto held = change({}, {}).pending_write;
    while (!held->is_done()) {
      std::this_thread::yield();
    }
    const std::uint64_t count = std::stoull(*session->read("count").text);
    if (held->instead() || write(out, &count, sizeof count) != sizeof count) {
      _exit(1);
    }
  }
}

std::uint64_t last_acknowledged(const std::string& path, std::chrono::milliseconds time) {
  int ends[2] = {-1, -1};
  EXPECT_EQ(pipe(ends), 0);
  const pid_t child = fork();
  if (child == 0) {
    change_until_killed(path, ends[1]);
  }
  close(ends[1]);
  std::uint64_t last = 0;
  EXPECT_EQ(read(ends[0], &last, sizeof last), ssize_t{sizeof last});
  std::this_thread::sleep_for(time);
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  while (read(ends[0], &last, sizeof last) == ssize_t{sizeof last}) {
  }
  close(ends[0]);
  return last;
}

int rounds() {
  const char* const wanted = std::getenv("COUNTERPART_KILLS");
  return wanted == nullptr ? 20 : std::atoi(wanted);
}

TEST(KilledProcess, has_lost_nothing_that_it_acknowledged) {
  const test_support::Folder folder;
  const std::string path = folder.path() / "state.db";
  std::uint64_t before = 0;
  for (int at = 0; at < rounds(); ++at) {
    const std::uint64_t last = last_acknowledged(path, std::chrono::milliseconds(at % 7 * 5));
    EXPECT_GT(last, before);
    DiskState disk(path, {"Pets", "1", "GET /pets\n"});
    Store store(system_now, {}, disk.open_cells());
    MemoryJournal journal(MemoryJournal::kDefaultBytes);
    disk.restore(store, journal);
    before = std::stoull(*store.session("a")->read("count").text);
    EXPECT_GE(before, last);
    EXPECT_LE(before, last + 1);
    EXPECT_EQ(journal.window(0).is_partial, true);
    disk.finish();
  }
}

}  // namespace
}  // namespace mock_server::state::disk
