// Reading: moves bytes from the socket to the parser.

#include "mock_server/transport/client_connection.hpp"

#include <algorithm>
#include <memory>
#include <string>
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
  if (has_ended && phase_ == Phase::kStreaming && !exchange_->streamed->has_own_end) {
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

// Written bytes are sent together with those of other connections.
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

// Requests for which another server was asked: no thread waits for its response. The loop reads
// what comes, and the handler is called when it is there; a worker goes on where that may take
// long.

void Connection::await(Job job) {
  phase_ = Phase::kAwaiting;
  exchange_->waits.emplace(std::move(job));
  if (end_came_) {
    ask_for_client();
  }
  go_on_awaiting();
}

void Connection::go_on_awaiting() {
  const reply::PendingResponse& awaited = *exchange_->waits->peer.pending_response;
  due_ = std::min(exchange_->waits->due, awaited.due());
  if (!loop_.watch(awaited.descriptor(), id_)) {
    hand_awaited_to_worker();
  }
}

Job Connection::stop_awaiting() {
  phase_ = Phase::kReading;
  return std::move(*std::exchange(exchange_->waits, std::nullopt));
}

void Connection::on_awaited() {
  if (phase_ != Phase::kAwaiting) {
    return;  // of one before
  }
  reply::PendingResponse& awaited = *exchange_->waits->peer.pending_response;
  reply::PendingResponse::State state = awaited.read();
  account();
  if (state == reply::PendingResponse::State::kWaits && awaited.held_bytes() > kUnchargedBytes &&
      loop_.shared.budget.is_half_used() && awaited.keep_no_more()) {
    state = reply::PendingResponse::State::kNeedsThread;
  }
  if (state == reply::PendingResponse::State::kWaits) {
    go_on_awaiting();
  } else if (state == reply::PendingResponse::State::kNeedsThread || awaited.needs_worker) {
    hand_awaited_to_worker();
  } else {
    Job job = stop_awaiting();
    WireResponse wire =
        make_response(loop_.shared.handler, job.request, job.peer, job.form, loop_.date.now());
    if (wire.needs_worker) {
      hand_to_worker(std::move(job));
    } else {
      deliver(wire);
    }
  }
  advance();
}

void Connection::hand_awaited_to_worker() {
  Job job = stop_awaiting();
  job.charge.change_to(job.charge.bytes() + job.peer.pending_response->held_bytes());
  // The client's 503 is due as before, but the handler must know what became of it.
  const Time due = std::exchange(job.due, loop_.now + loop_.limits.handler);
  hand_to_worker(std::move(job));
  if (phase_ == Phase::kWorking) {
    due_ = std::min(due_, due);
  }
}

// Another server may still change something for a request whose client has gone: journal and record
// must know. Source: RFC 9110 §9.2.1.
bool Connection::must_go_on() const {
  if (phase_ == Phase::kAwaiting) {
    return !spec::http::is_safe_method(exchange_->waits->request.method);
  }
  return phase_ == Phase::kWorking && worker_may_ask_ &&
         !spec::http::is_safe_method(exchange_->worked->method);
}

// Ends when there is a response, which cannot be written.
void Connection::go_on_without_client() {
  channel_.close();
  exchange_->output.clear();
  std::string().swap(exchange_->input);
  output_waits_ = false;
}

// There is no loop any more; a worker writes down what becomes of it.
void Connection::leave_awaited() noexcept {
  try {
    Job job = stop_awaiting();
    loop_.shared.blocking.submit(job);
  } catch (...) {  // without memory, or a place among those that wait, nothing is written down
  }
}

// The client sends no more, and may have left: that shows only when something is sent to it.
// Source: RFC 9110 §15.2, RFC 2518 §10.1.
void Connection::ask_for_client() {
  if (!exchange_->waits->form.is_http_1_0 && !std::exchange(asked_for_client_, true)) {
    exchange_->output.append(std::string_view("HTTP/1.1 102 Processing\r\n\r\n"));
  }
}

// Streams: bodies that grow while they are sent. The connection asks for more when the client has
// taken what there was, so a slow client holds one part and no more, and one that takes nothing is
// ended like every other (--write-progress-ms).

namespace {

constexpr Milliseconds kAskStream{100};
constexpr Milliseconds kAskStreamSoon{20};  // when it said that it has more
constexpr Milliseconds kAskStreamAtOnce{
    1};  // of another server's body, that comes as fast as it can

}  // namespace

void Connection::start_stream(WireResponse& wire) {
  exchange_->output.append(std::string_view(wire.head));
  std::string().swap(wire.head);
  exchange_->streamed = std::move(wire);
  loop_.counters.streams.add();
  channel_.bound_unsent(loop_.limits.write_progress);
  phase_ = Phase::kStreaming;
  ask_stream();
}

void Connection::go_on_streaming() {
  if (exchange_->output.empty()) {
    ask_stream();
    return;
  }
  due_ = loop_.now + kAskStream;
  flush();
}

// The client can take more: where there is more, it is asked for as soon as nothing is left.
void Connection::feed_stream() {
  if (flush() && exchange_->output.empty() && exchange_->stream_flows) {
    due_ = std::min(due_, loop_.now + kAskStreamAtOnce);
  }
}

void Connection::ask_stream() {
  std::string bytes;
  const reply::Growth growth = exchange_->streamed->stream(bytes);
  exchange_->stream_flows = exchange_->streamed->passed_on && !bytes.empty();
  exchange_->output.append(chunk_of(*exchange_->streamed, std::move(bytes)));
  const Milliseconds soon = exchange_->stream_flows ? kAskStreamAtOnce : kAskStreamSoon;
  due_ = loop_.now + (growth == reply::Growth::kHasMore ? soon : kAskStream);
  // Epoll tells the client's end once, maybe before the stream began. A client that only said its
  // own still gets all of what has an end.
  if (growth == reply::Growth::kEnded) {
    end_stream(true);
  } else if (growth == reply::Growth::kCut) {
    exchange_->streamed.reset();
    loop_.counters.streams.subtract();
    phase_ = Phase::kFlushing;
  } else if (!exchange_->streamed->has_own_end && (end_came_ || loop_.draining)) {
    end_stream(false);
  }
  if (flush() && phase_ == Phase::kStreaming && exchange_->output.empty()) {
    exchange_->output.release();
  }
}

void Connection::end_stream(bool is_whole) {
  const WireResponse wire = std::move(*std::exchange(exchange_->streamed, std::nullopt));
  loop_.counters.streams.subtract();
  if (is_whole || !wire.passed_on) {
    exchange_->output.append(last_chunk_of(wire));
  }
  phase_ = wire.closes() || end_came_ || loop_.draining ? Phase::kFlushing : Phase::kReading;
}

}  // namespace mock_server::transport
