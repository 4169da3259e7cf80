// Responses that are held until something else is done.

#include "mock_server/transport/tests/support/client.hpp"
#include "mock_server/transport/tests/support/eventually.hpp"
#include "mock_server/transport/tests/support/running_listener.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace mock_server::transport {
namespace {

using testing::Client;
using testing::eventually;
using testing::RunningListener;
using testing::status_of_fresh_request;

constexpr std::string_view kHeldGet = "GET /held HTTP/1.1\r\nHost: a\r\n\r\n";

class HeldGate final : public reply::PendingWrite {
 public:
  bool is_done() const override {
    const std::lock_guard lock(mutex_);
    return is_done_;
  }

  void on_done(std::function<void()> wake) override {
    const std::lock_guard lock(mutex_);
    wake_ = std::move(wake);
  }

  std::optional<spec::http::Response> instead() const override { return instead_; }

  bool is_waited_for() const {
    const std::lock_guard lock(mutex_);
    return wake_ != nullptr;
  }

  void open(std::optional<spec::http::Response> instead = std::nullopt) {
    const std::lock_guard lock(mutex_);
    instead_ = std::move(instead);
    is_done_ = true;
    if (wake_) {
      wake_();
    }
  }

 private:
  mutable std::mutex mutex_;
  bool is_done_ = false;
  std::function<void()> wake_;
  std::optional<spec::http::Response> instead_;
};

// Whoever asks for /held waits at the gate.
reply::Handler gated(std::shared_ptr<HeldGate> gate) {
  return [gate = std::move(gate), usual = testing::handler()](const spec::http::Request& request,
                                                              const reply::Peer& peer) {
    reply::Reply reply = usual(request, peer);
    if (request.target == "/held") {
      reply.pending_write = gate;
    }
    return reply;
  };
}

TEST(HeldResponse, is_sent_when_it_is_done_and_nobody_else_waits) {
  const auto gate = std::make_shared<HeldGate>();
  RunningListener server({}, gated(gate));
  Client client(server.port());
  client.send(kHeldGet);
  ASSERT_TRUE(eventually([&] { return gate->is_waited_for(); }));
  EXPECT_EQ(status_of_fresh_request(server.port()), 200);

  gate->open();

  EXPECT_EQ(client.read_response().response.status, 200);
}

TEST(HeldResponse, is_replaced_when_it_could_not_be_done) {
  const auto gate = std::make_shared<HeldGate>();
  RunningListener server({}, gated(gate));
  Client client(server.port());
  client.send(kHeldGet);
  ASSERT_TRUE(eventually([&] { return gate->is_waited_for(); }));
  spec::http::Response instead;
  instead.status = 503;

  gate->open(instead);

  EXPECT_EQ(client.read_response().response.status, 503);
}

TEST(HeldResponse, does_not_wait_for_what_is_done) {
  const auto gate = std::make_shared<HeldGate>();
  gate->open();
  RunningListener server({}, gated(gate));
  Client client(server.port());
  client.send(kHeldGet);

  EXPECT_EQ(client.read_response().response.status, 200);
  EXPECT_FALSE(gate->is_waited_for());
}

TEST(HeldResponse, finds_nothing_when_the_client_is_gone) {
  const auto gate = std::make_shared<HeldGate>();
  RunningListener server({}, gated(gate));
  {
    Client client(server.port());
    client.send(kHeldGet);
    ASSERT_TRUE(eventually([&] { return gate->is_waited_for(); }));
  }

  gate->open();

  EXPECT_EQ(status_of_fresh_request(server.port()), 200);
}

}  // namespace
}  // namespace mock_server::transport
