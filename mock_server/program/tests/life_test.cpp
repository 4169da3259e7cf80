// The real program: signals, its end, its log, its clock, and failures of the system.

#include "mock_server/program/tests/command.hpp"
#include "mock_server/transport/tests/support/client.hpp"
#include "mock_server/transport/tests/support/process.hpp"
#include "spec/tests/folder.hpp"
#include "spec/tests/paths.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <ctime>
#include <fcntl.h>
#include <filesystem>
#include <memory>
#include <string>
#include <thread>
#include <unistd.h>
#include <vector>

namespace mock_server::program {
namespace {

using nlohmann::json;
using transport::testing::await_closed;
using transport::testing::Client;
using transport::testing::port_in;
using transport::testing::Process;
using transport::testing::Wait;
using Clock = std::chrono::steady_clock;

constexpr Wait kDeadline{20'000};
constexpr std::string_view kCustomer =
    "GET /customers/cus_L9xVQ2zg4mZaouqKLiMcV HTTP/1.1\r\nHost: a\r\n"
    "Authorization: Bearer dodo_test_life\r\n";

std::string ask(const std::string& more = "") {
  return std::string(kCustomer) + more + "\r\n";
}

bool is_served(int port) {
  Client client(port);
  client.send(ask());
  return client.read_response().head.status == 200;
}

json health(int port) {
  Client client(port);
  client.send("GET /_mock/health HTTP/1.1\r\nHost: localhost\r\n\r\n");
  return json::parse(client.read_response().response.body, nullptr, false);
}

void become_error_stream(const char* path) {
  const int file = open(path, O_WRONLY | O_CLOEXEC);
  dup2(file, STDERR_FILENO);
}

// A file whose one number the preloaded clock adds to the time.
class ClockFile {
 public:
  ClockFile() { set(0); }

  ~ClockFile() { close(file_); }

  ClockFile(const ClockFile&) = delete;
  ClockFile& operator=(const ClockFile&) = delete;

  void set(std::int64_t seconds) const {
    ASSERT_EQ(pwrite(file_, &seconds, sizeof seconds, 0), sizeof seconds);
  }

  const std::string& path() const { return path_; }

 private:
  test_support::Folder folder_;
  std::string path_ = folder_.write("clock", "");
  int file_ = open(path_.c_str(), O_WRONLY | O_CLOEXEC);
};

// By how many seconds the response's Date is off.
std::int64_t date_is_off(Client& client) {
  client.send(ask());
  const auto record = client.read_response();
  std::tm fields{};
  const std::string date(record.response.headers.find("Date").value_or(""));
  strptime(date.c_str(), "%a, %d %b %Y %H:%M:%S GMT", &fields);
  return timegm(&fields) - std::time(nullptr);
}

}  // namespace

TEST(ProgramLife, a_request_in_progress_gets_its_response_before_the_end) {
  Process server(mock_command());
  const int port = port_in(server.line());
  ASSERT_GT(port, 0);
  std::vector<std::unique_ptr<Client>> clients;
  for (int at = 0; at < 100; ++at) {
    clients.push_back(std::make_unique<Client>(port));
    clients.back()->send(ask("Prefer: delay=700\r\n"));
  }
  std::this_thread::sleep_for(Wait(300));
  server.signal(SIGTERM);

  for (const auto& client : clients) {
    ASSERT_EQ(client->read_response("GET", kDeadline).head.status, 200);
  }
  EXPECT_EQ(server.end(), 0);
}

TEST(ProgramLife, it_is_not_ready_while_it_drains) {
  Process server(mock_command());
  const int port = port_in(server.line());
  ASSERT_GT(port, 0);
  Client before(port);
  before.send("GET /_mock/ready HTTP/1.1\r\nHost: localhost\r\n\r\n");
  EXPECT_EQ(before.read_response().head.status, 200);
  Client in_flight(port);
  in_flight.send(ask("Prefer: delay=700\r\n") +
                 "GET /_mock/ready HTTP/1.1\r\nHost: localhost\r\n\r\n");
  std::this_thread::sleep_for(Wait(300));
  server.signal(SIGTERM);

  EXPECT_EQ(in_flight.read_response("GET", kDeadline).head.status, 200);
  const auto ready = in_flight.read_response("GET", kDeadline);
  EXPECT_EQ(ready.head.status, 503);
  EXPECT_THAT(ready.response.body, testing::HasSubstr("shutting down"));
  EXPECT_EQ(server.end(), 0);
}

TEST(ProgramLife, it_ends_when_its_standard_input_closes_and_no_earlier) {
  std::array<int, 2> ends{};
  ASSERT_EQ(pipe2(ends.data(), O_CLOEXEC), 0);
  Process server(mock_command({"--until-stdin-closes"}), [&ends] { dup2(ends[0], STDIN_FILENO); });
  close(ends[0]);
  const int port = port_in(server.line());
  ASSERT_EQ(write(ends[1], "text\n", 5), 5);
  EXPECT_TRUE(is_served(port));
  close(ends[1]);

  EXPECT_EQ(server.end(), 0);
}

TEST(ProgramLife, it_ends_at_the_latest_after_the_grace_period) {
  Process server(mock_command({"--drain-ms", "300"}));
  const int port = port_in(server.line());
  ASSERT_GT(port, 0);
  Client client(port);
  client.send(ask("Prefer: delay=60000\r\n"));
  std::this_thread::sleep_for(Wait(100));
  const auto before = Clock::now();
  server.signal(SIGINT);

  EXPECT_EQ(server.end(), 0);
  EXPECT_GE(Clock::now() - before, Wait(250));
}

TEST(ProgramLife, a_second_signal_ends_it_at_once) {
  Process server(mock_command({"--drain-ms", "60000"}));
  const int port = port_in(server.line());
  ASSERT_GT(port, 0);
  Client client(port);
  client.send(ask("Prefer: delay=60000\r\n"));
  std::this_thread::sleep_for(Wait(100));
  server.signal(SIGTERM);
  await_closed(port);                      // two signals that wait would be one
  std::this_thread::sleep_for(Wait(600));  // as are two at the same time
  server.signal(SIGTERM);

  EXPECT_EQ(server.end(), 0);
}

TEST(ProgramLife, a_client_that_aborts_does_not_end_it) {
  Process server(mock_command());
  const int port = port_in(server.line());
  ASSERT_GT(port, 0);
  for (int at = 0; at < 20; ++at) {
    Client client(port);
    client.send(ask() + ask() + ask());
    client.reset();
  }
  server.signal(SIGPIPE);

  EXPECT_TRUE(is_served(port));
  server.signal(SIGTERM);
  EXPECT_EQ(server.end(), 0);
}

TEST(ProgramLife, a_full_disk_stops_nothing) {
  Process server(mock_command(), [] { become_error_stream("/dev/full"); });
  const int port = port_in(server.line());
  ASSERT_GT(port, 0);
  for (int at = 0; at < 300; ++at) {
    ASSERT_TRUE(is_served(port));
  }
  const auto end = Clock::now() + kDeadline;
  while (health(port).at("log").at("dropped") == 0 && Clock::now() < end) {
    std::this_thread::sleep_for(Wait(5));
  }

  EXPECT_GT(health(port).at("log").at("dropped"), 0);
  server.signal(SIGTERM);
  EXPECT_EQ(server.end(), 0);
}

TEST(ProgramLife, ends_if_its_address_cannot_be_written) {
  Process server(mock_command(), [] {
    const int file = open("/dev/full", O_WRONLY | O_CLOEXEC);
    dup2(file, STDOUT_FILENO);
  });

  EXPECT_EQ(server.end(), 2);
  EXPECT_THAT(server.errors(), ::testing::HasSubstr("standard output"));
}

TEST(ProgramLife, a_full_pipe_stops_nothing_and_lost_lines_are_counted) {
  Process server(mock_command());  // its standard error is a pipe that is not read here
  const int port = port_in(server.line());
  ASSERT_GT(port, 0);
  const std::string burst = [] {
    std::string text;
    for (int at = 0; at < 100; ++at) {
      text += "GET /" + std::string(200, 'x') + " HTTP/1.1\r\nHost: a\r\n\r\n";
    }
    return text;
  }();
  Client client(port);
  for (int round = 0; round < 60; ++round) {
    client.send(burst);
    for (int at = 0; at < 100; ++at) {
      ASSERT_EQ(client.read_response("GET", kDeadline).head.status, 404);
    }
  }

  EXPECT_GT(health(port).at("log").at("dropped"), 0);
  EXPECT_TRUE(is_served(port));
  server.signal(SIGTERM);
  EXPECT_EQ(server.end(), 0);
}

TEST(ProgramLife, deadlines_do_not_follow_a_clock_that_jumps_but_the_date_header_does) {
  constexpr std::int64_t kDay = 86'400;
  const ClockFile clock;
  Process server(
      mock_command({"--head-ms", "4000", "--idle-ms", "60000"}),
      transport::testing::Environment{{"LD_PRELOAD", test_paths::preloaded("jumping_clock")},
                                      {"COUNTERPART_CLOCK", clock.path()},
                                      {"ASAN_OPTIONS", "verify_asan_link_order=0"}});
  const int port = port_in(server.line());
  ASSERT_GT(port, 0);
  Client kept(port);
  ASSERT_NEAR(static_cast<double>(date_is_off(kept)), 0, 60);
  for (const std::int64_t jump : {kDay, -kDay}) {
    Client slow(port);
    slow.send("GET / HTTP/1.1\r\n");
    clock.set(jump);
    std::this_thread::sleep_for(Wait(300));

    EXPECT_EQ(slow.state(Wait(0)), transport::testing::Connection::kOpen) << "a head in time";
    EXPECT_NEAR(static_cast<double>(date_is_off(kept)), static_cast<double>(jump), 60);
    EXPECT_EQ(slow.read_response("GET", kDeadline).head.status, 408) << "a head too late";
  }
  server.signal(SIGTERM);
  EXPECT_EQ(server.end(), 0);
}

TEST(ProgramLife, sixty_four_start_at_once_on_different_ports) {
  std::vector<std::unique_ptr<Process>> servers;
  for (int at = 0; at < 64; ++at) {
    servers.push_back(std::make_unique<Process>(mock_command({"--loops", "1"})));
  }
  std::vector<int> ports;
  for (const auto& server : servers) {
    ports.push_back(port_in(server->line()));
    ASSERT_TRUE(is_served(ports.back()));
  }
  std::sort(ports.begin(), ports.end());

  EXPECT_EQ(std::adjacent_find(ports.begin(), ports.end()), ports.end());
}

TEST(ProgramLife, it_ends_when_its_terminal_goes_away) {
  const int terminal = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
  ASSERT_GE(terminal, 0);
  ASSERT_EQ(grantpt(terminal), 0);
  ASSERT_EQ(unlockpt(terminal), 0);
  const std::string name = ptsname(terminal);
  Process server(mock_command(), [&] {
    setsid();
    std::signal(SIGHUP, SIG_DFL);  // the tests themselves may run under nohup
    [[maybe_unused]] const int controlling = open(name.c_str(), O_RDWR);
  });
  const int port = port_in(server.line());
  ASSERT_GT(port, 0);
  server.signal(SIGHUP);  // the terminal is there: a reload
  ASSERT_TRUE(is_served(port));
  close(terminal);

  EXPECT_EQ(server.end(), 0);
}

TEST(ProgramLife, simultaneous_resets_all_get_a_response) {
  Process server(mock_command({"--quiet"}));
  const int port = port_in(server.line());
  ASSERT_GT(port, 0);
  std::atomic<int> done{0};
  {
    std::vector<std::jthread> threads;
    for (int at = 0; at < 8; ++at) {
      threads.emplace_back([&] {
        Client client(port);
        for (int round = 0; round < 50; ++round) {
          client.send("POST /_mock/reset HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n" +
                      ask());
          const bool is_good = client.read_response("POST", kDeadline).head.status == 200 &&
                               client.read_response("GET", kDeadline).head.status == 200;
          done += is_good ? 1 : 0;
        }
      });
    }
  }

  EXPECT_EQ(done, 8 * 50);
}

TEST(ProgramLife, an_unusable_address_is_one_line) {
  for (const std::vector<std::string>& flags :
       {std::vector<std::string>{"--open-control", "--host", "no.such.host.invalid"},
        {"--host", "unix:/no/where"}}) {
    auto words = mock_command(flags);
    Process server(words);

    EXPECT_EQ(server.end(), 2) << flags.back();
    const std::string errors = server.errors();
    EXPECT_EQ(std::count(errors.begin(), errors.end(), '\n'), 1) << errors;
  }
}

}  // namespace mock_server::program
