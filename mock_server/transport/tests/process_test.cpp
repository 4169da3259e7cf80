// The transport as a program: what the system, signals and other processes do to it.

#include "mock_server/transport/tests/support/process.hpp"

#include "mock_server/transport/tests/support/client.hpp"
#include "spec/tests/paths.hpp"
#include "spec/tests/sanitized.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <array>
#include <csignal>
#include <cstdlib>
#include <memory>
#include <set>
#include <string>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace mock_server::transport {

namespace {

using testing::await_closed;
using testing::Client;
using testing::port_in;
using testing::Process;
using testing::status_of_fresh_request;
using testing::Wait;

const std::vector<std::string> kOnAFreePort = {test_paths::transport_program(), "--port", "0",
                                               "--health"};

void limit(int resource, rlim_t value) {
  const rlimit limits{value, value};
  setrlimit(static_cast<__rlimit_resource>(resource), &limits);
}

// Tries until a request gets a response, for ten seconds at most.
bool is_served_again(int port) {
  for (int at = 0; at < 200; ++at) {
    try {
      if (status_of_fresh_request(port) == 200) {
        return true;
      }
    } catch (const std::runtime_error&) {
    }
    std::this_thread::sleep_for(Wait(50));
  }
  return false;
}

}  // namespace

TEST(TransportProgram, recovers_from_running_out_of_descriptors) {
  Process server(kOnAFreePort, [] { limit(RLIMIT_NOFILE, 64); });
  const int port = port_in(server.line());
  ASSERT_GT(port, 0);
  {
    std::vector<std::unique_ptr<Client>> clients;
    for (int at = 0; at < 200; ++at) {
      clients.push_back(std::make_unique<Client>(port));
      clients.back()->send("GET /delay/300 HTTP/1.1\r\nHost: a\r\n\r\n");
    }
    std::this_thread::sleep_for(Wait(300));
  }
  EXPECT_TRUE(is_served_again(port));
  server.signal(SIGTERM);

  EXPECT_EQ(server.end(), 0);
}

TEST(TransportProgram, continues_after_every_error_of_accept) {
  Process server(kOnAFreePort,
                 testing::Environment{{"LD_PRELOAD", test_paths::preloaded("accept_errors")},
                                      // The sanitizer's runtime asks to be the first
                                      // library; here the shim is, and may be.
                                      {"ASAN_OPTIONS", "verify_asan_link_order=0"}});
  const int port = port_in(server.line());
  ASSERT_GT(port, 0);

  EXPECT_TRUE(is_served_again(port));
  server.signal(SIGTERM);
  const auto health = nlohmann::json::parse(server.line());

  EXPECT_GE(health.at("connections").at("accept_errors"), 10);
  EXPECT_EQ(server.end(), 0);
}

TEST(TransportProgram, exits_with_0_at_a_signal) {
  Process server(kOnAFreePort);
  const int port = port_in(server.line());
  Client client(port);
  client.send("GET /delay/300 HTTP/1.1\r\nHost: a\r\n\r\n");
  std::this_thread::sleep_for(Wait(100));
  server.signal(SIGTERM);

  EXPECT_EQ(client.read_response().head.status, 200);
  client.close();
  EXPECT_EQ(server.end(), 0);
}

TEST(TransportProgram, ends_at_once_at_a_second_signal) {
  Process server(kOnAFreePort);
  const int port = port_in(server.line());
  Client client(port);
  client.send("GET /delay/60000 HTTP/1.1\r\nHost: a\r\n\r\n");
  std::this_thread::sleep_for(Wait(100));
  server.signal(SIGTERM);
  await_closed(port);  // two signals that wait would be one
  server.signal(SIGTERM);

  EXPECT_EQ(server.end(Wait(3'000)), 0);
}

TEST(TransportProgram, serves_again_on_the_same_port_after_it_was_killed) {
  int port = 0;
  {
    Process server(kOnAFreePort);
    port = port_in(server.line());
    ASSERT_EQ(status_of_fresh_request(port), 200);
    server.signal(SIGKILL);
    EXPECT_EQ(server.end(), 128 + SIGKILL);
  }
  Process server({test_paths::transport_program(), "--port", std::to_string(port)});

  EXPECT_EQ(port_in(server.line()), port);
  EXPECT_EQ(status_of_fresh_request(port), 200);
}

TEST(TransportProgram, survives_with_little_memory) {
  if (spec::tests::kIsSanitized) {
    GTEST_SKIP() << "sanitizers need more address space than this test gives";
  }
  Process server(kOnAFreePort, [] { limit(RLIMIT_AS, 400UL * 1024 * 1024); });
  const int port = port_in(server.line());
  ASSERT_GT(port, 0);
  std::vector<std::unique_ptr<Client>> clients;
  const std::string part(1024 * 1024, 'b');
  for (int at = 0; at < 60; ++at) {
    clients.push_back(std::make_unique<Client>(port));
    clients.back()->send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10000000\r\n\r\n");
    for (int sent = 0; sent < 9 && clients.back()->send(part); ++sent) {
    }
  }
  Client huge(port);
  huge.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1073741824\r\n\r\n");

  EXPECT_EQ(huge.read_response().head.status, 413);
  clients.clear();
  EXPECT_TRUE(is_served_again(port));
  server.signal(SIGTERM);
  EXPECT_EQ(server.end(), 0);
}

TEST(TransportProgram, says_in_one_line_why_it_cannot_start) {
  Process first(kOnAFreePort);
  const int port = port_in(first.line());
  Process second({test_paths::transport_program(), "--port", std::to_string(port)});

  EXPECT_EQ(second.end(), 2);
  EXPECT_EQ(second.errors(), "port " + std::to_string(port) +
                                 " on 127.0.0.1 is in use; choose another with --port, or "
                                 "--port 0 for any free port\n");
}

TEST(TransportProgram, serves_without_standard_error) {
  Process server(kOnAFreePort, [] { close(STDERR_FILENO); });
  const int port = port_in(server.line());

  EXPECT_EQ(status_of_fresh_request(port), 200);
}

TEST(TransportProgram, starts_many_times_at_once_on_different_ports) {
  std::vector<std::unique_ptr<Process>> servers;
  for (int at = 0; at < 64; ++at) {
    servers.push_back(std::make_unique<Process>(kOnAFreePort));
  }
  std::set<int> ports;
  for (const auto& server : servers) {
    const int port = port_in(server->line());
    ports.insert(port);
    EXPECT_EQ(status_of_fresh_request(port), 200);
  }
  EXPECT_EQ(ports.size(), servers.size());
}

// The processes of a test are this process's to wait for, once the test is gone.
TEST(TransportProgram, ends_with_the_test_that_started_it_however_that_ends) {
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  std::array<int, 2> ends{};
  ASSERT_EQ(pipe(ends.data()), 0);
  const pid_t test = fork();
  if (test == 0) {
    Process server(kOnAFreePort);
    server.line();
    const pid_t started = server.id();
    [[maybe_unused]] const ssize_t told = write(ends[1], &started, sizeof started);
    for (;;) {
      pause();
    }
  }
  pid_t server = -1;
  ASSERT_EQ(read(ends[0], &server, sizeof server), static_cast<ssize_t>(sizeof server));

  kill(test, SIGKILL);
  waitpid(test, nullptr, 0);
  pid_t ended = 0;
  for (int at = 0; at < 2'000 && ended == 0; ++at) {
    ended = waitpid(server, nullptr, WNOHANG);
    std::this_thread::sleep_for(Wait(ended == 0 ? 10 : 0));
  }

  EXPECT_EQ(ended, server);
  if (ended != server) {
    kill(server, SIGKILL);
  }
  close(ends[0]);
  close(ends[1]);
}

TEST(TransportProgram, broken_pipes_do_not_end_it) {
  Process server(kOnAFreePort);
  const int port = port_in(server.line());
  for (int at = 0; at < 20; ++at) {
    Client client(port);
    client.send("GET /bytes/4000000 HTTP/1.1\r\nHost: a\r\n\r\n");
    client.reset();
  }
  EXPECT_EQ(status_of_fresh_request(port), 200);
  server.signal(SIGTERM);

  EXPECT_EQ(server.end(), 0);
}

}  // namespace mock_server::transport
