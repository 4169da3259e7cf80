#pragma once

// Servers between a test and Redis, or instead of it.

#include <chrono>
#include <string>
#include <thread>
#include <vector>

namespace mock_server::program::testing {

// Passes bytes on to a port of this machine, and back after a while.
class SlowProxy {
 public:
  SlowProxy(int port, std::chrono::milliseconds delay);
  SlowProxy(const SlowProxy&) = delete;
  SlowProxy& operator=(const SlowProxy&) = delete;
  ~SlowProxy();

  int port() const { return own_port_; }

 private:
  void accept(const std::stop_token& stop);
  void pass(const std::stop_token& stop, int client) const;

  int target_;
  std::chrono::milliseconds delay_;
  int listener_;
  int own_port_;
  std::vector<std::jthread> connections_;  // the acceptor's
  std::jthread acceptor_;
};

// Says to whoever asks that it is Redis 5.0.14.
class OldRedis {
 public:
  OldRedis();
  OldRedis(const OldRedis&) = delete;
  OldRedis& operator=(const OldRedis&) = delete;
  ~OldRedis();

  int port() const { return port_; }

 private:
  int listener_;
  int port_;
  std::jthread thread_;
};

}  // namespace mock_server::program::testing
