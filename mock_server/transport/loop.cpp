#include "mock_server/transport/loop.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <pthread.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace mock_server::transport {

namespace {

constexpr std::size_t kMaxEvents = 256;
constexpr ConnectionId kWake = 0;                // an event that is no connection's
constexpr ConnectionId kAwaited = 1ULL << 63U;   // added to a connection's: of what it awaits
constexpr std::size_t kMovedTogether = 16;       // a response waits for at most 15 others
constexpr std::size_t kRoomShare = 64;           // one in so many connections goes to make room
constexpr std::size_t kMaxRejectedAtOnce = 256;  // so many get a response that says so

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

}  // namespace

LoopContext::LoopContext(ListenerContext& shared_in)
    : shared(shared_in),
      limits(shared_in.limits),
      request_limits(transport::request_limits(limits)),
      exchanges(request_limits),
      buffer(limits.unread_bytes) {}

bool LoopContext::watch(int descriptor, ConnectionId id) const {
  epoll_event event{};
  event.events = EPOLLIN | EPOLLRDHUP | EPOLLONESHOT;
  event.data.u64 = id | kAwaited;
  // One that is used again is known, unless only other loops had it.
  return epoll_ctl(epoll, EPOLL_CTL_MOD, descriptor, &event) == 0 ||
         (errno == ENOENT && epoll_ctl(epoll, EPOLL_CTL_ADD, descriptor, &event) == 0);
}

Loop::Loop(ListenerContext& shared, std::size_t max_connections)
    : context_(shared), max_connections_(max_connections) {
  context_.hand_back = [this](std::list<WorkResult> results) { take_back(std::move(results)); };
  context_.epoll = epoll_create1(EPOLL_CLOEXEC);
  wake_ = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
  epoll_event event{};
  event.events = EPOLLIN;
  event.data.u64 = kWake;
  if (context_.epoll < 0 || wake_ < 0 ||
      epoll_ctl(context_.epoll, EPOLL_CTL_ADD, wake_, &event) != 0) {
    const int error = errno;
    close(context_.epoll);
    close(wake_);
    throw std::system_error(error, std::generic_category(), "event loop");
  }
}

Loop::~Loop() {
  end();
  join();
  close(context_.epoll);
  close(wake_);
}

void Loop::start() {
  thread_ = std::jthread([this] {
    pthread_setname_np(pthread_self(), "http-loop");
    run();
  });
}

void Loop::adopt(Arrival arrival) {
  {
    const std::lock_guard lock(mutex_);
    arrivals_.push_back(std::move(arrival));
  }
  load_.fetch_add(1, std::memory_order_relaxed);
  wake();
}

// Results that are there have woken it already: it takes all of them at once.
void Loop::take_back(std::list<WorkResult> results) {
  bool wakes = false;
  {
    const std::lock_guard lock(mutex_);
    wakes = results_.empty();
    results_.splice(results_.end(), results);
  }
  if (wakes) {
    wake();
  }
}

// Lets the connection move, if it has not ended before, and ends it if that closed it. What the
// move throws ends it, and nothing else: with a 503 for want of memory, else a 500, if it can be
// sent.
template <typename Step>
void Loop::move(ConnectionId id, Step step) {
  const auto found = connections_.find(id);
  if (found == connections_.end()) {
    return;
  }
  OpenConnection& open = found->second;
  Connection& connection = open.connection;
  try {
    try {
      step(connection);
    } catch (...) {
      connection.on_failure(rejection_of_exception());
    }
  } catch (...) {
    connection.abandon();
  }
  if (connection.is_closed()) {
    deadlines_.erase({open.armed, id});
    connections_.erase(found);
    load_.fetch_sub(1, std::memory_order_relaxed);
  } else if (connection.due() < open.armed) {
    rearm(id, open);
  }
}

// Responses are sent together, and not each before the next request is read: client and server are
// woken less often, and the caches keep what a request needs (scripts/bench/NOTES.md).
template <typename Step>
void Loop::move_and_send(ConnectionId id, Step step) {
  move(id, step);
  if (++moved_ == kMovedTogether) {
    send_responses();
  }
}

void Loop::send_responses() {
  moved_ = 0;
  for (const ConnectionId id : context_.unsent) {
    move(id, [](Connection& it) { it.on_send(); });
  }
  context_.unsent.clear();
}

// Takes no memory.
void Loop::rearm(ConnectionId id, OpenConnection& open) {
  auto deadline = deadlines_.extract({open.armed, id});
  open.armed = open.connection.due();
  deadline.value().first = open.armed;
  deadlines_.insert(std::move(deadline));
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
    assert(context_.unsent.empty());
    wait_for_events();
    send_responses();
    handle_inbox();
    send_responses();
    handle_timers();
    handle_turns();
    handle_orders();
    send_responses();
    assert(deadlines_.size() == connections_.size());
    if (context_.draining && connections_.empty()) {
      break;
    }
  }
  connections_.clear();
  ended_.store(true, std::memory_order_release);
}

int Loop::wait_milliseconds() const {
  if (!context_.turns.empty()) {
    return 0;
  }
  if (deadlines_.empty()) {
    return -1;
  }
  const Time next = deadlines_.begin()->first;
  const auto left = std::chrono::ceil<Milliseconds>(next - SteadyClock::now()).count();
  return static_cast<int>(std::clamp<Milliseconds::rep>(left, 0, 60'000));
}

void Loop::wait_for_events() {
  std::array<epoll_event, kMaxEvents> events;
  const int count = epoll_wait(context_.epoll, events.data(), static_cast<int>(events.size()),
                               wait_milliseconds());
  context_.now = SteadyClock::now();
  for (int at = 0; at < count; ++at) {
    const epoll_event& event = events.at(static_cast<std::size_t>(at));
    if (event.data.u64 == kWake) {
      std::uint64_t wakes = 0;
      [[maybe_unused]] const ssize_t taken = read(wake_, &wakes, sizeof wakes);
    } else if ((event.data.u64 & kAwaited) != 0) {
      move_and_send(event.data.u64 & ~kAwaited, [](Connection& it) { it.on_awaited(); });
    } else {
      move_and_send(event.data.u64, [&](Connection& it) { it.on_events(event.events); });
    }
  }
}

void Loop::handle_inbox() {
  std::vector<Arrival> arrivals;
  std::list<WorkResult> results;
  {
    const std::lock_guard lock(mutex_);
    arrivals.swap(arrivals_);
    results.swap(results_);
  }
  if (arrivals.empty() && results.empty()) {
    return;
  }
  // The events of this round may have taken long: no deadline may begin before that.
  context_.now = SteadyClock::now();
  for (WorkResult& result : results) {
    move_and_send(result.connection, [&](Connection& it) {
      if (result.is_release) {
        it.on_released();
      } else {
        it.on_work_result(std::move(result));
      }
    });
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
  } catch (...) {
    context_.counters.shed.add();
    load_.fetch_sub(1, std::memory_order_relaxed);
  }
}

void Loop::take_over(Arrival& arrival) {
  if (connections_.size() >= max_connections_) {
    make_room();
  }
  if (context_.draining || connections_.size() >= max_connections_ + kMaxRejectedAtOnce) {
    context_.counters.shed.add();
    load_.fetch_sub(1, std::memory_order_relaxed);
    return;
  }
  const bool is_full = connections_.size() >= max_connections_;
  const ConnectionId id = ++last_id_;
  const int descriptor = arrival.channel.descriptor();
  const auto deadline = deadlines_.emplace(context_.now, id).first;
  try {
    rearm(id, connections_.try_emplace(id, context_, id, std::move(arrival)).first->second);
  } catch (...) {
    deadlines_.erase(deadline);
    throw;
  }
  epoll_event event{};
  event.events = EPOLLIN | EPOLLOUT | EPOLLPRI | EPOLLRDHUP | EPOLLET;
  event.data.u64 = id;
  if (epoll_ctl(context_.epoll, EPOLL_CTL_ADD, descriptor, &event) != 0) {
    move(id, [](Connection& it) { it.abandon(); });
  } else if (is_full) {
    move(id, [](Connection& it) { it.turn_away(); });
  }
}

// Ends the idle connections from which nothing has come for longest. Many at a time, so that a
// flood of arrivals does not make each of them look at all.
void Loop::make_room() {
  std::vector<std::pair<Time, ConnectionId>> idle;
  for (const auto& [id, open] : connections_) {
    if (open.connection.is_idle()) {
      idle.emplace_back(open.connection.idle_since(), id);
    }
  }
  const std::size_t count = std::min(idle.size(), max_connections_ / kRoomShare + 1);
  const auto end = idle.begin() + static_cast<std::ptrdiff_t>(count);
  std::partial_sort(idle.begin(), end, idle.end());
  std::for_each(idle.begin(), end, [this](const auto& longest) {
    context_.counters.shed.add();
    move(longest.second, [](Connection& it) { it.abandon(); });
  });
}

void Loop::handle_timers() {
  context_.now = SteadyClock::now();
  while (!deadlines_.empty() && deadlines_.begin()->first <= context_.now) {
    const ConnectionId id = deadlines_.begin()->second;
    move_and_send(id, [](Connection& it) { it.on_timer(); });
    const auto found = connections_.find(id);
    if (found != connections_.end()) {
      rearm(id, found->second);
    }
  }
}

void Loop::handle_turns() {
  std::vector<ConnectionId> turns;
  turns.swap(context_.turns);
  for (const ConnectionId id : turns) {
    move_and_send(id, [](Connection& it) { it.on_turn(); });
  }
}

void Loop::handle_orders() {
  if (!drain_ordered_.load() || context_.draining) {
    return;
  }
  handle_inbox();
  context_.draining = true;
  for (auto next = connections_.begin(); next != connections_.end();) {
    const ConnectionId id = next->first;
    ++next;  // the move may end it
    move(id, [](Connection& it) { it.on_drain(); });
  }
}

}  // namespace mock_server::transport
