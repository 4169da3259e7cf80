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
constexpr char kMore = 'm';
constexpr char kReady = 'r';
constexpr char kThread = 't';

// The other server is the far end of a socket, and sends one of the letters above.
class AskedServer final : public reply::Awaited {
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
    return letter == kReady    ? State::kReady
           : letter == kThread ? State::kNeedsThread
                               : State::kWaits;
  }

  std::chrono::steady_clock::time_point due() const override { return due_; }

 private:
  int descriptor_;
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
    options.begin = [this](const auto& request, bool may_await) {
      return request.target == "/awaited" && may_await
                 ? reply::Beginning{.may_block = true, .awaited = ask()}
                 : reply::Beginning{};
    };
    return options;
  }

  std::shared_ptr<reply::Awaited> ask() {
    std::array<int, 2> ends{};
    EXPECT_EQ(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()), 0);
    const std::lock_guard lock(mutex_);
    far_ends_.push_back(ends[1]);
    return std::make_shared<AskedServer>(ends[0], std::chrono::steady_clock::now() + patience_);
  }

  reply::Reply handle(const spec::http::Request& request, const reply::Peer& peer) {
    if (request.target == "/awaited") {
      ++(is_on_worker() ? on_workers_ : on_loops_);
      EXPECT_NE(peer.awaited, nullptr);
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

  std::chrono::milliseconds patience_{60'000};
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
    EXPECT_EQ(client.answer().response.body, "/awaited");
  }
  EXPECT_EQ(on_loops_, static_cast<int>(kClients));
  EXPECT_EQ(on_workers_, 0);
}

TEST_F(Awaiting, responses_keep_the_order_of_requests) {
  Client client(listener().port());
  client.send(std::string(kAwaitedGet) + "GET /second HTTP/1.1\r\nHost: a\r\n\r\n");

  tell(0, kReady);

  EXPECT_EQ(client.answer().response.body, "/awaited");
  EXPECT_EQ(client.answer().response.body, "/second");
}

TEST_F(Awaiting, a_worker_goes_on_where_the_handler_may_take_long) {
  Client client(listener().port());
  client.send(kAwaitedGet);

  tell(0, kThread);

  EXPECT_EQ(client.answer().head.status, 200);
  EXPECT_EQ(on_workers_, 1);
}

TEST_F(Awaiting, a_worker_goes_on_where_nothing_came_in_time) {
  patience_ = std::chrono::milliseconds(20);
  Client client(listener().port());
  client.send(kAwaitedGet);

  EXPECT_EQ(client.answer().head.status, 200);
  EXPECT_EQ(on_workers_, 1);
}

TEST_F(Awaiting, the_handlers_limit_holds_and_the_handler_is_still_asked) {
  limit_ = std::chrono::milliseconds(20);
  Client client(listener().port());
  client.send(kAwaitedGet);

  EXPECT_EQ(client.answer().head.status, 503);
  EXPECT_TRUE(eventually([&] { return on_workers_ == 1; }));
}

TEST_F(Awaiting, the_handler_is_asked_although_the_client_has_left) {
  Client client(listener().port());
  client.send(kAwaitedGet);
  ASSERT_TRUE(eventually([&] { return asked() == 1; }));

  client.reset();

  EXPECT_TRUE(eventually([&] { return on_workers_ == 1; }));
}

TEST_F(Awaiting, a_server_that_goes_down_still_responds) {
  Client client(listener().port());
  client.send(kAwaitedGet);
  ASSERT_TRUE(eventually([&] { return asked() == 1; }));

  listener().listener().stop();
  tell(0, kReady);

  EXPECT_EQ(client.answer().head.status, 200);
  listener().wait_for_end();
}

}  // namespace
}  // namespace mock_server::transport
