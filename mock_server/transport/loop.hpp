#pragma once

// One event loop on one thread: waits for the sockets, the clock and its inbox, and moves the
// connections it owns. The acceptor gives it connections; it makes room among the idle ones when
// there are too many. A connection is in its table until the move that closes it; everything else,
// the socket's events, deadlines, turns and what workers hand back, names it by its number.

#include "mock_server/reply/reply.hpp"
#include "mock_server/transport/client_connection.hpp"
#include "mock_server/transport/loop_context.hpp"
#include "spec/non_copyable.hpp"

#include <atomic>
#include <cstddef>
#include <list>
#include <mutex>
#include <set>
#include <thread>
#include <unordered_map>
#include <utility>
#include <vector>

namespace mock_server::transport {

// A connection on its way from the acceptor to a loop.
struct Arrival {
  Channel channel;
  reply::Peer peer;
};

class Loop : spec::NonCopyable {
 public:
  // `shared` must outlive the loop. Throws std::system_error without descriptors.
  Loop(ListenerContext& shared, std::size_t max_connections);
  // Ends what is left and waits for the thread.
  ~Loop();

  void start();

  // Safe from any thread from here on. Throws std::bad_alloc, and then the connection is closed.
  void adopt(Arrival arrival);
  // Closes what is idle, lets what is busy finish, then ends.
  void drain();
  // Closes everything and ends.
  void end();
  // Waits for the thread, which ends after drain() or end().
  void join();

  bool has_ended() const { return ended_.load(std::memory_order_acquire); }

  const Counters& counters() const { return context_.counters; }

  // Connections that it has or will have.
  std::size_t load() const { return load_.load(std::memory_order_relaxed); }

  // True if a new connection ends no other.
  bool has_room() const { return load() < max_connections_; }

 private:
  struct OpenConnection {
    OpenConnection(LoopContext& context, ConnectionId id, Arrival&& arrival)
        : connection(context, id, std::move(arrival.channel), std::move(arrival.peer)),
          armed(context.now) {}

    Connection connection;
    Time armed;  // its place among the deadlines: never later than the connection's due()
  };

  void run();
  int wait_milliseconds() const;
  void wait_for_events();
  void handle_inbox();
  void take_back(std::list<WorkResult> results);
  void admit(Arrival& arrival);
  void take_over(Arrival& arrival);
  template <typename Step>
  void move(ConnectionId id, Step step);
  template <typename Step>
  void move_and_send(ConnectionId id, Step step);
  void rearm(ConnectionId id, OpenConnection& open);
  void make_room();
  void handle_timers();
  void handle_turns();
  void handle_orders();
  void send_responses();
  void wake() const;

  LoopContext context_;
  std::size_t max_connections_;
  int wake_ = -1;
  std::unordered_map<ConnectionId, OpenConnection> connections_;
  std::set<std::pair<Time, ConnectionId>> deadlines_;  // one of each connection
  ConnectionId last_id_ = 0;
  std::size_t moved_ = 0;  // since what they had to send was sent
  std::mutex mutex_;
  std::vector<Arrival> arrivals_;  // guarded by mutex_, as
  std::list<WorkResult> results_;
  std::atomic<std::size_t> load_{0};
  std::atomic<bool> drain_ordered_{false};
  std::atomic<bool> end_ordered_{false};
  std::atomic<bool> ended_{false};
  std::jthread thread_;
};

}  // namespace mock_server::transport
