// Many clients, clients that reset connections, and the end of the server: nothing leaks, and
// normal requests get their responses.

#include "mock_server/transport/tests/support/client.hpp"
#include "mock_server/transport/tests/support/eventually.hpp"
#include "mock_server/transport/tests/support/running_listener.hpp"
#include "mock_server/transport/transport_clock.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <fcntl.h>
#include <filesystem>
#include <future>
#include <iterator>
#include <linux/sockios.h>
#include <map>
#include <memory>
#include <mutex>
#include <sched.h>
#include <stdexcept>
#include <string>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace mock_server::transport {

namespace {

using testing::Client;
using testing::eventually;
using testing::RunningListener;
using testing::status_of_fresh_request;
using testing::Wait;

constexpr std::string_view kGet = "GET /echo HTTP/1.1\r\nHost: a\r\n\r\n";

std::size_t open_descriptors() {
  return static_cast<std::size_t>(std::distance(
      std::filesystem::directory_iterator("/proc/self/fd"), std::filesystem::directory_iterator()));
}

// `count` clients one after the other, each given to `act`; then all connections must be gone.
template <typename Act>
void expect_no_trace_of(RunningListener& listener, int count, Act act) {
  ASSERT_EQ(status_of_fresh_request(listener.port()), 200);
  ASSERT_TRUE(eventually([&] { return listener.counter("open") == 0; }));
  const std::size_t before = open_descriptors();
  for (int at = 0; at < count; ++at) {
    Client client(listener.port());
    act(client);
  }
  // A connection stops counting a moment before its descriptor is closed.
  EXPECT_TRUE(eventually([&] {
    return listener.counter("open") == 0 && open_descriptors() <= before;
  })) << open_descriptors()
      << " descriptors, " << before << " before";
  EXPECT_EQ(status_of_fresh_request(listener.port()), 200);
}

// True if everything that the client sent is in the peer's buffer: none of it is unacknowledged.
bool has_arrived(const Client& client) {
  int unacknowledged = 0;
  return ioctl(client.descriptor(), SIOCOUTQ, &unacknowledged) == 0 && unacknowledged == 0;
}

}  // namespace

// One loop: all that the first client sends is there when the second one's request comes.
TEST(Crowd, a_client_that_does_not_wait_for_responses_lets_others_in_between) {
  constexpr int kPipelined = 1'500;
  std::promise<void> all_sent;
  std::atomic<int> pipelined = 0;
  std::atomic<int> before_other = 0;
  const auto count = [&, sent = all_sent.get_future().share(), echo = testing::handler()](
                         const spec::http::Request& request, const reply::Peer& peer) {
    if (request.target == "/other") {
      before_other = pipelined.load();
    } else if (request.target == "/many" && ++pipelined == 1) {
      sent.wait();
    }
    return echo({"GET", "/echo", {}, {}}, peer);
  };
  ListenerOptions options;
  options.loops = 1;
  RunningListener listener(options, count);
  Client other(listener.port());
  other.send(kGet);
  ASSERT_EQ(other.read_response().head.status, 200);
  std::string requests;
  for (int at = 0; at < kPipelined; ++at) {
    requests += "GET /many HTTP/1.1\r\nHost: a\r\n\r\n";
  }
  Client many(listener.port());
  many.send(requests);
  EXPECT_TRUE(eventually([&] { return pipelined.load() == 1; }));
  other.send("GET /other HTTP/1.1\r\nHost: a\r\n\r\n");
  EXPECT_TRUE(eventually([&] { return has_arrived(other); }));
  all_sent.set_value();

  EXPECT_EQ(other.read_response().head.status, 200);
  EXPECT_LT(before_other.load(), kPipelined);
  for (int at = 0; at < kPipelined; ++at) {
    ASSERT_EQ(many.read_response().head.status, 200) << at;
  }
}

TEST(Crowd, idle_connections_are_kept_and_do_not_disturb_others) {
  RunningListener listener;
  std::vector<std::unique_ptr<Client>> clients;
  for (int at = 0; at < 800; ++at) {
    clients.push_back(std::make_unique<Client>(listener.port()));
    clients.back()->send(kGet);
    ASSERT_EQ(clients.back()->read_response().head.status, 200);
  }

  EXPECT_EQ(status_of_fresh_request(listener.port()), 200);
  EXPECT_GE(listener.counter("open"), 800U);
  for (const auto& client : clients) {
    client->send(kGet);
    ASSERT_EQ(client->read_response().head.status, 200);
  }
}

TEST(Crowd, idle_connections_make_room_when_there_are_too_many) {
  ListenerOptions options;
  options.limits.connections = 20;
  RunningListener listener(options);
  std::vector<std::unique_ptr<Client>> clients;
  for (int at = 0; at < 60; ++at) {
    clients.push_back(std::make_unique<Client>(listener.port()));
    clients.back()->send(kGet);
    ASSERT_EQ(clients.back()->read_response().head.status, 200) << at;
  }

  EXPECT_GE(listener.counter("shed"), 30U);
  EXPECT_EQ(clients.front()->state(Wait(1'000)), testing::Connection::kClosed);
  EXPECT_EQ(clients.back()->state(Wait(20)), testing::Connection::kOpen);
}

TEST(Crowd, busy_connections_are_kept_and_the_next_client_gets_503) {
  ListenerOptions options;
  options.limits.connections = 10;
  RunningListener listener(options);
  std::vector<std::unique_ptr<Client>> clients;
  for (int at = 0; at < 10; ++at) {
    clients.push_back(std::make_unique<Client>(listener.port()));
    clients.back()->send("GET /delay/1000 HTTP/1.1\r\nHost: a\r\n\r\n");
  }
  ASSERT_TRUE(eventually([&] { return listener.counter("requests") == 10; }));
  Client late(listener.port());
  late.send(kGet);

  const auto record = late.read_response();

  EXPECT_EQ(record.head.status, 503);
  EXPECT_EQ(record.response.headers.find("Retry-After"), "1");
  for (const auto& client : clients) {
    EXPECT_EQ(client->read_response().head.status, 200);
  }
  EXPECT_EQ(status_of_fresh_request(listener.port()), 200);
}

TEST(Crowd, connections_that_come_and_go_leak_nothing) {
  RunningListener listener;

  expect_no_trace_of(listener, 3'000, [](Client& client) { client.close(); });
}

TEST(Crowd, resets_right_after_connecting_leak_nothing) {
  RunningListener listener;

  expect_no_trace_of(listener, 1'000, [](Client& client) { client.reset(); });
}

TEST(Crowd, resets_inside_a_head_leak_nothing) {
  RunningListener listener;

  expect_no_trace_of(listener, 1'000, [](Client& client) {
    client.send("GET / HTTP/1.1\r\nHo");
    client.reset();
  });
}

TEST(Crowd, resets_inside_a_body_leak_nothing_and_reach_no_handler) {
  std::atomic<int> calls{0};
  RunningListener listener({}, [&](const spec::http::Request& request, const reply::Peer& peer) {
    calls += request.method == "POST" ? 1 : 0;
    return testing::handler()(request, peer);
  });

  expect_no_trace_of(listener, 1'000, [](Client& client) {
    client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\nbbb");
    client.reset();
  });
  EXPECT_EQ(calls.load(), 0);
}

TEST(Crowd, resets_inside_a_response_leak_nothing) {
  RunningListener listener;

  expect_no_trace_of(listener, 30, [](Client& client) {
    client.send("GET /bytes/8388608 HTTP/1.1\r\nHost: a\r\n\r\n");
    client.read(Wait(1'000), 1'000);
    client.reset();
  });
}

TEST(Crowd, resets_while_a_worker_has_the_request_leak_nothing) {
  RunningListener listener;

  expect_no_trace_of(listener, 20, [](Client& client) {
    client.send("POST /work/5 HTTP/1.1\r\nHost: a\r\nContent-Length: 100000\r\n\r\n" +
                std::string(100'000, 'b'));
    client.reset();
  });
}

// The loop works while the client leaves, then learns of that and works on while the worker is
// done: one round of it sees both.
TEST(Crowd, a_reset_together_with_a_workers_result_ends_only_its_connection) {
  constexpr std::string_view kWork = "GET /work/400 HTTP/1.1\r\nHost: a\r\n\r\n";
  ListenerOptions options;
  options.loops = 1;
  RunningListener listener(options);
  Client leaving(listener.port());
  std::vector<std::unique_ptr<Client>> others;
  for (int at = 0; at < 8; ++at) {
    others.push_back(std::make_unique<Client>(listener.port()));
    others.back()->send(kGet);
    ASSERT_EQ(others.back()->read_response().head.status, 200);
  }
  leaving.send("POST /work/700 HTTP/1.1\r\nHost: a\r\nContent-Length: 100000\r\n\r\n" +
               std::string(100'000, 'b'));
  std::this_thread::sleep_for(Wait(150));
  others[0]->send(kWork);
  others[1]->send(kWork);
  std::this_thread::sleep_for(Wait(100));

  leaving.reset();
  others[2]->send(kWork);
  others[3]->send(kWork);

  for (std::size_t at = 0; at < 4; ++at) {
    EXPECT_EQ(others[at]->read_response().head.status, 200);
  }
  for (const auto& client : others) {
    client->send(kGet);
    EXPECT_EQ(client->read_response().head.status, 200);
  }
  EXPECT_EQ(listener.counter("open"), others.size());
}

TEST(Crowd, resets_while_a_response_is_delayed_leak_nothing) {
  RunningListener listener;

  expect_no_trace_of(listener, 200, [](Client& client) {
    client.send("GET /delay/60000 HTTP/1.1\r\nHost: a\r\n\r\n");
    client.reset();
  });
}

TEST(Crowd, an_urgent_byte_does_no_harm) {
  RunningListener listener;
  Client client(listener.port());
  client.send("GET /echo HT");
  ASSERT_EQ(send(client.descriptor(), "!", 1, MSG_OOB), 1);
  client.send("TP/1.1\r\nHost: a\r\n\r\n");

  EXPECT_EQ(client.read_response().head.status, 200);
  EXPECT_EQ(status_of_fresh_request(listener.port()), 200);
}

TEST(Crowd, connections_of_one_cpu_share_a_loop_until_it_has_too_many) {
  constexpr std::size_t kAtOnce = 8;
  std::mutex mutex;
  std::map<std::thread::id, std::size_t> connections;  // by loop
  const auto count = [&, echo = testing::handler()](const spec::http::Request& request,
                                                    const reply::Peer& peer) {
    const std::lock_guard lock(mutex);
    ++connections[std::this_thread::get_id()];
    return echo(request, peer);
  };
  ListenerOptions options;
  options.loops = 2;
  RunningListener listener(options, count);
  std::vector<std::unique_ptr<Client>> clients;
  const auto connect = [&](std::size_t wanted) {
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(sched_getcpu(), &one);
    sched_setaffinity(0, sizeof one, &one);
    while (clients.size() < wanted) {
      clients.push_back(std::make_unique<Client>(listener.port()));
      clients.back()->send(kGet);
      ASSERT_EQ(clients.back()->read_response().head.status, 200);
    }
  };

  std::jthread(connect, kAtOnce).join();
  EXPECT_EQ(connections.size(), 1U);
  std::jthread(connect, 5 * kAtOnce).join();

  ASSERT_EQ(connections.size(), 2U);
  const auto [fewer, more] = std::minmax(connections.begin()->second, connections.rbegin()->second);
  EXPECT_LE(more, 2 * fewer + kAtOnce);
}

TEST(Crowd, descriptors_above_a_thousand_work) {
  rlimit limit{};
  getrlimit(RLIMIT_NOFILE, &limit);
  if (limit.rlim_max < 4'096) {
    GTEST_SKIP() << "this process may open only " << limit.rlim_max << " files";
  }
  RunningListener listener;  // raises the soft limit
  std::vector<int> taken;
  for (int at = 0; at < 1'500; ++at) {
    taken.push_back(open("/dev/null", O_RDONLY | O_CLOEXEC));
  }

  Client client(listener.port());
  client.send(kGet);

  EXPECT_GT(client.descriptor(), 1'024);
  EXPECT_EQ(client.read_response().head.status, 200);
  for (const int descriptor : taken) {
    close(descriptor);
  }
}

TEST(Crowd, every_request_on_a_connection_counts_towards_its_limit) {
  ListenerOptions options;
  options.limits.requests_per_connection = 3;
  RunningListener listener(options);
  Client client(listener.port());
  for (int at = 0; at < 3; ++at) {
    client.send(kGet);
    EXPECT_EQ(client.read_response().keep_alive, at < 2);
  }
  EXPECT_EQ(client.state(Wait(5'000)), testing::Connection::kClosed);
}

TEST(Crowd, rejections_are_reported_with_their_reason) {
  std::atomic<int> status{0};
  ListenerOptions options;
  options.on_rejection = [&](const RejectedRequest& rejected) {
    const bool is_told = rejected.peer.address == "127.0.0.1" && rejected.request.method == "GET" &&
                         rejected.response.status == rejected.rejection.status;
    status = is_told ? rejected.rejection.status : -1;
    rejected.response.headers.add("X-Counterpart-Explain", "/_mock/requests/7");
  };
  RunningListener listener(options);
  Client client(listener.port());
  client.send("GET / HTTP/2.0\r\n\r\n");

  const auto record = client.read_response();

  EXPECT_EQ(record.head.status, 505);
  EXPECT_EQ(record.response.headers.find("X-Counterpart-Explain"), "/_mock/requests/7");
  EXPECT_EQ(status.load(), 505);
  EXPECT_EQ(listener.counter("rejected"), 1U);
}

TEST(Crowd, an_exception_fails_only_its_request) {
  std::atomic<int> failures{0};
  ListenerOptions options;
  options.on_rejection = [&failures](const RejectedRequest&) {
    if (failures-- > 0) {
      throw std::runtime_error("it cannot be noted");
    }
  };
  RunningListener listener(options);
  const auto response_after = [&](int count) {
    failures = count;
    Client client(listener.port());
    client.send("broken\r\n\r\n");
    return client.read(Wait(5'000)).substr(0, 12);
  };

  EXPECT_EQ(response_after(1), "HTTP/1.1 500");
  EXPECT_EQ(response_after(2), "");
  EXPECT_EQ(status_of_fresh_request(listener.port()), 200);
}

TEST(Crowd, a_client_that_keeps_sending_a_rejected_body_can_read_why) {
  ListenerOptions options;
  options.limits.body_bytes = 1024;
  RunningListener listener(options);
  Client client(listener.port());
  client.send("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 11000000\r\n\r\n");

  EXPECT_TRUE(client.send(std::string(11'000'000, 'b')));
  EXPECT_EQ(client.read_response().head.status, 413);
  EXPECT_EQ(client.state(Wait(5'000)), testing::Connection::kClosed);
}

// --- the end

TEST(Shutdown, idle_connections_end_at_once) {
  RunningListener listener;
  Client silent(listener.port());
  Client idle(listener.port());
  idle.send(kGet);
  ASSERT_EQ(idle.read_response().head.status, 200);
  const Time before = SteadyClock::now();

  listener.listener().stop();
  listener.wait_for_end();

  EXPECT_LT(SteadyClock::now() - before, std::chrono::seconds(2));
  EXPECT_EQ(silent.state(Wait(1'000)), testing::Connection::kClosed);
  EXPECT_EQ(idle.state(Wait(1'000)), testing::Connection::kClosed);
}

TEST(Shutdown, requests_in_progress_get_their_responses) {
  RunningListener listener;
  std::vector<std::unique_ptr<Client>> clients;
  for (int at = 0; at < 100; ++at) {
    clients.push_back(std::make_unique<Client>(listener.port()));
    clients.back()->send("GET /delay/400 HTTP/1.1\r\nHost: a\r\n\r\n");
  }
  ASSERT_TRUE(eventually([&] { return listener.counter("requests") == 100; }));

  listener.listener().stop();
  listener.wait_for_end();

  for (const auto& client : clients) {
    EXPECT_EQ(client->read_response().response.body, "GET /delay/400");
  }
  EXPECT_THROW(Client(listener.port()), std::runtime_error);
}

TEST(Shutdown, requests_that_were_sent_before_get_their_responses) {
  RunningListener listener;
  std::vector<std::unique_ptr<Client>> clients;
  for (int at = 0; at < 50; ++at) {
    clients.push_back(std::make_unique<Client>(listener.port()));
    clients.back()->send(kGet);
  }

  listener.listener().stop();
  listener.wait_for_end();

  for (const auto& client : clients) {
    EXPECT_EQ(client->read_response().head.status, 200);
  }
}

TEST(Shutdown, ends_at_the_latest_after_the_grace_period) {
  ListenerOptions options;
  options.limits.drain = Wait(200);
  RunningListener listener(options);
  Client client(listener.port());
  client.send("GET /delay/60000 HTTP/1.1\r\nHost: a\r\n\r\n");
  ASSERT_TRUE(eventually([&] { return listener.counter("requests") == 1; }));
  const Time before = SteadyClock::now();

  listener.listener().stop();
  listener.wait_for_end();

  EXPECT_GE(SteadyClock::now() - before, Wait(180));
  EXPECT_LT(SteadyClock::now() - before, std::chrono::seconds(5));
}

TEST(Shutdown, a_second_stop_ends_at_once) {
  RunningListener listener;
  Client client(listener.port());
  client.send("GET /delay/60000 HTTP/1.1\r\nHost: a\r\n\r\n");
  ASSERT_TRUE(eventually([&] { return listener.counter("requests") == 1; }));
  const Time before = SteadyClock::now();

  listener.stop_now();

  EXPECT_LT(SteadyClock::now() - before, std::chrono::seconds(2));
}

}  // namespace mock_server::transport
