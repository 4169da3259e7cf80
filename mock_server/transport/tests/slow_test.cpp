// Slow and silent clients, with short deadlines: each connection ends in time, and another client
// is served meanwhile.

#include "mock_server/transport/tests/support/client.hpp"
#include "mock_server/transport/tests/support/running_listener.hpp"
#include "mock_server/transport/transport_clock.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <string>
#include <sys/socket.h>
#include <thread>
#include <vector>

namespace mock_server::transport {

namespace {

using spec::http::ResponseRecord;
using testing::Client;
using testing::RunningListener;
using testing::Wait;

constexpr std::string_view kHead = "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: ";

ListenerOptions quick_options() {
  ListenerOptions options;
  Limits& limits = options.limits;
  limits.first_byte = Wait(400);
  limits.head = Wait(400);
  limits.body = Wait(600);
  limits.write_progress = Wait(500);
  limits.idle = Wait(400);
  limits.linger = Wait(200);
  limits.drain = Wait(2'000);
  return options;
}

class SlowClients : public ::testing::Test {
 protected:
  std::vector<std::unique_ptr<Client>> connect(std::size_t count) const {
    std::vector<std::unique_ptr<Client>> clients;
    for (std::size_t at = 0; at < count; ++at) {
      clients.push_back(std::make_unique<Client>(listener_.port()));
    }
    return clients;
  }

  void expect_fresh_client_is_served() const {
    const Time before = SteadyClock::now();
    EXPECT_EQ(testing::status_of_fresh_request(listener_.port()), 200);
    EXPECT_LT(SteadyClock::now() - before, std::chrono::seconds(2));
  }

  // Sends `piece` again and again until a response or the end comes; returns how long that took.
  static Wait drip(Client& client, std::string_view piece, Wait interval, ResponseRecord& record) {
    const Time before = SteadyClock::now();
    while (record.head.status == 0 && SteadyClock::now() - before < std::chrono::seconds(10)) {
      client.send(piece);
      record = client.read_response("GET", interval);
    }
    return std::chrono::duration_cast<Wait>(SteadyClock::now() - before);
  }

  RunningListener listener_{quick_options()};
};

}  // namespace

TEST_F(SlowClients, silent_ones_are_closed_without_a_response) {
  const auto clients = connect(300);

  expect_fresh_client_is_served();
  for (const auto& client : clients) {
    ASSERT_EQ(client->read(Wait(5'000)), "");
    ASSERT_EQ(client->state(Wait(5'000)), testing::Connection::kClosed);
  }
}

TEST_F(SlowClients, a_slow_head_ends_at_an_absolute_deadline) {
  const auto clients = connect(50);
  for (const auto& client : clients) {
    client->send("GET / HTTP/1.1\r\nHost: a\r\n");
  }
  ResponseRecord record;

  const Wait time = drip(*clients.front(), "X: y\r\n", Wait(50), record);

  EXPECT_EQ(record.head.status, 408);
  EXPECT_GE(time, Wait(300));
  EXPECT_LT(time, Wait(2'000));
  expect_fresh_client_is_served();
  for (std::size_t at = 1; at < clients.size(); ++at) {
    EXPECT_EQ(clients[at]->read_response().head.status, 408);
  }
}

TEST_F(SlowClients, a_slow_request_line_ends_at_an_absolute_deadline) {
  Client client(listener_.port());
  client.send("GET /");
  ResponseRecord record;

  drip(client, "a", Wait(50), record);

  EXPECT_EQ(record.head.status, 408);
  EXPECT_EQ(client.state(Wait(5'000)), testing::Connection::kClosed);
}

TEST_F(SlowClients, a_slow_body_ends_at_an_absolute_deadline) {
  Client client(listener_.port());
  client.send(std::string(kHead) + "10000\r\n\r\n");
  ResponseRecord record;

  const Wait time = drip(client, "b", Wait(30), record);

  EXPECT_EQ(record.head.status, 408);
  EXPECT_GE(time, Wait(500));
  expect_fresh_client_is_served();
}

TEST_F(SlowClients, slow_chunks_end_at_an_absolute_deadline) {
  Client client(listener_.port());
  client.send("POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n");
  ResponseRecord record;

  drip(client, "1\r\nb\r\n", Wait(30), record);

  EXPECT_EQ(record.head.status, 408);
}

TEST_F(SlowClients, a_body_that_never_comes_ends_at_the_deadline) {
  Client client(listener_.port());
  client.send(std::string(kHead) + "10\r\n\r\n");

  const ResponseRecord record = client.read_response();

  EXPECT_EQ(record.head.status, 408);
  EXPECT_THAT(record.response.body, ::testing::HasSubstr("REQUEST_TIMEOUT"));
}

TEST_F(SlowClients, a_client_that_got_100_continue_must_send_its_body) {
  Client client(listener_.port());
  client.send("POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 10\r\n\r\n");

  const ResponseRecord record = client.read_response();

  ASSERT_EQ(record.interim.size(), 1U);
  EXPECT_EQ(record.interim.front().status, 100);
  EXPECT_EQ(record.head.status, 408);
}

TEST_F(SlowClients, one_that_is_just_in_time_is_served) {
  Client client(listener_.port());
  for (int round = 0; round < 3; ++round) {
    client.send(kHead.substr(0, 20));
    std::this_thread::sleep_for(Wait(200));
    client.send(std::string(kHead.substr(20)) + "5\r\n\r\nhel");
    std::this_thread::sleep_for(Wait(300));
    client.send("lo");

    ASSERT_EQ(client.read_response().response.body, "POST /echo hello");
  }
}

TEST_F(SlowClients, idle_ones_are_closed_after_their_time_and_not_before) {
  Client client(listener_.port());
  for (int round = 0; round < 4; ++round) {
    client.send("GET /echo HTTP/1.1\r\nHost: a\r\n\r\n");
    ASSERT_EQ(client.read_response().head.status, 200);
    std::this_thread::sleep_for(Wait(150));
  }
  EXPECT_EQ(client.state(Wait(5'000)), testing::Connection::kClosed);
}

TEST_F(SlowClients, one_that_never_reads_is_reset) {
  Client client(listener_.port());
  client.send("GET /bytes/20000000 HTTP/1.1\r\nHost: a\r\n\r\n");
  std::this_thread::sleep_for(Wait(1'500));

  expect_fresh_client_is_served();
  EXPECT_EQ(client.state(Wait(5'000)), testing::Connection::kReset);
  EXPECT_GE(listener_.counter("timed_out"), 1U);
}

TEST_F(SlowClients, requests_without_end_are_not_all_read) {
  std::string burst;
  for (int at = 0; at < 200; ++at) {
    burst += "GET /bytes/4000 HTTP/1.1\r\nHost: a\r\n\r\n";
  }
  Client client(listener_.port());
  const timeval patience{0, 200'000};
  setsockopt(client.descriptor(), SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
  for (int at = 0; at < 2'000 && client.send(burst); ++at) {
  }

  expect_fresh_client_is_served();
  // The responses are as many as the sockets' buffers and the limit of unsent bytes can hold.
  EXPECT_LT(listener_.counter("requests"), 20'000U);
  std::this_thread::sleep_for(Wait(1'000));
  EXPECT_NE(client.state(Wait(5'000)), testing::Connection::kOpen);
}

TEST(SlowBodies, below_the_min_rate_are_ended_before_their_deadline) {
  ListenerOptions options = quick_options();
  options.limits.body = Wait(60'000);
  options.limits.rate_window = Wait(300);
  options.limits.body_bytes_per_second = 1'000;
  RunningListener listener(options);
  Client client(listener.port());
  client.send(std::string(kHead) + "10000\r\n\r\n" + std::string(400, 'b'));

  const ResponseRecord record = client.read_response();

  EXPECT_EQ(record.head.status, 408);
}

TEST(SlowBodies, above_the_min_rate_are_waited_for) {
  ListenerOptions options = quick_options();
  options.limits.body = Wait(60'000);
  options.limits.rate_window = Wait(100);
  options.limits.body_bytes_per_second = 100;
  RunningListener listener(options);
  Client client(listener.port());
  client.send("POST /bytes/3 HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\n");
  for (int at = 0; at < 20; ++at) {
    client.send(std::string(50, 'b'));
    std::this_thread::sleep_for(Wait(20));
  }

  EXPECT_EQ(client.read_response().response.body, "bbb");
}

TEST(SlowReaders, hold_no_more_memory_than_the_budget) {
  ListenerOptions options = quick_options();
  options.limits.memory_bytes = 32 * 1024 * 1024;
  RunningListener listener(options);
  std::vector<std::unique_ptr<Client>> clients;
  int rejected = 0;
  for (int at = 0; at < 20; ++at) {
    clients.push_back(std::make_unique<Client>(listener.port()));
    clients.back()->send("GET /bytes/8388608 HTTP/1.1\r\nHost: a\r\n\r\n");
  }
  std::this_thread::sleep_for(Wait(200));

  EXPECT_LE(listener.counter("body_memory_bytes"), 40U * 1024 * 1024);
  EXPECT_EQ(testing::status_of_fresh_request(listener.port()), 200);
  for (const auto& client : clients) {
    rejected += client->read(Wait(5'000)).starts_with("HTTP/1.1 503") ? 1 : 0;
  }
  EXPECT_GE(rejected, 10);
  std::this_thread::sleep_for(Wait(1'200));
  EXPECT_EQ(listener.counter("body_memory_bytes"), 0U);
}

TEST(SlowResponses, a_thousand_delayed_responses_do_not_delay_others) {
  RunningListener listener;
  std::vector<std::unique_ptr<Client>> clients;
  for (int at = 0; at < 400; ++at) {
    clients.push_back(std::make_unique<Client>(listener.port()));
    clients.back()->send("GET /delay/1500 HTTP/1.1\r\nHost: a\r\n\r\n");
  }
  const Time before = SteadyClock::now();

  EXPECT_EQ(testing::status_of_fresh_request(listener.port()), 200);
  EXPECT_LT(SteadyClock::now() - before, std::chrono::seconds(1));

  for (const auto& client : clients) {
    ASSERT_EQ(client->read_response().response.body, "GET /delay/1500");
  }
  EXPECT_LT(SteadyClock::now() - before, std::chrono::seconds(8));
}

TEST(SlowResponses, a_worker_that_takes_too_long_gets_a_503) {
  ListenerOptions options;
  options.limits.handler = Wait(200);
  RunningListener listener(options);
  Client client(listener.port());
  client.send("POST /work/1500 HTTP/1.1\r\nHost: a\r\nContent-Length: 100000\r\n\r\n" +
              std::string(100'000, 'b'));

  EXPECT_EQ(client.read_response().head.status, 503);
  EXPECT_EQ(client.state(Wait(5'000)), testing::Connection::kClosed);
  EXPECT_EQ(listener.counter("timed_out"), 1U);
  EXPECT_EQ(testing::status_of_fresh_request(listener.port()), 200);
}

TEST(SlowResponses, a_long_body_does_not_delay_others) {
  RunningListener listener;
  std::vector<std::unique_ptr<Client>> clients;
  for (int at = 0; at < 4; ++at) {
    clients.push_back(std::make_unique<Client>(listener.port()));
    clients.back()->send("POST /work/1500 HTTP/1.1\r\nHost: a\r\nContent-Length: 100000\r\n\r\n" +
                         std::string(100'000, 'b'));
  }
  std::this_thread::sleep_for(Wait(50));
  const Time before = SteadyClock::now();

  EXPECT_EQ(testing::status_of_fresh_request(listener.port()), 200);
  EXPECT_LT(SteadyClock::now() - before, Wait(1'400));
  for (const auto& client : clients) {
    EXPECT_EQ(client->read_response().head.status, 200);
  }
}

}  // namespace mock_server::transport
