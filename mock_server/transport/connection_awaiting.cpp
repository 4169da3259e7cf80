// Requests for which another server was asked: no thread waits for its response. The loop reads
// what comes, and the handler is called when it is there; a worker goes on where that may take
// long.

#include "mock_server/transport/connection.hpp"

#include <algorithm>
#include <memory>
#include <utility>

namespace mock_server::transport {

void Connection::await(ResponseForm form, std::shared_ptr<reply::Awaited> awaited) {
  phase_ = Phase::kAwaiting;
  exchange_->waits.emplace(
      AwaitedRequest{form, std::move(awaited), loop_.now + loop_.limits.handler});
  go_on_awaiting();
}

void Connection::go_on_awaiting() {
  const reply::Awaited& awaited = *exchange_->waits->awaited;
  due_ = std::min(exchange_->waits->due, awaited.due());
  if (!loop_.watch(awaited.descriptor(), id_)) {
    hand_awaited_to_worker();
  }
}

AwaitedRequest Connection::stop_awaiting() {
  phase_ = Phase::kReading;
  return std::move(*std::exchange(exchange_->waits, std::nullopt));
}

void Connection::on_awaited() {
  if (phase_ != Phase::kAwaiting) {
    return;  // of one before
  }
  switch (exchange_->waits->awaited->read()) {
    case reply::Awaited::State::kWaits: go_on_awaiting(); break;
    case reply::Awaited::State::kNeedsThread: hand_awaited_to_worker(); break;
    case reply::Awaited::State::kReady: {
      AwaitedRequest request = stop_awaiting();
      reply::Peer peer = peer_;
      peer.awaited = std::move(request.awaited);
      WireResponse answer = make_response(loop_.shared.handler, exchange_->parser.request(), peer,
                                          request.form, loop_.date.now());
      exchange_->parser.reset();
      deliver(answer);
      break;
    }
  }
  advance();
}

void Connection::hand_awaited_to_worker() {
  AwaitedRequest request = stop_awaiting();
  hand_to_worker(request.form, true, std::move(request.awaited));
  if (phase_ == Phase::kWorking) {
    due_ = std::min(due_, request.due);
  }
}

// The client has gone; the other server has the request, so a worker writes down what becomes of
// it.
void Connection::leave_awaited() noexcept {
  try {
    AwaitedRequest request = stop_awaiting();
    Job job = take_job(request.form, std::move(request.awaited));
    loop_.shared.blocking.submit(job);
  } catch (...) {  // without memory, or a place among those that wait, nothing is written down
  }
}

}  // namespace mock_server::transport
