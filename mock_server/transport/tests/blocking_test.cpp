// Requests that may wait for another server: nobody else waits for them, and there is a bound.

#include "mock_server/transport/tests/support/client.hpp"
#include "mock_server/transport/tests/support/eventually.hpp"
#include "mock_server/transport/tests/support/running_listener.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <string>
#include <vector>

namespace mock_server::transport {

namespace {

using testing::Client;
using testing::RunningListener;
using testing::Wait;

// "/blocks" waits until release() is called.
class Blocking : public ::testing::Test {
 protected:
  static constexpr std::size_t kThreads = 4;
  static constexpr std::size_t kWaiting = 8;

  ~Blocking() override { release(); }

  void release() {
    released_.store(true);
    released_.notify_all();
  }

  ListenerOptions options() {
    ListenerOptions options;
    options.begin = [](const auto& request, bool /*may_await*/) {
      return reply::RequestNeeds{.may_block = request.target == "/blocks"};
    };
    options.blocking_threads = kThreads;
    options.blocking_waiting = kWaiting;
    return options;
  }

  reply::Reply handle(const spec::http::Request& request) {
    if (request.target == "/blocks") {
      released_.wait(false);
    }
    return {{200, "", {}, "done"}, {}};
  }

  std::atomic<bool> released_{false};
  RunningListener listener_{options(),
                            [this](const auto& request, const auto&) { return handle(request); }};
};

}  // namespace

TEST_F(Blocking, requests_beyond_threads_and_queue_get_503_and_others_are_served) {
  std::vector<std::unique_ptr<Client>> waiting;
  for (std::size_t at = 0; at < kThreads + kWaiting + 20; ++at) {
    waiting.push_back(std::make_unique<Client>(listener_.port()));
    waiting.back()->send("GET /blocks HTTP/1.1\r\nHost: a\r\n\r\n");
  }
  EXPECT_EQ(testing::status_of_fresh_request(listener_.port()), 200);
  EXPECT_TRUE(testing::eventually([this] { return listener_.counter("rejected") == 20; }));

  release();
  std::vector<int> statuses;
  for (const auto& client : waiting) {
    statuses.push_back(client->read_response("GET", Wait(20'000)).head.status);
  }

  EXPECT_EQ(std::ranges::count(statuses, 200), kThreads + kWaiting);
  EXPECT_EQ(std::ranges::count(statuses, 503), 20);
}

}  // namespace mock_server::transport
