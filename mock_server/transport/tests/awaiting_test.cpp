// Requests for which another server was asked: no thread waits for them, and a worker goes on where
// the handler may take long.

#include "mock_server/transport/tests/support/client.hpp"
#include "mock_server/transport/tests/support/eventually.hpp"
#include "mock_server/transport/tests/support/running_listener.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <chrono>
#include <memory>
#include <mutex>
#include <pthread.h>
#include <string>
#include <string_view>
#include <sys/socket.h>
#include <unistd.h>
#include <utility>
#include <vector>

namespace mock_server::transport {
namespace {

using testing::Client;
using testing::eventually;
using testing::RunningListener;
using testing::status_of_fresh_request;
using testing::Wait;

constexpr std::string_view kAwaitedGet = "GET /awaited HTTP/1.1\r\nHost: a\r\n\r\n";
constexpr std::string_view kAwaitedPost =
    "POST /awaited HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n";
constexpr std::string_view kAskedGet = "GET /asked HTTP/1.1\r\nHost: a\r\n\r\n";
constexpr char kMore = 'm';
constexpr char kReady = 'r';
constexpr char kThread = 't';
constexpr char kLarge = 'l';
constexpr std::size_t kLargeBytes = 1'000'000;

// The other server is the far end of a socket, and sends one of the letters above.
class AskedServer final : public reply::PendingResponse {
 public:
  AskedServer(int descriptor, std::chrono::steady_clock::time_point due)
      : descriptor_(descriptor), due_(due) {}

  ~AskedServer() override { close(descriptor_); }

  AskedServer(const AskedServer&) = delete;
  AskedServer& operator=(const AskedServer&) = delete;
  AskedServer(AskedServer&&) = delete;
  AskedServer& operator=(AskedServer&&) = delete;

  int descriptor() const override { return descriptor_; }

  State read() override {
    char letter = kMore;
    if (recv(descriptor_, &letter, 1, MSG_DONTWAIT) != 1) {
      return State::kWaits;
    }
    held_ += letter == kLarge ? kLargeBytes : 0;
    return letter == kReady    ? State::kReady
           : letter == kThread ? State::kNeedsThread
                               : State::kWaits;
  }

  std::chrono::steady_clock::time_point due() const override { return due_; }

  std::size_t held_bytes() const override { return held_; }

  bool keep_no_more() override { return true; }

 private:
  int descriptor_;
  std::size_t held_ = 0;
  std::chrono::steady_clock::time_point due_;
};

bool is_on_worker() {
  std::array<char, 16> name{};
  pthread_getname_np(pthread_self(), name.data(), name.size());
  return std::string_view(name.data()) == "http-worker";
}

class Awaiting : public ::testing::Test {
 protected:
  ~Awaiting() override {
    for (const int far : far_ends_) {
      close(far);
    }
  }

  ListenerOptions options() {
    ListenerOptions options;
    options.blocking_threads = 1;
    options.blocking_waiting = 1;
    options.limits.handler = limit_;
    options.limits.memory_bytes = memory_;
    options.begin = [this](const auto& request, bool may_await) {
      return request.target.starts_with("/awaited") && may_await
                 ? reply::RequestNeeds{.may_block = true, .pending_response = ask()}
                 : reply::RequestNeeds{.may_block = request.target == "/asked"};
    };
    return options;
  }

  std::shared_ptr<reply::PendingResponse> ask() {
    std::array<int, 2> ends{};
    EXPECT_EQ(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()), 0);
    const std::lock_guard lock(mutex_);
    far_ends_.push_back(ends[1]);
    return std::make_shared<AskedServer>(ends[0], std::chrono::steady_clock::now() + patience_);
  }

  reply::Reply handle(const spec::http::Request& request, const reply::Peer& peer) {
    if (request.target.ends_with("?hard") && !peer.on_worker) {
      reply::Reply reply;
      reply.needs_worker = true;
      return reply;
    }
    if (request.target == "/asked" && peer.pending_response == nullptr) {
      EXPECT_TRUE(peer.on_worker);
      reply::Reply reply;
      reply.pending_response = ask();
      return reply;
    }
    const bool is_awaited = request.target.starts_with("/awaited") || request.target == "/asked";
    if (is_awaited || request.target.ends_with("?hard")) {
      ++(is_on_worker() ? on_workers_ : on_loops_);
      EXPECT_EQ(peer.pending_response != nullptr, is_awaited);
    }
    return {{200, "", {}, request.target}, {}};
  }

  std::size_t asked() {
    const std::lock_guard lock(mutex_);
    return far_ends_.size();
  }

  void tell(std::size_t at, char letter) {
    ASSERT_TRUE(eventually([&] { return asked() > at; }));
    const std::lock_guard lock(mutex_);
    ASSERT_EQ(send(far_ends_[at], &letter, 1, MSG_NOSIGNAL), 1);
  }

  RunningListener& listener() {
    if (!listener_) {
      listener_ = std::make_unique<RunningListener>(
          options(),
          [this](const auto& request, const auto& peer) { return handle(request, peer); });
    }
    return *listener_;
  }

  // The far end: true when the near one was closed.
  bool is_let_go(std::size_t at) {
    char letter = 0;
    const std::lock_guard lock(mutex_);
    return recv(far_ends_[at], &letter, 1, MSG_DONTWAIT) == 0;
  }

  std::chrono::milliseconds patience_{60'000};
  std::size_t memory_ = 512U * 1024 * 1024;
  std::chrono::milliseconds limit_{60'000};
  std::atomic<int> on_loops_{0};
  std::atomic<int> on_workers_{0};

 private:
  std::mutex mutex_;
  std::vector<int> far_ends_;
  std::unique_ptr<RunningListener> listener_;
};

TEST_F(Awaiting, many_requests_need_no_thread_and_others_are_served) {
  constexpr std::size_t kClients = 100;
  std::vector<Client> waiting;
  for (std::size_t at = 0; at < kClients; ++at) {
    waiting.emplace_back(listener().port());
    waiting.back().send(kAwaitedGet);
  }
  ASSERT_TRUE(eventually([&] { return asked() == kClients; }));
  EXPECT_EQ(status_of_fresh_request(listener().port()), 200);
  EXPECT_EQ(on_loops_, 0);

  for (std::size_t at = 0; at < kClients; ++at) {
    tell(at, kMore);
    tell(at, kReady);
  }

  for (Client& client : waiting) {
    EXPECT_EQ(client.read_response().response.body, "/awaited");
  }
  EXPECT_EQ(on_loops_, static_cast<int>(kClients));
  EXPECT_EQ(on_workers_, 0);
}

TEST_F(Awaiting, responses_keep_the_order_of_requests) {
  Client client(listener().port());
  client.send(std::string(kAwaitedGet) + "GET /second HTTP/1.1\r\nHost: a\r\n\r\n");

  tell(0, kReady);

  EXPECT_EQ(client.read_response().response.body, "/awaited");
  EXPECT_EQ(client.read_response().response.body, "/second");
}

TEST_F(Awaiting, a_worker_goes_on_where_the_handler_may_take_long) {
  Client client(listener().port());
  client.send(kAwaitedGet);

  tell(0, kThread);

  EXPECT_EQ(client.read_response().head.status, 200);
  EXPECT_EQ(on_workers_, 1);
}

TEST_F(Awaiting, a_worker_does_what_takes_too_long_for_a_loop) {
  for (const std::string target : {"/awaited?hard", "/?hard"}) {
    Client client(listener().port());
    client.send("GET " + target + " HTTP/1.1\r\nHost: a\r\n\r\n");
    if (target.starts_with("/awaited")) {
      tell(0, kReady);
    }
    EXPECT_EQ(client.read_response().response.body, target);
  }
  EXPECT_EQ(on_loops_, 0);
  EXPECT_EQ(on_workers_, 2);
}

TEST_F(Awaiting, a_worker_goes_on_where_nothing_came_in_time) {
  patience_ = std::chrono::milliseconds(20);
  Client client(listener().port());
  client.send(kAwaitedGet);

  EXPECT_EQ(client.read_response().head.status, 200);
  EXPECT_EQ(on_workers_, 1);
}

TEST_F(Awaiting, the_handlers_limit_holds_and_the_handler_is_still_asked) {
  limit_ = std::chrono::milliseconds(20);
  Client client(listener().port());
  client.send(kAwaitedGet);

  EXPECT_EQ(client.read_response().head.status, 503);
  EXPECT_TRUE(eventually([&] { return on_workers_ == 1; }));
}

TEST_F(Awaiting, no_thread_waits_where_a_worker_asked) {
  constexpr std::size_t kClients = 100;
  std::vector<Client> waiting;
  for (std::size_t at = 0; at < kClients; ++at) {
    waiting.emplace_back(listener().port());
    waiting.back().send(kAskedGet);
    ASSERT_TRUE(eventually([&] { return asked() == at + 1; }));
  }
  Client last(listener().port());
  last.send(kAskedGet);
  tell(kClients, kReady);

  EXPECT_EQ(last.read_response().response.body, "/asked");
  EXPECT_EQ(on_loops_, 1);
  for (std::size_t at = 0; at < kClients; ++at) {
    tell(at, kReady);
  }
  for (Client& client : waiting) {
    EXPECT_EQ(client.read_response().response.body, "/asked");
  }
  EXPECT_EQ(on_workers_, 0);
}

TEST_F(Awaiting, a_worker_goes_on_where_it_asked_for_a_long_request) {
  const std::string body(20'000, 'b');
  Client client(listener().port());
  client.send("POST /asked HTTP/1.1\r\nHost: a\r\nContent-Length: 20000\r\n\r\n" + body);

  tell(0, kReady);

  EXPECT_EQ(client.read_response().response.body, "/asked");
  EXPECT_EQ(on_workers_, 1);
}

TEST_F(Awaiting, a_request_that_may_change_something_outlives_its_client) {
  Client client(listener().port());
  client.send(kAwaitedPost);
  ASSERT_TRUE(eventually([&] { return asked() == 1; }));

  client.reset();
  ASSERT_TRUE(eventually([&] { return listener().counter("aborted") == 1; }));
  EXPECT_FALSE(is_let_go(0));
  tell(0, kReady);

  EXPECT_TRUE(eventually([&] { return on_loops_ == 1; }));
  EXPECT_TRUE(eventually([&] { return listener().counter("open") == 0; }));
}

TEST_F(Awaiting, a_safe_request_ends_with_its_client) {
  for (const std::string_view request : {kAwaitedGet, kAskedGet}) {
    for (const bool by_reset : {true, false}) {
      const std::size_t at = asked();
      Client client(listener().port());
      client.send(request);
      ASSERT_TRUE(eventually([&] { return asked() == at + 1; }));

      by_reset ? client.reset() : client.close();

      EXPECT_TRUE(eventually([&] { return is_let_go(at); })) << request;
      EXPECT_TRUE(eventually([&] { return listener().counter("open") == 0; }));
    }
  }
  EXPECT_EQ(on_loops_ + on_workers_, 0);
}

TEST_F(Awaiting, a_client_that_only_says_its_end_gets_its_response) {
  Client client(listener().port());
  client.send(kAwaitedGet);
  ASSERT_TRUE(eventually([&] { return asked() == 1; }));

  client.end_writing();
  const std::string interim = client.read(Wait(60'000));
  tell(0, kReady);

  EXPECT_EQ(interim, "HTTP/1.1 102 Processing\r\n\r\n");
  EXPECT_EQ(client.read_response().response.body, "/awaited");
}

TEST_F(Awaiting, no_more_is_kept_than_half_of_the_memory) {
  memory_ = 2 * kLargeBytes - 1;
  Client client(listener().port());
  client.send(kAwaitedGet);

  tell(0, kLarge);

  EXPECT_EQ(client.read_response().head.status, 200);
  EXPECT_EQ(on_workers_, 1);
}

TEST_F(Awaiting, a_short_request_is_served_by_a_worker_when_no_memory_is_left) {
  memory_ = 0;
  Client client(listener().port());
  client.send("GET /x?hard HTTP/1.1\r\nHost: a\r\n\r\n");

  EXPECT_EQ(client.read_response().head.status, 200);
  EXPECT_EQ(on_workers_, 1);
}

TEST_F(Awaiting, a_server_that_goes_down_still_responds) {
  Client client(listener().port());
  client.send(kAwaitedGet);
  ASSERT_TRUE(eventually([&] { return asked() == 1; }));

  listener().listener().stop();
  tell(0, kReady);

  EXPECT_EQ(client.read_response().head.status, 200);
  listener().wait_for_end();
}

}  // namespace
}  // namespace mock_server::transport
