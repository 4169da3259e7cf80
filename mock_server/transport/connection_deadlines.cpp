// Deadlines: what is due when, and what happens if it is late; and the memory that a connection
// holds.

#include "mock_server/transport/client_connection.hpp"

#include <algorithm>
#include <utility>

namespace mock_server::transport {

namespace {

constexpr spec::http::Rejection kTimedOut = {408, "REQUEST_TIMEOUT",
                                             "the request did not arrive in time"};
// For the rest of a request head while the server stops: it usually comes in one piece.
constexpr Milliseconds kHeadWhileDraining{500};
constexpr spec::http::Rejection kWorkedTooLong = {
    503, "SERVICE_UNAVAILABLE", "processing took longer than --handler-ms allows"};

}  // namespace

// After every step: updates the deadline and frees the memory that an idle connection does not
// need.
void Connection::settle() {
  account();
  if (phase_ == Phase::kReading) {
    note_stage();
    if (exchange_ != nullptr && exchange_->parser.is_fresh() && exchange_->input.empty() &&
        exchange_->output.empty()) {
      loop_.exchanges.give_back(std::move(exchange_));
    }
    if (loop_.draining && is_idle() && requests_ > 0) {
      phase_ = Phase::kFlushing;  // its last response may still be on its way: no hard end
      flush();
    }
  }
}

std::size_t Connection::held_bytes() const {
  if (exchange_ == nullptr) {
    return 0;
  }
  const std::size_t held =
      exchange_->input.size() + exchange_->output.size() +
      exchange_->parser.request().body.capacity() + exchange_->script.bytes.size() +
      (exchange_->delayed ? exchange_->delayed->body.size() + exchange_->delayed->stream_bytes
                          : 0) +
      (exchange_->streamed ? exchange_->streamed->stream_bytes : 0) +
      (exchange_->waits ? exchange_->waits->peer.pending_response->held_bytes() : 0);
  return held > kUnchargedBytes ? held : 0;
}

// Keeps the memory budget; a body for which there is no room is not read further.
void Connection::account() {
  const std::size_t held = held_bytes();
  if (held == charge_.bytes()) {
    return;
  }
  const bool grew = held > charge_.bytes();
  charge_.change_to(held);
  if (grew && phase_ == Phase::kReading && exchange_->parser.stage() == Stage::kBody &&
      loop_.shared.budget.is_exceeded()) {
    on_rejection(kNoRoom);
    exchange_->parser.reset();
    charge_.change_to(held_bytes());
    flush();
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
    due_ = loop_.now + std::min(limits.body, limits.rate_window);
  } else {
    due_ = loop_.now + (requests_ == 0 ? limits.first_byte : limits.idle);
  }
}

// After each attempt to write: when the client must have taken more, or must ask for more.
void Connection::note_output(bool moved) {
  const bool waits = !exchange_->output.empty();
  if (waits && (moved || !output_waits_)) {
    not_taken_ = channel_.not_taken();
    write_due_ = loop_.now + loop_.limits.write_progress;
  } else if (!waits && output_waits_ && phase_ == Phase::kReading && stage_ == Stage::kBefore) {
    stage_since_ = loop_.now;
    due_ = loop_.now + loop_.limits.idle;
  }
  output_waits_ = waits;
}

// The socket may have room for more only long after the client has begun to take what it holds.
bool Connection::client_goes_on_reading() {
  const std::size_t before = std::exchange(not_taken_, channel_.not_taken());
  if (not_taken_ < before) {
    write_due_ = loop_.now + loop_.limits.write_progress;
  }
  return not_taken_ < before;
}

Time Connection::due() const {
  if (!output_waits_) {
    return due_;
  }
  // A client that does not read what it asked for is not late with its next request.
  const bool only_writing =
      phase_ == Phase::kFlushing ||
      (phase_ == Phase::kReading && (stage_ == Stage::kBefore || !has_room()));
  return only_writing ? write_due_ : std::min(due_, write_due_);
}

void Connection::on_timer() {
  if (loop_.now >= due()) {
    on_deadline();
  }
  if (phase_ != Phase::kClosed) {
    settle();
  }
}

void Connection::on_deadline() {
  if (output_waits_ && loop_.now >= write_due_) {
    if (client_goes_on_reading()) {
      return;
    }
    loop_.counters.timed_out.add();
    reset();
    return;
  }
  switch (phase_) {
    case Phase::kReading: on_late_reading(); break;
    case Phase::kAwaiting:
      hand_awaited_to_worker();
      advance();
      break;
    case Phase::kDelaying:
      deliver_delayed(false);
      advance();
      break;
    case Phase::kStreaming:
      go_on_streaming();
      advance();
      break;
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
    case Phase::kWorking:
      loop_.counters.timed_out.add();
      reject(kWorkedTooLong, *exchange_->worked);
      flush();
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
    const std::size_t least = loop_.limits.body_bytes_per_second *
                              static_cast<std::size_t>(loop_.limits.rate_window.count()) / 1000;
    if (came - exchange_->rate_mark >= least) {
      exchange_->rate_mark = came;
      due_ = std::min(stage_since_ + loop_.limits.body, loop_.now + loop_.limits.rate_window);
      return;
    }
  }
  on_rejection(kTimedOut);
  flush();
}

void Connection::on_drain() {
  if (phase_ == Phase::kHandshake) {
    close();
  } else if (phase_ == Phase::kDelaying && exchange_->delayed->later &&
             !exchange_->delayed->pending_write) {
    deliver_delayed(true);  // the caller waits for an event; the response says it did not come
    advance();
  } else if (phase_ == Phase::kStreaming) {
    if (exchange_->streamed->has_own_end) {
      return;  // it is under way
    }
    if (exchange_->output.empty()) {
      ask_stream();
      advance();
    } else {
      close();  // who does not read what it was sent is not waited for
    }
  } else if (phase_ == Phase::kReading) {
    readable_ = true;  // what came in the meantime still gets a response
    advance();
    if (is_idle()) {
      close();
    } else if (phase_ == Phase::kReading && stage_ == Stage::kHead) {
      due_ = std::min(due_, loop_.now + kHeadWhileDraining);
      settle();
    }
  }
}

}  // namespace mock_server::transport
