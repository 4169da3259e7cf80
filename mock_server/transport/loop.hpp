#pragma once

// One event loop on one thread: waits for the sockets, the clock and its inbox, and moves the
// connections it owns. The acceptor gives it connections; it makes room among the idle ones when
// there are too many.

#include "mock_server/service/reply.hpp"
#include "mock_server/transport/connection.hpp"
#include "mock_server/transport/counters.hpp"
#include "mock_server/transport/loop_context.hpp"

#include <openssl/types.h>

#include <atomic>
#include <cstddef>
#include <list>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace mock_server::transport {

// A connection on its way from the acceptor to a loop.
struct Arrival {
  int descriptor = -1;
  SSL* tls = nullptr;
  service::Peer peer;
};

class Loop {
 public:
  // `shared` must outlive the loop. Throws std::system_error without descriptors.
  Loop(Shared& shared, std::size_t max_connections);
  // Ends what is left and waits for the thread.
  ~Loop();
  Loop(const Loop&) = delete;
  Loop& operator=(const Loop&) = delete;

  void start();

  // Safe from any thread from here on. Throws std::bad_alloc, and then `arrival` is the caller's.
  void adopt(const Arrival& arrival);
  // Closes what is idle, lets what is busy finish, then ends.
  void drain();
  // Closes everything and ends.
  void end();
  // Waits for the thread, which drain() or end() told to end.
  void join();

  bool has_ended() const { return ended_.load(std::memory_order_acquire); }

  const Counters& counters() const { return context_.counters; }

  // Connections that it has or will have.
  std::size_t load() const { return load_.load(std::memory_order_relaxed); }

 private:
  void run();
  int wait_milliseconds() const;
  void wait_for_events();
  void handle_inbox();
  void take_back(std::list<Outcome> outcomes);
  void admit(Arrival& arrival);
  void take_over(Arrival& arrival);
  template <typename Move>
  void move(Connection& connection, Move step);
  void note_closed(Connection& connection);
  void make_room();
  void handle_timers();
  void handle_turns();
  void handle_orders();
  void bury();
  void wake() const;

  LoopContext context_;
  std::size_t max_connections_;
  int epoll_ = -1;
  int wake_ = -1;
  std::vector<std::unique_ptr<Connection>> connections_;
  std::vector<Connection*> closed_;
  std::mutex mutex_;
  std::vector<Arrival> arrivals_;  // guarded by mutex_, as
  std::list<Outcome> outcomes_;
  std::atomic<std::size_t> load_{0};
  std::atomic<bool> drain_ordered_{false};
  std::atomic<bool> end_ordered_{false};
  std::atomic<bool> ended_{false};
  std::jthread thread_;
};

}  // namespace mock_server::transport
