#include "mock_server/transport/loop.hpp"

#include <openssl/ssl.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <new>
#include <pthread.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace mock_server::transport {

namespace {

constexpr std::size_t kMaxEvents = 256;
constexpr std::size_t kRoomShare = 64;          // one in so many connections goes to make room
constexpr std::size_t kTurnedAwayAtOnce = 256;  // so many may be told that there is no room

spec::http::RequestLimits request_limits(const Limits& limits) {
  spec::http::RequestLimits parsed;
  parsed.request_line_bytes = limits.request_line_bytes;
  parsed.field_line_bytes = limits.field_line_bytes;
  parsed.field_section_bytes = limits.field_section_bytes;
  parsed.field_count = limits.field_count;
  parsed.body_bytes = limits.body_bytes;
  parsed.chunk_extension_bytes = limits.chunk_extension_bytes;
  parsed.trailer_bytes = limits.trailer_bytes;
  return parsed;
}

// Room for `count` elements, growing as push_back would.
template <typename List>
void make_place(List& list, std::size_t count) {
  if (list.capacity() < count) {
    list.reserve(2 * count);
  }
}

void discard(const Arrival& arrival) {
  if (arrival.tls != nullptr) {
    SSL_free(arrival.tls);
  }
  close(arrival.descriptor);
}

}  // namespace

LoopContext::LoopContext(Shared& shared_in)
    : shared(shared_in),
      limits(shared_in.limits),
      request_limits(transport::request_limits(limits)),
      exchanges(request_limits),
      buffer(limits.unread_bytes) {}

Loop::Loop(Shared& shared, std::size_t max_connections)
    : context_(shared), max_connections_(max_connections) {
  context_.hand_back = [this](std::list<Outcome> outcomes) { take_back(std::move(outcomes)); };
  epoll_ = epoll_create1(EPOLL_CLOEXEC);
  wake_ = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
  epoll_event event{};
  event.events = EPOLLIN;
  event.data.ptr = nullptr;
  if (epoll_ < 0 || wake_ < 0 || epoll_ctl(epoll_, EPOLL_CTL_ADD, wake_, &event) != 0) {
    const int error = errno;
    close(epoll_);
    close(wake_);
    throw std::system_error(error, std::generic_category(), "event loop");
  }
}

Loop::~Loop() {
  end();
  join();
  for (const Arrival& arrival : arrivals_) {
    discard(arrival);
  }
  close(epoll_);
  close(wake_);
}

void Loop::start() {
  thread_ = std::jthread([this] {
    pthread_setname_np(pthread_self(), "http-loop");
    run();
  });
}

void Loop::adopt(const Arrival& arrival) {
  {
    const std::lock_guard lock(mutex_);
    arrivals_.push_back(arrival);
  }
  load_.fetch_add(1, std::memory_order_relaxed);
  wake();
}

void Loop::take_back(std::list<Outcome> outcomes) {
  {
    const std::lock_guard lock(mutex_);
    outcomes_.splice(outcomes_.end(), outcomes);
  }
  wake();
}

// Lets the connection move. What it cannot get memory for ends it, and nothing else: with a 503 if
// there is memory for that.
template <typename Move>
void Loop::move(Connection& connection, Move step) {
  try {
    try {
      step(connection);
    } catch (const std::bad_alloc&) {
      connection.on_no_memory();
    }
  } catch (const std::bad_alloc&) {
    connection.abandon();
  }
  if (connection.is_closed()) {
    note_closed(connection);
  }
}

// One round may find out twice that a connection is closed: by its socket, and when the worker that
// had its request hands that back.
void Loop::note_closed(Connection& connection) {
  if (!connection.waits_for_burial) {
    connection.waits_for_burial = true;
    closed_.push_back(&connection);
  }
}

void Loop::drain() {
  drain_ordered_.store(true);
  wake();
}

void Loop::end() {
  end_ordered_.store(true);
  wake();
}

void Loop::join() {
  if (thread_.joinable()) {
    thread_.join();
  }
}

void Loop::wake() const {
  const std::uint64_t one = 1;
  // Fails only when the counter is full, and then the loop is awake anyway.
  [[maybe_unused]] const ssize_t written = write(wake_, &one, sizeof one);
}

void Loop::run() {
  // Signals are the main thread's.
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, nullptr);
  while (!end_ordered_.load()) {
    wait_for_events();
    handle_inbox();
    handle_timers();
    handle_turns();
    handle_orders();
    bury();
    if (context_.draining && connections_.empty()) {
      break;
    }
  }
  for (const auto& connection : connections_) {
    connection->abandon();
  }
  connections_.clear();
  ended_.store(true, std::memory_order_release);
}

int Loop::wait_milliseconds() const {
  if (!context_.turns.empty()) {
    return 0;
  }
  const TimerNode* next = context_.timers.earliest();
  if (next == nullptr) {
    return -1;
  }
  const auto left = std::chrono::ceil<Milliseconds>(next->due() - SteadyClock::now()).count();
  return static_cast<int>(std::clamp<Milliseconds::rep>(left, 0, 60'000));
}

void Loop::wait_for_events() {
  std::array<epoll_event, kMaxEvents> events;
  const int count =
      epoll_wait(epoll_, events.data(), static_cast<int>(events.size()), wait_milliseconds());
  context_.now = SteadyClock::now();
  for (int at = 0; at < count; ++at) {
    const epoll_event& event = events.at(static_cast<std::size_t>(at));
    auto* connection = static_cast<Connection*>(event.data.ptr);
    if (connection == nullptr) {
      std::uint64_t wakes = 0;
      [[maybe_unused]] const ssize_t taken = read(wake_, &wakes, sizeof wakes);
    } else if (!connection->is_closed()) {
      move(*connection, [&](Connection& it) { it.on_events(event.events); });
    }
  }
}

void Loop::handle_inbox() {
  std::vector<Arrival> arrivals;
  std::list<Outcome> outcomes;
  {
    const std::lock_guard lock(mutex_);
    arrivals.swap(arrivals_);
    outcomes.swap(outcomes_);
  }
  if (arrivals.empty() && outcomes.empty()) {
    return;
  }
  // The events of this round may have taken long: no deadline may begin before that.
  context_.now = SteadyClock::now();
  for (Outcome& outcome : outcomes) {
    Connection& connection = *outcome.connection;
    connection.waits_for_worker = false;
    if (connection.is_closed()) {
      note_closed(connection);
    } else {
      move(connection, [&](Connection& it) { it.on_outcome(std::move(outcome)); });
    }
  }
  for (Arrival& arrival : arrivals) {
    admit(arrival);
  }
}

// Takes the connection in, or ends it: when the server goes down, and when there is no room or no
// memory for it.
void Loop::admit(Arrival& arrival) {
  try {
    take_over(arrival);
  } catch (const std::bad_alloc&) {
    context_.counters.shed.add();
    load_.fetch_sub(1, std::memory_order_relaxed);
    discard(arrival);
  }
}

// Throws std::bad_alloc before anything has changed. What a connection needs in the loop's lists it
// has from here on, so that it can always be ended.
void Loop::take_over(Arrival& arrival) {
  if (connections_.size() >= max_connections_) {
    make_room();
  }
  const std::size_t count = connections_.size() + 1;
  make_place(connections_, count);
  make_place(closed_, count);
  context_.timers.make_place(count);
  if (context_.draining || connections_.size() >= max_connections_ + kTurnedAwayAtOnce) {
    context_.counters.shed.add();
    load_.fetch_sub(1, std::memory_order_relaxed);
    discard(arrival);
    return;
  }
  const bool is_full = connections_.size() >= max_connections_;
  auto owned = std::make_unique<Connection>(context_, arrival.descriptor, arrival.tls,
                                            std::move(arrival.peer));
  Connection* connection = owned.get();
  connection->place = connections_.size();
  connections_.push_back(std::move(owned));
  epoll_event event{};
  event.events = EPOLLIN | EPOLLOUT | EPOLLPRI | EPOLLRDHUP | EPOLLET;
  event.data.ptr = connection;
  if (epoll_ctl(epoll_, EPOLL_CTL_ADD, connection->descriptor(), &event) != 0) {
    connection->abandon();
    note_closed(*connection);
  } else if (is_full) {
    move(*connection, [](Connection& it) { it.turn_away(); });
  }
}

// Ends the idle connections from which nothing has come for longest. Many at a time, so that a
// flood of arrivals does not make each of them look at all.
void Loop::make_room() {
  std::vector<Connection*> idle;
  for (const auto& connection : connections_) {
    if (connection->is_idle()) {
      idle.push_back(connection.get());
    }
  }
  const std::size_t count = std::min(idle.size(), max_connections_ / kRoomShare + 1);
  std::partial_sort(idle.begin(), idle.begin() + static_cast<std::ptrdiff_t>(count), idle.end(),
                    [](const Connection* left, const Connection* right) {
                      return left->idle_since() < right->idle_since();
                    });
  idle.resize(count);
  for (Connection* connection : idle) {
    context_.counters.shed.add();
    connection->abandon();
    note_closed(*connection);
  }
  bury();
}

void Loop::handle_timers() {
  context_.now = SteadyClock::now();
  for (TimerNode* node = context_.timers.earliest(); node != nullptr && node->due() <= context_.now;
       node = context_.timers.earliest()) {
    move(*static_cast<Connection*>(node), [](Connection& it) { it.on_timer(); });
  }
}

void Loop::handle_turns() {
  std::vector<Connection*> turns;
  turns.swap(context_.turns);
  for (Connection* connection : turns) {
    if (!connection->is_closed()) {
      move(*connection, [](Connection& it) { it.on_turn(); });
    }
  }
}

void Loop::handle_orders() {
  if (!drain_ordered_.load() || context_.draining) {
    return;
  }
  handle_inbox();
  context_.draining = true;
  for (const auto& connection : connections_) {
    if (!connection->is_closed()) {
      move(*connection, [](Connection& it) { it.on_drain(); });
    }
  }
}

// Frees what was closed, only now: later events of the same round may still have pointed to it.
// What a worker will hand back is freed then.
void Loop::bury() {
  for (Connection* connection : closed_) {
    if (connection->waits_for_worker) {
      connection->waits_for_burial = false;
      continue;
    }
    std::erase(context_.turns, connection);
    const std::size_t place = connection->place;
    if (place + 1 != connections_.size()) {
      std::swap(connections_[place], connections_.back());
      connections_[place]->place = place;
    }
    connections_.pop_back();
    load_.fetch_sub(1, std::memory_order_relaxed);
  }
  closed_.clear();
}

}  // namespace mock_server::transport
