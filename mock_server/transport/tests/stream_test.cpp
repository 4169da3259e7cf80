// Responses whose bodies grow while they are sent: framing, the end by either side, and clients
// that do not read.

#include "mock_server/transport/tests/support/certificate.hpp"
#include "mock_server/transport/tests/support/client.hpp"
#include "mock_server/transport/tests/support/eventually.hpp"
#include "mock_server/transport/tests/support/running_listener.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <sys/socket.h>
#include <thread>
#include <utility>
#include <vector>

namespace mock_server::transport {

namespace {

using reply::Growth;
using spec::http::Ending;
using testing::Certificate;
using testing::Client;
using testing::eventually;
using testing::RunningListener;
using testing::status_of_fresh_request;
using testing::Wait;

constexpr std::string_view kStreamGet = "GET /stream HTTP/1.1\r\nHost: a\r\n\r\n";
constexpr std::size_t kPart = 32 * 1024;

// Whoever asks for /stream gets what `stream` makes, others what the usual handler says.
reply::Handler streaming(reply::Stream stream, reply::Fault fault = reply::Fault::kNone) {
  return [stream = std::move(stream), fault, usual = testing::handler()](
             const spec::http::Request& request, const reply::Peer& peer) {
    if (request.target != "/stream") {
      return usual(request, peer);
    }
    reply::Reply reply;
    reply.response.headers = {{"Content-Type", "text/event-stream"}};
    reply.response.body = "not sent";
    reply.delivery.fault = fault;
    reply.stream = stream;
    return reply;
  };
}

// A first part, then nothing until the test ends it.
struct HeldStream {
  std::atomic<int> asked{0};
  std::atomic<bool> may_end{false};

  reply::Stream stream() {
    return [this](std::string& bytes) {
      if (++asked == 1) {
        bytes = "first";
      } else if (may_end.load()) {
        bytes = "last";
        return Growth::kEnded;
      }
      return Growth::kWaits;
    };
  }
};

std::string read_up_to(Client& client, std::string_view end) {
  std::string all;
  for (int at = 0; at < 1'000 && all.find(end) == std::string::npos; ++at) {
    all += client.read(Wait(10));
  }
  return all;
}

Growth much(std::string& bytes) {
  bytes.assign(kPart, 'b');
  return Growth::kHasMore;
}

}  // namespace

TEST(Streams, are_sent_as_they_grow_and_the_connection_goes_on) {
  HeldStream held;
  RunningListener listener({}, streaming(held.stream()));
  Client client(listener.port());
  client.send(kStreamGet);
  const std::string begun = read_up_to(client, "first\r\n");
  EXPECT_EQ(listener.counter("streams"), 1U);

  held.may_end = true;
  const std::string rest = read_up_to(client, "0\r\n\r\n");
  client.send("GET /echo HTTP/1.1\r\nHost: a\r\n\r\n");

  EXPECT_THAT(begun, ::testing::AllOf(::testing::HasSubstr("\r\nTransfer-Encoding: chunked\r\n"),
                                      ::testing::Not(::testing::HasSubstr("Content-Length")),
                                      ::testing::EndsWith("\r\n\r\n5\r\nfirst\r\n")));
  EXPECT_EQ(rest, "4\r\nlast\r\n0\r\n\r\n");
  EXPECT_EQ(client.read_response().head.status, 200);
  EXPECT_EQ(listener.counter("streams"), 0U);
}

TEST(Streams, that_are_cut_end_with_the_connection_and_without_their_last_chunk) {
  RunningListener listener({}, streaming([](std::string& bytes) {
                             bytes = "half";
                             return Growth::kCut;
                           }));
  Client client(listener.port());

  client.send(kStreamGet);
  const auto record = client.read_response();

  EXPECT_EQ(record.ending, Ending::kCut);
  EXPECT_EQ(record.response.body, "half");
  EXPECT_EQ(listener.counter("streams"), 0U);
}

TEST(Streams, to_http_1_0_have_no_chunks_and_end_with_the_connection) {
  HeldStream held;
  held.may_end = true;
  RunningListener listener({}, streaming(held.stream()));
  Client client(listener.port());

  client.send("GET /stream HTTP/1.0\r\nConnection: keep-alive\r\n\r\n");
  const auto record = client.read_response();

  EXPECT_EQ(record.ending, Ending::kComplete);
  EXPECT_EQ(record.response.body, "firstlast");
  EXPECT_EQ(record.response.headers.find("Connection"), "close");
  EXPECT_FALSE(record.response.headers.has("Transfer-Encoding"));
}

TEST(Streams, to_head_are_a_head) {
  HeldStream held;
  RunningListener listener({}, streaming(held.stream()));
  Client client(listener.port());

  client.send("HEAD /stream HTTP/1.1\r\nHost: a\r\n\r\n");
  const auto record = client.read_response("HEAD");
  client.send("GET /echo HTTP/1.1\r\nHost: a\r\n\r\n");

  EXPECT_EQ(record.head.status, 200);
  EXPECT_FALSE(record.response.headers.has("Content-Length"));
  EXPECT_EQ(client.read_response().response.body, "GET /echo");
  EXPECT_EQ(held.asked.load(), 0);
}

TEST(Streams, with_a_fault_are_responses_without_a_body) {
  HeldStream held;
  RunningListener listener({}, streaming(held.stream(), reply::Fault::kTruncate));
  Client client(listener.port());

  client.send(kStreamGet);

  EXPECT_EQ(client.state(Wait(10'000)), testing::Connection::kReset);
  EXPECT_EQ(held.asked.load(), 0);
}

TEST(Streams, with_a_fault_of_the_writes_are_responses_without_a_body) {
  HeldStream held;
  RunningListener listener({}, streaming(held.stream(), reply::Fault::kSplitWrites));
  Client client(listener.port());

  client.send(kStreamGet);

  EXPECT_EQ(client.read_response().response.body, "");
  EXPECT_EQ(held.asked.load(), 0);
}

TEST(Streams, go_through_tls) {
  const Certificate certificate;
  HeldStream held;
  held.may_end = true;
  ListenerOptions options;
  options.tls_certificate = certificate.certificate_file();
  options.tls_key = certificate.key_file();
  RunningListener listener(options, streaming(held.stream()));
  Client client(listener.port());
  ASSERT_TRUE(client.start_tls());

  client.send(kStreamGet);

  EXPECT_EQ(client.read_response().response.body, "firstlast");
}

TEST(Streams, outlast_the_idle_time_and_do_not_make_room_for_others) {
  HeldStream held;
  ListenerOptions options;
  options.loops = 1;
  options.limits.connections = 1;
  options.limits.idle = options.limits.first_byte = std::chrono::milliseconds(50);
  RunningListener listener(options, streaming(held.stream()));
  Client client(listener.port());
  client.send(kStreamGet);
  read_up_to(client, "first\r\n");
  EXPECT_TRUE(eventually([&] { return held.asked.load() > 3; }));

  EXPECT_EQ(status_of_fresh_request(listener.port()), 503);
  held.may_end = true;

  EXPECT_EQ(read_up_to(client, "0\r\n\r\n"), "4\r\nlast\r\n0\r\n\r\n");
}

TEST(Streams, end_when_the_client_ends_its_side) {
  HeldStream held;
  RunningListener listener({}, streaming(held.stream()));
  Client client(listener.port());
  client.send(kStreamGet);
  read_up_to(client, "first\r\n");

  client.end_writing();

  EXPECT_EQ(read_up_to(client, "0\r\n\r\n"), "0\r\n\r\n");
  EXPECT_EQ(client.state(Wait(10'000)), testing::Connection::kClosed);
}

TEST(Streams, of_clients_that_leave_are_freed) {
  auto held = std::make_shared<int>(0);
  const std::weak_ptr<int> watch = held;
  RunningListener listener({}, [held = std::move(held)](const auto& request, const auto& peer) {
    return streaming([held](std::string& bytes) {
      bytes = "part";
      return Growth::kWaits;
    })(request, peer);
  });
  const auto before = watch.use_count();
  for (int at = 0; at < 40; ++at) {
    Client client(listener.port());
    client.send(kStreamGet);
    if (at % 4 != 0) {
      read_up_to(client, "part\r\n");
    }
    if (at % 2 == 0) {
      client.reset();
    }
  }

  EXPECT_TRUE(eventually([&] { return watch.use_count() == before; })) << watch.use_count();
  EXPECT_EQ(listener.counter("streams"), 0U);
  EXPECT_TRUE(eventually([&] { return listener.counter("open") == 0; }));
}

// It holds little until then: it is asked only when the client has taken what there was.
TEST(Streams, of_a_client_that_does_not_read_end_while_others_are_served) {
  std::atomic<std::size_t> made{0};
  ListenerOptions options;
  options.loops = 1;
  options.limits.write_progress = std::chrono::milliseconds(1'000);
  RunningListener listener(options, streaming([&made](std::string& bytes) {
                             made += kPart;
                             return much(bytes);
                           }));
  Client client(listener.port());
  const int little = 4'096;
  setsockopt(client.descriptor(), SOL_SOCKET, SO_RCVBUF, &little, sizeof little);
  client.send(kStreamGet);

  EXPECT_TRUE(eventually([&] {
    EXPECT_EQ(status_of_fresh_request(listener.port()), 200);
    return listener.counter("timed_out") == 1;
  }));
  EXPECT_TRUE(eventually([&] { return listener.counter("streams") == 0; }));  // counted after it
  EXPECT_LT(made.load(), 512U * 1024);  // most of it is in the two systems
}

TEST(Streams, that_throw_end_alone_and_are_freed) {
  const auto asked = std::make_shared<int>(0);
  RunningListener listener({}, streaming([asked](std::string& bytes) {
                             if (++*asked == 2) {
                               throw std::runtime_error("cannot go on");
                             }
                             bytes = "part";
                             return Growth::kWaits;
                           }));
  const auto before = asked.use_count();
  Client client(listener.port());
  client.send(kStreamGet);

  EXPECT_EQ(client.read_response().ending, Ending::kCut);
  EXPECT_TRUE(eventually([&] { return asked.use_count() == before; })) << asked.use_count();
  EXPECT_EQ(listener.counter("streams"), 0U);
  EXPECT_EQ(status_of_fresh_request(listener.port()), 200);
}

TEST(Streams, end_whole_and_at_once_when_the_server_goes_down) {
  RunningListener listener({}, streaming([](std::string& bytes) {
                             bytes = "part";
                             return Growth::kWaits;
                           }));
  std::vector<std::unique_ptr<Client>> clients;
  for (int at = 0; at < 50; ++at) {
    clients.push_back(std::make_unique<Client>(listener.port()));
    clients.back()->send(kStreamGet);
  }
  ASSERT_TRUE(eventually([&] { return listener.counter("streams") == 50; }));

  const auto began = std::chrono::steady_clock::now();
  listener.listener().stop();

  for (const auto& client : clients) {
    EXPECT_EQ(client->read_response().ending, Ending::kComplete);
    client->close();
  }
  listener.wait_for_end();
  EXPECT_LT(std::chrono::steady_clock::now() - began, ListenerOptions().limits.drain / 2);
}

TEST(Streams, of_a_client_that_does_not_read_do_not_hold_up_the_end_of_the_server) {
  std::atomic<int> asked{0};
  RunningListener listener({}, streaming([&asked](std::string& bytes) {
                             ++asked;
                             return much(bytes);
                           }));
  Client client(listener.port());
  client.send(kStreamGet);
  // It is stuck when it is not asked any more, though it has more each 20 ms.
  int before = -1;
  ASSERT_TRUE(eventually([&] {
    std::this_thread::sleep_for(Wait(200));
    return std::exchange(before, asked.load()) == before;
  }));

  const auto began = std::chrono::steady_clock::now();
  listener.listener().stop();
  listener.wait_for_end();

  EXPECT_LT(std::chrono::steady_clock::now() - began, ListenerOptions().limits.drain / 2);
}

}  // namespace mock_server::transport
