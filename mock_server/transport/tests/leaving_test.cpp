// Clients that leave at every step of a request, under limits at their least: whatever a connection
// was about to do, it ends with nothing charged. And clients that read slowly, on a clock of the
// test's.

#include "mock_server/transport/client_connection.hpp"
#include "mock_server/transport/loop_context.hpp"
#include "spec/tests/rows.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <condition_variable>
#include <list>
#include <memory>
#include <mutex>
#include <new>
#include <string>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>
#include <utility>
#include <vector>

namespace mock_server::transport {

namespace {

constexpr std::size_t kLongBody = 100'000;
constexpr std::uint32_t kGone = EPOLLIN | EPOLLRDHUP | EPOLLHUP;

// Results that workers hand back, until a test takes them.
class Returned {
 public:
  void put(std::list<WorkResult> results) {
    {
      const std::lock_guard lock(mutex_);
      results_.splice(results_.end(), results);
    }
    came_.notify_one();
  }

  WorkResult take() {
    std::unique_lock lock(mutex_);
    came_.wait(lock, [this] { return !results_.empty(); });
    WorkResult result = std::move(results_.front());
    results_.pop_front();
    return result;
  }

 private:
  std::mutex mutex_;
  std::condition_variable came_;
  std::list<WorkResult> results_;
};

// A gate that a handler waits at.
class Gate {
 public:
  void open() {
    {
      const std::lock_guard lock(mutex_);
      is_open_ = true;
    }
    opened_.notify_all();
  }

  void pass() {
    std::unique_lock lock(mutex_);
    opened_.wait(lock, [this] { return is_open_; });
  }

 private:
  std::mutex mutex_;
  std::condition_variable opened_;
  bool is_open_ = false;
};

reply::Reply text_reply(std::size_t bytes) {
  reply::Reply reply;
  reply.response.status = 200;
  reply.response.body = std::string(bytes, 'b');
  return reply;
}

// One connection of a loop that the test plays, and the client's end of its socket.
class TestLoop {
 public:
  TestLoop(const ListenerOptions& options, reply::Handler handler)
      : options_(options), handler_(std::move(handler)), shared_(options_, handler_) {
    std::array<int, 2> ends{};
    EXPECT_EQ(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, ends.data()), 0);
    client_ = ends[1];
    loop_.hand_back = [this](std::list<WorkResult> results) { returned_.put(std::move(results)); };
    connection_ = std::make_unique<Connection>(loop_, 1, Channel(ends[0]), reply::Peer{});
  }

  ~TestLoop() { leave(); }

  TestLoop(const TestLoop&) = delete;
  TestLoop& operator=(const TestLoop&) = delete;

  Connection& connection() { return *connection_; }

  std::size_t charged() const { return shared_.budget.used(); }

  void send(std::string_view bytes) const {
    EXPECT_EQ(write(client_, bytes.data(), bytes.size()), static_cast<ssize_t>(bytes.size()));
  }

  // The bytes that came from the server so far.
  std::string received() const {
    std::string bytes(1 << 16, '\0');
    const ssize_t count = read(client_, bytes.data(), bytes.size());
    bytes.resize(count > 0 ? static_cast<std::size_t>(count) : 0);
    return bytes;
  }

  void end_writing() const { EXPECT_EQ(shutdown(client_, SHUT_WR), 0); }

  Time now() const { return loop_.now; }

  // A round of the loop with these events of the socket.
  void handle(std::uint32_t events) {
    connection_->on_events(events);
    end_round();
  }

  // Lets time go by in which nothing happens at the socket.
  void pass(Milliseconds time) {
    loop_.now += time;
    connection_->on_timer();
    end_round();
  }

  void leave() {
    if (client_ >= 0) {
      close(std::exchange(client_, -1));
    }
  }

  void take_outcome() {
    WorkResult result = returned_.take();
    connection_->on_work_result(std::move(result));
    end_round();
  }

  // Lets everything happen that is still to come: events of a client that has left, deadlines.
  void run_out() {
    for (int round = 0; round < 20 && !connection_->is_closed(); ++round) {
      if (connection_->is_working()) {
        take_outcome();
      }
      handle(kGone);
      if (!connection_->is_closed()) {
        loop_.now = connection_->due();
        pass(Milliseconds(0));
      }
    }
    // A worker may still have what the connection gave it.
    const Time late = SteadyClock::now() + std::chrono::seconds(60);
    while (charged() > 0 && SteadyClock::now() < late) {
      std::this_thread::yield();
    }
  }

 private:
  void end_round() {
    if (!std::exchange(loop_.unsent, {}).empty() && !connection_->is_closed()) {
      connection_->on_send();
    }
  }

  const ListenerOptions options_;
  const reply::Handler handler_;
  Returned returned_;
  ListenerContext shared_;
  LoopContext loop_{shared_};
  std::unique_ptr<Connection> connection_;
  int client_ = -1;
};

std::string post_of(std::size_t bytes, const std::string& fields = "") {
  return "POST / HTTP/1.1\r\nHost: a\r\n" + fields + "Content-Length: " + std::to_string(bytes) +
         "\r\n\r\n" + std::string(bytes, '0');
}

struct LeavingCase {
  std::string name;
  std::string request;
  Limits limits;
  reply::Delivery delivery;
  std::size_t response_bytes = 300;
  bool is_stream = false;
};

Limits with_least_memory() {
  Limits limits;
  limits.memory_bytes = 0;
  return limits;
}

reply::Delivery spoilt(reply::Fault fault) {
  reply::Delivery delivery;
  delivery.fault = fault;
  return delivery;
}

reply::Delivery delayed() {
  reply::Delivery delivery;
  delivery.delay = Milliseconds(50);
  return delivery;
}

std::vector<LeavingCase> ways() {
  const std::string get = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";
  const std::string expecting = "Expect: 100-continue\r\n";
  Limits one_request;
  one_request.requests_per_connection = 1;
  std::vector<LeavingCase> ways{
      {"quick", get, {}, {}},
      {"pipelined", get + get + get, {}, {}},
      {"told_to_close", get, one_request, {}},
      {"long_response", get, {}, {}, 4'000'000},
      {"long_response_without_memory", get, with_least_memory(), {}, 4'000'000},
      {"rejected", "GET / HTTP/1.1\r\n\r\n", {}, {}},
      {"short_body", post_of(10), {}, {}},
      {"long_body", post_of(kLongBody), {}, {}},
      {"long_body_without_memory", post_of(kLongBody), with_least_memory(), {}},
      {"expecting", post_of(kLongBody, expecting), {}, {}},
      {"expecting_without_memory", post_of(kLongBody, expecting), with_least_memory(), {}},
      {"delayed", get, {}, delayed()},
      {"streamed", get, {}, {}, 50'000, true},
  };
  for (const reply::Fault fault :
       {reply::Fault::kReset, reply::Fault::kEmpty, reply::Fault::kTruncate, reply::Fault::kGarbage,
        reply::Fault::kSlowBody, reply::Fault::kSlowClose, reply::Fault::kStall,
        reply::Fault::kSplitWrites}) {
    ways.push_back({"fault_" + std::to_string(static_cast<int>(fault)), get, {}, spoilt(fault)});
  }
  return ways;
}

using Leaving = spec::tests::RowTest;

// The time at which the server learns of the end: before it reads, or only when it writes.
enum class Seen { kAtOnce, kLater };

void leave_after(const LeavingCase& way, std::size_t bytes, Seen seen) {
  ListenerOptions options;
  options.limits = way.limits;
  TestLoop loop(options, [&way](const spec::http::Request&, const reply::Peer&) {
    reply::Reply reply = text_reply(way.response_bytes);
    reply.delivery = way.delivery;
    if (way.is_stream) {
      reply.stream = [&way](std::string& part) {
        part.assign(way.response_bytes, 'b');
        return reply::Growth::kHasMore;
      };
    }
    return reply;
  });
  loop.send(std::string_view(way.request).substr(0, bytes));
  loop.leave();

  loop.handle(seen == Seen::kAtOnce ? kGone : EPOLLIN);
  loop.run_out();

  EXPECT_TRUE(loop.connection().is_closed());
  EXPECT_EQ(loop.charged(), 0U);
}

}  // namespace

TEST_P(Leaving, at_every_step_leaks_no_memory) {
  const LeavingCase& way = GetParam();
  const std::size_t head = way.request.find("\r\n\r\n") + 4;
  for (const std::size_t bytes : {std::size_t{0}, head / 2, head, head + 1, head + 20'000,
                                  head + 70'000, way.request.size() - 1, way.request.size()}) {
    for (const Seen seen : {Seen::kAtOnce, Seen::kLater}) {
      SCOPED_TRACE(std::to_string(bytes) + (seen == Seen::kAtOnce ? ", at once" : ", later"));
      leave_after(way, std::min(bytes, way.request.size()), seen);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Ways, Leaving, ::testing::ValuesIn(spec::tests::rows(ways())),
                         spec::tests::kRowNames);

// Epoll tells the end once: a hold that begins after it would wait for the clock, a minute long.
TEST(LeavingFirst, ends_a_hold_that_begins_later) {
  TestLoop loop({}, [](const auto&, const auto&) {
    reply::Reply reply = text_reply(300);
    reply.delivery = spoilt(reply::Fault::kStall);
    return reply;
  });
  loop.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
  loop.end_writing();

  loop.handle(EPOLLIN | EPOLLRDHUP);

  EXPECT_EQ(loop.connection().due(), loop.now());
}

TEST(LeavingFirst, ends_a_stream_that_begins_later) {
  TestLoop loop({}, [](const auto&, const auto&) {
    reply::Reply reply = text_reply(0);
    reply.stream = [](std::string& part) {
      part = "first";
      return reply::Growth::kWaits;
    };
    return reply;
  });
  loop.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
  loop.end_writing();

  loop.handle(EPOLLIN | EPOLLRDHUP);

  EXPECT_THAT(loop.received(), ::testing::EndsWith("\r\n\r\n5\r\nfirst\r\n0\r\n\r\n"));
}

class SlowReader : public ::testing::Test {
 protected:
  static constexpr std::size_t kResponse = 4'000'000;
  static constexpr std::string_view kGet = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";

  SlowReader() {
    loop_.send(kGet);
    loop_.handle(EPOLLIN);
  }

  const Limits limits_;
  TestLoop loop_{{}, [](const auto&, const auto&) { return text_reply(kResponse); }};
};

TEST_F(SlowReader, gets_the_end_however_long_that_takes_and_may_ask_again) {
  const Time began = loop_.now();
  std::size_t came = 0;
  for (int round = 0; round < 200 && came < kResponse; ++round) {
    loop_.pass(limits_.write_progress - Milliseconds(1));
    came += loop_.received().size();
    loop_.handle(EPOLLOUT);
  }
  const std::string rest = loop_.received();
  ASSERT_FALSE(loop_.connection().is_closed()) << came << " bytes came";
  loop_.send(kGet);
  loop_.handle(EPOLLIN);

  EXPECT_GT(loop_.now() - began, 2 * limits_.idle);
  EXPECT_GT(came + rest.size(), kResponse);
  EXPECT_THAT(loop_.received(), ::testing::StartsWith("HTTP/1.1 200 "));
}

TEST_F(SlowReader, that_takes_nothing_is_ended_in_time) {
  loop_.pass(limits_.write_progress - Milliseconds(1));
  EXPECT_FALSE(loop_.connection().is_closed());

  loop_.pass(Milliseconds(1));
  EXPECT_TRUE(loop_.connection().is_closed());
}

// Room for more is told late: when much of what a socket holds is taken.
TEST_F(SlowReader, that_takes_what_the_socket_holds_is_waited_for) {
  EXPECT_NE(loop_.received(), "");
  loop_.pass(limits_.write_progress);
  EXPECT_FALSE(loop_.connection().is_closed());

  loop_.pass(limits_.write_progress);
  EXPECT_TRUE(loop_.connection().is_closed());
}

TEST(LeavingMemory, of_a_body_stays_charged_while_a_worker_has_it) {
  Gate gate;
  TestLoop loop({}, [&gate](const spec::http::Request&, const reply::Peer&) {
    gate.pass();
    return text_reply(1);
  });
  loop.send(post_of(kLongBody));
  loop.handle(EPOLLIN);
  ASSERT_TRUE(loop.connection().is_working());

  loop.leave();
  loop.handle(kGone);
  const bool was_closed = loop.connection().is_closed();
  const std::size_t charged = loop.charged();
  gate.open();
  loop.take_outcome();

  EXPECT_TRUE(was_closed);
  EXPECT_GE(charged, kLongBody);
}

TEST(LeavingMemory, of_a_rejected_body_is_freed_at_once) {
  ListenerOptions options;
  options.limits = with_least_memory();
  TestLoop loop(options, [](const auto&, const auto&) { return text_reply(1); });
  loop.send(post_of(kLongBody).substr(0, kLongBody - 5'000));

  loop.handle(EPOLLIN);

  EXPECT_THAT(loop.received(), ::testing::StartsWith("HTTP/1.1 503 "));
  EXPECT_FALSE(loop.connection().is_closed());
  EXPECT_EQ(loop.charged(), 0U);
}

TEST(LeavingMemory, that_a_handler_cannot_get_is_a_503) {
  TestLoop loop({}, [](const auto&, const auto&) -> reply::Reply { throw std::bad_alloc(); });
  loop.send(post_of(kLongBody));

  loop.handle(EPOLLIN);
  loop.take_outcome();

  EXPECT_THAT(loop.received(), ::testing::StartsWith("HTTP/1.1 503 "));
}

TEST(LeavingMemory, that_a_later_handler_cannot_get_costs_no_earlier_response) {
  int calls = 0;
  TestLoop loop({}, [&calls](const auto&, const auto&) {
    if (++calls == 2) {
      throw std::bad_alloc();
    }
    return text_reply(7);
  });
  loop.send("GET / HTTP/1.1\r\nHost: a\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n");

  EXPECT_THROW(loop.handle(EPOLLIN), std::bad_alloc);
  loop.connection().on_failure(kNoMemory);

  EXPECT_THAT(loop.received(), ::testing::EndsWith("\r\n\r\nbbbbbbb"));
  EXPECT_TRUE(loop.connection().is_closed());
}

// Values cost more than their text: an array of numbers of two bytes each, a multiple.
TEST(LeavingMemory, for_the_values_of_a_body_is_reserved_first) {
  ListenerOptions options;
  options.limits.memory_bytes = 10 * kLongBody;
  bool was_called = false;
  TestLoop loop(options, [&was_called](const auto&, const auto&) {
    was_called = true;
    return text_reply(1);
  });
  std::string body = "[0";
  while (body.size() < kLongBody) {
    body += ",0";
  }
  loop.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: " +
            std::to_string(body.size() + 1) + "\r\n\r\n" + body + "]");

  loop.handle(EPOLLIN);
  loop.take_outcome();

  EXPECT_FALSE(was_called);
  EXPECT_THAT(loop.received(), ::testing::StartsWith("HTTP/1.1 503 "));
}

}  // namespace mock_server::transport
