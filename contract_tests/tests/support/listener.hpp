#pragma once

// A socket on loopback that hands each connection to a function, each on a thread of its own. For
// servers in tests: their waits end when `stopping()` becomes true.

#include <atomic>
#include <cstddef>
#include <functional>
#include <thread>
#include <vector>

namespace contract_tests::support {

class Listener {
 public:
  // `serve` owns the socket that it is given. Throws std::system_error when there is no port.
  explicit Listener(std::function<void(int socket)> serve);
  ~Listener();
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;

  int port() const { return port_; }

  const std::atomic<bool>& stopping() const { return stopping_; }

  // The number of connections so far.
  std::size_t connections() const { return count_; }

 private:
  void accept_all();

  std::function<void(int)> serve_;
  int listener_ = -1;
  int port_ = 0;
  std::atomic<bool> stopping_ = false;
  std::atomic<std::size_t> count_ = 0;
  std::vector<std::jthread> connections_;
  std::jthread acceptor_;
};

// Waits for one of `events` on `socket`; false when `stopping` comes first.
bool wait_for(int socket, short events, const std::atomic<bool>& stopping);

}  // namespace contract_tests::support
