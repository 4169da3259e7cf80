#include "mock_server/transport/connection.hpp"

#include <algorithm>
#include <array>
#include <sys/epoll.h>
#include <utility>

namespace mock_server::transport {

namespace {

using spec::http::Refusal;

constexpr int kRoundsPerTurn = 16;
constexpr std::size_t kLingerBytes = 64 * 1024;
constexpr std::chrono::seconds kRateWindow{5};

constexpr Refusal kTimedOut = {408, "REQUEST_TIMEOUT", "the request did not come in time"};
constexpr Refusal kCutShort = {400, "BAD_REQUEST",
                               "the connection ended before the request was complete"};

}  // namespace

Connection::Connection(LoopContext& loop, int descriptor, SSL* tls, service::Peer peer)
    : loop_(loop),
      channel_(descriptor, tls),
      peer_(std::move(peer)),
      stage_since_(loop.now),
      phase_(tls == nullptr ? Phase::kReading : Phase::kHandshake) {
  due_ = loop.now + loop.limits.first_byte;
  if (phase_ == Phase::kHandshake) {
    due_ = loop.now + loop.limits.head;
  }
  loop_.counters.open.add();
  loop_.counters.opened.add();
  loop_.timers.arm(*this, due_);
}

Connection::~Connection() {
  close();
}

bool Connection::is_idle() const {
  return phase_ == Phase::kReading && stage_ == Stage::kBefore && !output_waits_ &&
         (exchange_ == nullptr || exchange_->input.empty());
}

bool Connection::has_room() const {
  return exchange_ == nullptr || exchange_->output.size() <= loop_.limits.unsent_bytes;
}

void Connection::on_events(std::uint32_t events) {
  const bool finds_out_itself =
      phase_ == Phase::kReading || phase_ == Phase::kHandshake || phase_ == Phase::kLingering;
  if ((events & (EPOLLERR | EPOLLHUP)) != 0 && !finds_out_itself) {
    loop_.counters.aborted.add();
    close();
    return;
  }
  if ((events & (EPOLLRDHUP | EPOLLHUP | EPOLLERR)) != 0) {
    hangup_ = true;
    if (phase_ == Phase::kHolding) {
      close();  // the client has seen enough
      return;
    }
  }
  readable_ = readable_ || (events & (EPOLLIN | EPOLLRDHUP | EPOLLHUP | EPOLLERR)) != 0;
  // With TLS either direction may wait for the other.
  writable_ = writable_ || (events & EPOLLOUT) != 0 || channel_.is_tls();
  advance();
}

void Connection::on_turn() {
  waits_for_turn = false;
  advance();
}

void Connection::advance() {
  if (phase_ == Phase::kHandshake) {
    const IoResult result = channel_.shake_hands();
    if (result.kind == IoResult::Kind::kMoved) {
      phase_ = Phase::kReading;
      stage_since_ = loop_.now;
      due_ = loop_.now + loop_.limits.first_byte;
      readable_ = true;
    } else if (result.kind != IoResult::Kind::kBlocked) {
      loop_.counters.aborted.add();
      close();
    }
  }
  switch (phase_) {
    case Phase::kReading: advance_reading(); break;
    case Phase::kDelaying:
    case Phase::kDripping:
    case Phase::kHolding:
    case Phase::kFlushing: flush(); break;
    case Phase::kLingering: drain_input(); break;
    case Phase::kHandshake:
    case Phase::kClosed: break;
  }
  settle();
}

void Connection::advance_reading() {
  for (int rounds = 0; phase_ == Phase::kReading; ++rounds) {
    if (rounds == kRoundsPerTurn) {
      if (!waits_for_turn) {
        waits_for_turn = true;
        loop_.turns.push_back(this);
      }
      return;
    }
    const bool had_room = has_room();
    const bool moved = had_room && (feed_held() || read_more());
    if (!flush() || (!moved && (had_room || !has_room()))) {
      return;
    }
  }
  flush();
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
  // Edge-triggered: a short read emptied the socket, unless the peer's end waits behind it.
  if (result.bytes < loop_.buffer.size() && !hangup_ && !channel_.is_tls()) {
    readable_ = false;
  }
  consume({loop_.buffer.data(), result.bytes});
  return true;
}

void Connection::consume(std::string_view bytes) {
  if (exchange_ == nullptr) {
    exchange_ = loop_.exchanges.take();
  }
  while (!bytes.empty() && phase_ == Phase::kReading && has_room()) {
    spec::http::RequestParser& parser = exchange_->parser;
    bytes.remove_prefix(parser.feed(bytes));
    if (parser.stage() == Stage::kComplete) {
      on_request();
    } else if (parser.stage() == Stage::kRefused) {
      on_refusal(parser.refusal());
    } else if (parser.stage() == Stage::kBody) {
      offer_continue(bytes);
    }
  }
  const bool goes_on =
      phase_ == Phase::kReading || phase_ == Phase::kDelaying || phase_ == Phase::kDripping;
  if (goes_on && !bytes.empty()) {
    exchange_->input.assign(bytes);
  }
}

void Connection::offer_continue(std::string_view rest) {
  const spec::http::RequestParser& parser = exchange_->parser;
  if (rest.empty() && parser.expects_continue() && !exchange_->continued &&
      parser.body_bytes_read() == 0) {
    exchange_->continued = true;
    exchange_->output.append(std::string_view("HTTP/1.1 100 Continue\r\n\r\n"));
  }
}

void Connection::on_request() {
  spec::http::RequestParser& parser = exchange_->parser;
  ++requests_;
  loop_.counters.requests.add();
  const bool keep =
      parser.keep_alive() && !loop_.draining && requests_ < loop_.limits.requests_per_connection;
  const Persistence persistence = !keep                  ? Persistence::kClose
                                  : parser.is_http_1_0() ? Persistence::kKeepExplicitly
                                                         : Persistence::kKeep;
  Answer& answer = loop_.bridge.answer(parser.request(), peer_, persistence);
  parser.reset();
  exchange_->continued = false;
  exchange_->rate_mark = 0;
  deliver(answer);
}

void Connection::deliver(Answer& answer) {
  if (answer.delivery.delay.count() <= 0) {
    send_answer(answer);
    return;
  }
  phase_ = Phase::kDelaying;
  due_ = loop_.now + answer.delivery.delay;
  exchange_->delayed = std::move(answer);
}

void Connection::send_answer(Answer& answer) {
  if (answer.delivery.fault == service::Fault::kNone) {
    exchange_->output.append(std::string_view(answer.head));
    exchange_->output.append(std::move(answer.body));
    phase_ = answer.close ? Phase::kFlushing : Phase::kReading;
    return;
  }
  loop_.counters.faults.add();
  exchange_->script = make_script(std::move(answer), loop_.limits);
  phase_ = Phase::kDripping;
  drip();
}

// Sends the script's next piece; with the last one, does what the script ends in.
void Connection::drip() {
  Script& script = exchange_->script;
  due_ = loop_.now + script.interval;
  if (!exchange_->output.empty() && script.sent > 0) {
    flush();
    return;  // the client is slower than the script
  }
  const std::size_t wanted = script.sent == 0 ? script.first : script.piece;
  const std::size_t count = std::min(wanted, script.bytes.size() - script.sent);
  exchange_->output.append(std::string_view(script.bytes).substr(script.sent, count));
  script.sent += count;
  if (flush() && script.sent == script.bytes.size()) {
    end_script();
  }
}

void Connection::end_script() {
  const Script script = std::exchange(exchange_->script, {});
  switch (script.ending) {
    case Script::Ending::kGoOn: phase_ = Phase::kReading; break;
    case Script::Ending::kClose: phase_ = Phase::kFlushing; break;
    case Script::Ending::kReset: reset(); return;
    case Script::Ending::kHoldThenClose:
    case Script::Ending::kHoldThenReset:
      phase_ = Phase::kHolding;
      reset_after_hold_ = script.ending == Script::Ending::kHoldThenReset;
      due_ = loop_.now + script.hold;
      break;
  }
  flush();
}

void Connection::on_refusal(const Refusal& refusal) {
  loop_.counters.refused.add();
  if (exchange_ == nullptr) {
    exchange_ = loop_.exchanges.take();
  }
  const spec::http::Request& request = exchange_->parser.request();
  Answer answer = make_refusal(refusal, request.headers.find("Origin"), loop_.date.now());
  exchange_->output.append(std::string_view(answer.head));
  if (request.method != "HEAD") {
    exchange_->output.append(std::move(answer.body));
  }
  phase_ = Phase::kFlushing;
}

void Connection::turn_away() {
  loop_.counters.shed.add();
  if (channel_.is_tls()) {
    close();
    return;
  }
  on_refusal({503, "SERVICE_UNAVAILABLE", "there are too many connections; try again soon"});
  flush();
  settle();
}

void Connection::on_peer_ended() {
  peer_ended_ = true;
  const Stage stage = exchange_ == nullptr ? Stage::kBefore : exchange_->parser.stage();
  if (stage == Stage::kBefore) {
    phase_ = Phase::kFlushing;
  } else {
    on_refusal(kCutShort);
  }
}

bool Connection::flush() {
  if (exchange_ != nullptr) {
    Output& output = exchange_->output;
    bool moved = false;
    while (!output.empty() && writable_) {
      std::array<iovec, 8> vectors;
      const std::size_t count = output.gather(vectors);
      const IoResult result = channel_.write({vectors.data(), count});
      if (result.kind == IoResult::Kind::kMoved) {
        loop_.counters.bytes_out.add(result.bytes);
        output.consume(result.bytes);
        moved = true;
      } else if (result.kind == IoResult::Kind::kBlocked) {
        writable_ = false;
      } else {
        fail();
        return false;
      }
    }
    if (!output.empty() && (moved || !output_waits_)) {
      write_due_ = loop_.now + loop_.limits.write_progress;
    }
    output_waits_ = !output.empty();
  }
  if (phase_ == Phase::kFlushing && !output_waits_) {
    start_linger();
  }
  return phase_ != Phase::kClosed;
}

void Connection::start_linger() {
  if (peer_ended_) {
    close();
    return;
  }
  channel_.end_writing();
  phase_ = Phase::kLingering;
  due_ = loop_.now + loop_.limits.linger;
  drain_input();
}

void Connection::drain_input() {
  while (readable_) {
    const IoResult result = channel_.read(loop_.buffer);
    if (result.kind == IoResult::Kind::kBlocked) {
      readable_ = false;
      return;
    }
    lingered_bytes_ += result.bytes;
    if (result.kind != IoResult::Kind::kMoved || lingered_bytes_ > kLingerBytes) {
      close();
      return;
    }
  }
}

// After every move: notes where the reading stands, gives back what an idle connection does not
// need, and sees to it that the clock will wake it.
void Connection::settle() {
  if (phase_ == Phase::kClosed) {
    return;
  }
  if (phase_ == Phase::kReading) {
    note_stage();
    if (exchange_ != nullptr && exchange_->parser.is_fresh() && exchange_->input.empty() &&
        exchange_->output.empty()) {
      loop_.exchanges.give_back(std::move(exchange_));
    }
  }
  const Time next = due();
  if (!is_armed() || next < TimerNode::due()) {
    loop_.timers.arm(*this, next);
  }
}

void Connection::note_stage() {
  const Stage stage = exchange_ == nullptr ? Stage::kBefore : exchange_->parser.stage();
  if (stage == stage_ && requests_ == noted_requests_) {
    return;
  }
  stage_ = stage;
  noted_requests_ = requests_;
  stage_since_ = loop_.now;
  const Limits& limits = loop_.limits;
  if (stage == Stage::kHead) {
    due_ = loop_.now + limits.head;
  } else if (stage == Stage::kBody) {
    due_ = loop_.now + std::min<Milliseconds>(limits.body, kRateWindow);
  } else {
    due_ = loop_.now + (requests_ == 0 ? limits.first_byte : limits.idle);
  }
}

Time Connection::due() const {
  if (!output_waits_) {
    return due_;
  }
  // A client that does not read what it asked for is not late with its next request.
  const bool only_writing =
      phase_ == Phase::kFlushing || (phase_ == Phase::kReading && !has_room());
  return only_writing ? write_due_ : std::min(due_, write_due_);
}

void Connection::on_timer() {
  if (loop_.now >= due()) {
    on_deadline();
  }
  if (phase_ != Phase::kClosed) {
    loop_.timers.disarm(*this);
    settle();
  }
}

void Connection::on_deadline() {
  if (output_waits_ && loop_.now >= write_due_) {
    loop_.counters.timed_out.add();
    reset();
    return;
  }
  switch (phase_) {
    case Phase::kReading: on_late_reading(); break;
    case Phase::kDelaying: {
      Answer answer = std::move(exchange_->delayed);
      send_answer(answer);
      advance();
      break;
    }
    case Phase::kDripping:
      drip();
      advance();
      break;
    case Phase::kHolding:
      if (reset_after_hold_) {
        reset();
      } else {
        phase_ = Phase::kFlushing;
        flush();
      }
      break;
    case Phase::kHandshake: loop_.counters.timed_out.add(); [[fallthrough]];
    case Phase::kFlushing:
    case Phase::kLingering:
    case Phase::kClosed: close(); break;
  }
}

void Connection::on_late_reading() {
  if (stage_ == Stage::kBefore) {
    loop_.counters.timed_out.add();
    close();
    return;
  }
  if (stage_ == Stage::kBody && loop_.now < stage_since_ + loop_.limits.body) {
    const std::size_t came = exchange_->parser.body_bytes_read();
    const std::size_t least =
        loop_.limits.body_bytes_per_second * static_cast<std::size_t>(kRateWindow.count());
    if (came - exchange_->rate_mark >= least) {
      exchange_->rate_mark = came;
      due_ = std::min(stage_since_ + loop_.limits.body, loop_.now + kRateWindow);
      return;
    }
  }
  on_refusal(kTimedOut);
  flush();
}

void Connection::on_drain() {
  if (phase_ == Phase::kHandshake) {
    close();
  } else if (phase_ == Phase::kReading) {
    readable_ = true;  // what came in the meantime is still answered
    advance();
    if (is_idle()) {
      close();
    }
  }
}

void Connection::abandon() {
  close();
}

void Connection::fail() {
  loop_.counters.aborted.add();
  close();
}

void Connection::reset() {
  channel_.reset();
  close();
}

void Connection::close() {
  if (phase_ == Phase::kClosed) {
    return;
  }
  phase_ = Phase::kClosed;
  loop_.counters.open.subtract();
  loop_.timers.disarm(*this);
  channel_.close();
  if (exchange_ != nullptr) {
    loop_.exchanges.give_back(std::move(exchange_));
  }
}

}  // namespace mock_server::transport
