// Requests for which another server was asked: no thread waits for its response. The loop reads
// what comes, and the handler is called when it is there; a worker goes on where that may take
// long.

#include "mock_server/transport/connection.hpp"

#include <algorithm>
#include <memory>
#include <utility>

namespace mock_server::transport {

void Connection::await(Job job) {
  phase_ = Phase::kAwaiting;
  exchange_->waits.emplace(std::move(job));
  if (end_came_) {
    ask_for_client();
  }
  go_on_awaiting();
}

void Connection::go_on_awaiting() {
  const reply::Awaited& awaited = *exchange_->waits->peer.awaited;
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
  reply::Awaited& awaited = *exchange_->waits->peer.awaited;
  reply::Awaited::State state = awaited.read();
  account();
  if (state == reply::Awaited::State::kWaits && awaited.held_bytes() > kUnchargedBytes &&
      loop_.shared.budget.is_exceeded() && awaited.keep_no_more()) {
    state = reply::Awaited::State::kNeedsThread;
  }
  if (state == reply::Awaited::State::kWaits) {
    go_on_awaiting();
  } else if (state == reply::Awaited::State::kNeedsThread || awaited.needs_worker) {
    hand_awaited_to_worker();
  } else {
    Job job = stop_awaiting();
    WireResponse answer =
        make_response(loop_.shared.handler, job.request, job.peer, job.form, loop_.date.now());
    if (answer.needs_worker) {
      hand_to_worker(std::move(job));
    } else {
      deliver(answer);
    }
  }
  advance();
}

void Connection::hand_awaited_to_worker() {
  Job job = stop_awaiting();
  job.charge.change_to(job.charge.bytes() + job.peer.awaited->held_bytes());
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

}  // namespace mock_server::transport
