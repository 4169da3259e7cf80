// Responses: passes complete requests to the service, sends responses, with faults if they have
// any, and ends the connection.

#include "mock_server/transport/client_connection.hpp"
#include "mock_server/transport/request_amounts.hpp"

#include <algorithm>
#include <array>
#include <list>
#include <memory>
#include <optional>
#include <utility>

namespace mock_server::transport {

namespace {

using spec::http::Rejection;

constexpr Milliseconds kAskAgain{10};  // how often a response that is to come is asked for
constexpr Rejection kHeldTooLong = {
    503, "SERVICE_UNAVAILABLE",
    "what the request changed was not kept within the time of --handler-ms; look whether it was"};

}  // namespace

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
  ResponseForm form;
  form.is_http_1_0 = parser.is_http_1_0();
  form.persistence = !keep              ? Persistence::kClose
                     : form.is_http_1_0 ? Persistence::kKeepExplicitly
                                        : Persistence::kKeep;
  exchange_->continued = false;
  exchange_->rate_mark = 0;
  const bool is_long =
      parser.body_bytes_read() > reply::kQuickBodyBytes ||
      (parser.body_bytes_read() > 0 && parser.request().headers.has("Content-Encoding"));
  if (!is_long) {
    if (const auto rejection = check_amounts(parser.request(), loop_.limits)) {
      on_rejection(*rejection);
      return;
    }
  }
  const reply::Begin& begins = loop_.shared.options.begin;
  reply::RequestNeeds beginning =
      begins ? begins(parser.request(), !is_long) : reply::RequestNeeds{};
  if (beginning.pending_response) {
    Job job = take_job(form, true);
    job.peer.pending_response = std::move(beginning.pending_response);
    await(std::move(job));
    return;
  }
  if (is_long || beginning.may_block) {
    hand_to_worker(take_job(form, beginning.may_block));
    return;
  }
  WireResponse wire =
      make_response(loop_.shared.handler, parser.request(), peer_, form, loop_.date.now());
  if (wire.needs_worker) {
    hand_to_worker(take_job(form, false));
    return;
  }
  parser.reset();
  deliver(wire);
}

// The request in the parser, as work for a worker.
Job Connection::take_job(ResponseForm form, bool may_block) {
  account();
  Job job{.request = std::move(exchange_->parser.request()),
          .peer = peer_,
          .form = form,
          .may_block = may_block,
          .charge = std::move(charge_),
          .due = loop_.now + loop_.limits.handler,
          .result = std::list<WorkResult>(1),
          .done = loop_.hand_back};
  job.peer.memory = &loop_.shared.budget;
  job.result.front().connection = id_;
  exchange_->parser.reset();
  return job;
}

// Decoding and validating a long body takes milliseconds, and another server any time: others must
// not wait for that.
void Connection::hand_to_worker(Job job) {
  const spec::http::Request& request = job.request;
  exchange_->worked = spec::http::Request{request.method, request.target, request.headers, ""};
  worker_may_ask_ = job.may_block;
  phase_ = Phase::kWorking;
  due_ = job.due;
  Workers& workers = job.may_block ? loop_.shared.blocking : loop_.shared.workers;
  if (!workers.submit(job)) {
    reject({503, "SERVICE_UNAVAILABLE",
            job.peer.pending_response
                ? "too many requests are waiting for another server, which has got this "
                  "one; look whether it was done"
            : job.may_block ? "too many requests are waiting for another server; try again soon"
                            : "too many long requests are waiting; try again soon"},
           job.request);
  }
}

void Connection::on_work_result(WorkResult result) {
  if (phase_ != Phase::kWorking) {
    return;  // the client has got a 503 already: it took too long
  }
  phase_ = Phase::kReading;
  if (result.rejection) {
    reject(*result.rejection, result.rejected);
  } else if (!result.awaiting.empty()) {
    Job& job = result.awaiting.front();
    job.result.resize(1);
    job.result.front().connection = id_;
    job.done = loop_.hand_back;
    await(std::move(job));
  } else {
    deliver(result.wire);
  }
  advance();
}

// Keeps the response until it may be sent. Who makes it ready wakes the loop; a connection that has
// ended by then is not found.
void Connection::hold(WireResponse& wire) {
  phase_ = Phase::kDelaying;
  due_ = loop_.now + loop_.limits.handler;
  exchange_->delayed = std::move(wire);
  auto wakes = std::make_shared<std::list<WorkResult>>(1);
  wakes->front().connection = id_;
  wakes->front().is_release = true;
  exchange_->delayed->pending_write->on_done(
      [wakes, hand_back = loop_.hand_back] { hand_back(std::move(*wakes)); });
}

// May come late, when another response is held, or none.
void Connection::on_released() {
  if (phase_ == Phase::kDelaying && exchange_->delayed->pending_write &&
      exchange_->delayed->pending_write->is_done()) {
    deliver_delayed(false);
    advance();
  }
}

void Connection::deliver(WireResponse& wire) {
  if (wire.pending_write) {
    if (!wire.pending_write->is_done()) {
      hold(wire);
      return;
    }
    wire = released(std::move(wire), loop_.date.now());
  }
  if (wire.later) {
    phase_ = Phase::kDelaying;
    due_ = loop_.now + kAskAgain;
    exchange_->delayed = std::move(wire);
    return;
  }
  const std::size_t bytes = wire.body.size() + wire.stream_bytes;
  if (bytes > kUnchargedBytes && !wire.passed_on && !loop_.shared.budget.has_room_for(bytes)) {
    on_rejection(kNoRoom);
    return;
  }
  if (wire.delivery.delay.count() <= 0) {
    send_response(wire);
    return;
  }
  phase_ = Phase::kDelaying;
  due_ = loop_.now + wire.delivery.delay;
  exchange_->delayed = std::move(wire);
}

// The delay of a response is over, or it is time to ask again for it.
void Connection::deliver_delayed(bool last) {
  if (exchange_->delayed->pending_write) {
    WireResponse wire = std::move(*std::exchange(exchange_->delayed, std::nullopt));
    if (!wire.pending_write->is_done()) {
      loop_.counters.timed_out.add();
      on_rejection(kHeldTooLong);
      return;
    }
    phase_ = Phase::kReading;
    deliver(wire);
    return;
  }
  if (!exchange_->delayed->later) {
    WireResponse wire = std::move(*std::exchange(exchange_->delayed, std::nullopt));
    send_response(wire);
    return;
  }
  std::optional<WireResponse> made = ask_again(*exchange_->delayed, last, loop_.date.now());
  if (!made) {
    due_ = loop_.now + kAskAgain;
    return;
  }
  exchange_->delayed.reset();
  deliver(*made);
}

void Connection::send_response(WireResponse& wire) {
  if (wire.stream) {
    start_stream(wire);
    return;
  }
  if (wire.delivery.fault == reply::Fault::kNone) {
    exchange_->output.append(std::string_view(wire.head));
    exchange_->output.append(std::move(wire.body));
    phase_ = wire.closes() ? Phase::kFlushing : Phase::kReading;
    return;
  }
  loop_.counters.faults.add();
  exchange_->script = make_script(std::move(wire), loop_.limits);
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
      // The event that would end the hold may have come before it, and epoll reports it only once.
      due_ = end_came_ ? loop_.now : loop_.now + script.hold;
      break;
  }
  flush();
}

void Connection::on_rejection(const Rejection& rejection) {
  if (exchange_ == nullptr) {
    exchange_ = loop_.exchanges.take();
  }
  reject(rejection, exchange_->parser.request());
}

void Connection::reject(const Rejection& rejection, const spec::http::Request& request) {
  loop_.counters.rejected.add();
  spec::http::Response response = rejection_response(rejection, request.headers.find("Origin"));
  if (loop_.shared.options.on_rejection) {
    loop_.shared.options.on_rejection({rejection, request, response, peer_});
  }
  WireResponse wire = write_response(
      {std::move(response), {}}, {request.method == "HEAD", Persistence::kClose}, loop_.date.now());
  send_response(wire);
}

void Connection::on_failure(const Rejection& reason) {
  if (phase_ != Phase::kReading || exchange_ == nullptr || !exchange_->output.empty()) {
    if (flush()) {  // the responses to requests before this one
      fail();
    }
    return;
  }
  std::string().swap(exchange_->input);
  exchange_->parser.reset();
  on_rejection(reason);
  flush();
  settle();
}

void Connection::turn_away() {
  loop_.counters.shed.add();
  if (channel_.is_tls()) {
    close();
    return;
  }
  on_rejection({503, "SERVICE_UNAVAILABLE", "too many connections; try again soon"});
  flush();
  settle();
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
    note_output(moved);
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
  // Beyond the limit the socket stays half-closed until the clock ends it: an end now would take
  // the last response from a client that is still sending.
  while (readable_ && lingered_bytes_ <= loop_.limits.linger_bytes) {
    const IoResult result = channel_.read(loop_.buffer);
    if (result.kind == IoResult::Kind::kBlocked) {
      readable_ = false;
      return;
    }
    if (result.kind != IoResult::Kind::kMoved) {
      close();
      return;
    }
    lingered_bytes_ += result.bytes;
  }
}

void Connection::fail() {
  loop_.counters.aborted.add(channel_.descriptor() >= 0 ? 1 : 0);
  if (must_go_on()) {
    go_on_without_client();
  } else {
    close();
  }
}

void Connection::reset() {
  channel_.reset();
  close();
}

void Connection::close() {
  if (phase_ == Phase::kClosed) {
    return;
  }
  if (phase_ == Phase::kAwaiting && must_go_on()) {
    leave_awaited();
  }
  phase_ = Phase::kClosed;
  loop_.counters.open.subtract();
  charge_.change_to(0);
  channel_.close();
  if (exchange_ != nullptr) {
    loop_.counters.streams.subtract(exchange_->streamed ? 1 : 0);
    loop_.exchanges.give_back(std::move(exchange_));
  }
}

}  // namespace mock_server::transport
