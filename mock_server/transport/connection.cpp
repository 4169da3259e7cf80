// Reading: moves bytes from the socket to the parser.

#include "mock_server/transport/connection.hpp"

#include <sys/epoll.h>
#include <utility>

namespace mock_server::transport {

namespace {

constexpr int kRoundsPerTurn = 16;
constexpr int kRequestsPerRound = 32;  // of a client that does not wait for responses

constexpr spec::http::Rejection kPlainOnTls = {400, "BAD_REQUEST",
                                               "this port uses TLS: the URL must begin with https"};
constexpr spec::http::Rejection kCutShort = {
    400, "BAD_REQUEST", "the connection ended before the request was complete"};

}  // namespace

Connection::Connection(LoopContext& loop, ConnectionId id, Channel channel, reply::Peer peer)
    : loop_(loop),
      id_(id),
      channel_(std::move(channel)),
      peer_(std::move(peer)),
      stage_since_(loop.now),
      charge_(loop.shared.budget),
      phase_(channel_.is_tls() ? Phase::kHandshake : Phase::kReading) {
  due_ = loop.now + loop.limits.first_byte;
  if (phase_ == Phase::kHandshake) {
    due_ = loop.now + loop.limits.head;
  }
  loop_.counters.open.add();
  loop_.counters.opened.add();
}

Connection::~Connection() {
  close();
}

bool Connection::is_idle() const {
  return phase_ == Phase::kReading && stage_ == Stage::kBefore &&
         (exchange_ == nullptr || (exchange_->input.empty() && exchange_->output.empty()));
}

bool Connection::has_room() const {
  return exchange_ == nullptr || exchange_->output.size() <= loop_.limits.unsent_bytes;
}

void Connection::on_events(std::uint32_t events) {
  const bool is_broken = (events & (EPOLLERR | EPOLLHUP)) != 0;
  const bool has_ended = is_broken || (events & EPOLLRDHUP) != 0;
  if (has_ended && phase_ == Phase::kHolding) {
    close();  // the client has seen enough
    return;
  }
  end_came_ = end_came_ || has_ended;
  if (has_ended && phase_ == Phase::kStreaming && !exchange_->streamed->passed_on) {
    end_stream(false);
  }
  if (has_ended && !is_broken && phase_ == Phase::kAwaiting) {
    ask_for_client();
  }
  more_behind_ = more_behind_ || has_ended || (events & EPOLLPRI) != 0;
  readable_ = readable_ || has_ended || (events & (EPOLLIN | EPOLLPRI)) != 0;
  // With TLS either direction may wait for the other.
  writable_ = writable_ || (events & EPOLLOUT) != 0 || channel_.is_tls();
  advance();
  // A read would have failed by now; in the other phases the client is gone.
  if (is_broken && phase_ != Phase::kClosed && phase_ != Phase::kReading &&
      phase_ != Phase::kLingering) {
    fail();
  }
}

void Connection::on_turn() {
  waits_for_turn_ = false;
  advance();
}

void Connection::on_send() {
  waits_to_send_ = false;
  flush();
  settle();
}

// What is written will be sent with what other connections have to send.
void Connection::send_later() {
  if (!waits_to_send_ && exchange_ != nullptr && !exchange_->output.empty()) {
    loop_.unsent.push_back(id_);
    waits_to_send_ = true;
  }
}

void Connection::advance() {
  if (phase_ == Phase::kHandshake) {
    const IoResult result = channel_.shake_hands();
    if (result.kind == IoResult::Kind::kMoved) {
      phase_ = Phase::kReading;
      stage_since_ = loop_.now;
      due_ = loop_.now + loop_.limits.first_byte;
      readable_ = true;
    } else if (result.kind == IoResult::Kind::kFailed && channel_.fall_back_to_plain()) {
      on_rejection(kPlainOnTls);
    } else if (result.kind != IoResult::Kind::kBlocked) {
      fail();
    }
  }
  switch (phase_) {
    case Phase::kReading: advance_reading(); break;
    case Phase::kAwaiting:
    case Phase::kWorking:
    case Phase::kDelaying:
    case Phase::kDripping:
    case Phase::kHolding:
    case Phase::kFlushing: flush(); break;
    case Phase::kStreaming: feed_stream(); break;
    case Phase::kLingering: drain_input(); break;
    case Phase::kHandshake:
    case Phase::kClosed: break;
  }
  settle();
}

void Connection::advance_reading() {
  for (int rounds = 0; phase_ == Phase::kReading; ++rounds) {
    if (rounds == kRoundsPerTurn) {
      if (!waits_for_turn_) {
        loop_.turns.push_back(id_);
        waits_for_turn_ = true;
      }
      flush();
      return;
    }
    if (has_room()) {
      if (!feed_held() && !read_more()) {
        break;
      }
    } else if (!flush() || !has_room()) {
      return;
    }
  }
  if (phase_ == Phase::kReading) {
    send_later();
  } else {
    flush();
  }
}

bool Connection::feed_held() {
  if (exchange_ == nullptr || exchange_->input.empty()) {
    return false;
  }
  std::string held;
  held.swap(exchange_->input);
  consume(held);
  return true;
}

bool Connection::read_more() {
  if (!readable_) {
    return false;
  }
  const IoResult result = channel_.read(loop_.buffer);
  switch (result.kind) {
    case IoResult::Kind::kBlocked: readable_ = false; return false;
    case IoResult::Kind::kEnded:
      readable_ = false;
      on_peer_ended();
      return false;
    case IoResult::Kind::kFailed: fail(); return false;
    case IoResult::Kind::kMoved: break;
  }
  loop_.counters.bytes_in.add(result.bytes);
  // Edge-triggered: a short read emptied the socket, unless the peer's end or an urgent byte, where
  // reads stop, is behind it.
  if (result.bytes < loop_.buffer.size() && !more_behind_ && !channel_.is_tls()) {
    readable_ = false;
  }
  consume({loop_.buffer.data(), result.bytes});
  return true;
}

void Connection::consume(std::string_view bytes) {
  if (exchange_ == nullptr) {
    exchange_ = loop_.exchanges.take();
  }
  for (int requests = 0;
       requests < kRequestsPerRound && !bytes.empty() && phase_ == Phase::kReading && has_room();) {
    spec::http::RequestParser& parser = exchange_->parser;
    bytes.remove_prefix(parser.feed(bytes));
    if (parser.stage() == Stage::kComplete) {
      ++requests;
      on_request();
    } else if (parser.stage() == Stage::kRejected) {
      on_rejection(parser.rejection());
    } else if (parser.stage() == Stage::kBody) {
      offer_continue(bytes);
    }
  }
  const bool goes_on = phase_ == Phase::kReading || phase_ == Phase::kAwaiting ||
                       phase_ == Phase::kWorking || phase_ == Phase::kDelaying ||
                       phase_ == Phase::kStreaming || phase_ == Phase::kDripping;
  if (goes_on && !bytes.empty()) {
    exchange_->input.assign(bytes);
  }
}

void Connection::on_peer_ended() {
  peer_ended_ = true;
  const Stage stage = exchange_ == nullptr ? Stage::kBefore : exchange_->parser.stage();
  if (stage == Stage::kBefore) {
    phase_ = Phase::kFlushing;
  } else {
    on_rejection(kCutShort);
  }
}

void Connection::abandon() {
  close();
}

}  // namespace mock_server::transport
