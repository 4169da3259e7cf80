// Streams: bodies that grow while they are sent. The connection asks for more when the client has
// taken what there was, so a slow client holds one part and no more, and one that takes nothing is
// ended like every other (--write-progress-ms).

#include "mock_server/transport/connection.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace mock_server::transport {

namespace {

constexpr Milliseconds kAskStream{100};
constexpr Milliseconds kAskStreamSoon{20};  // when it said that it has more
constexpr Milliseconds kAskStreamAtOnce{
    1};  // of another server's body, that comes as fast as it can

}  // namespace

void Connection::start_stream(WireResponse& answer) {
  exchange_->output.append(std::string_view(answer.head));
  std::string().swap(answer.head);
  exchange_->streamed = std::move(answer);
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
  // Epoll tells the client's end once, maybe before the stream began. What is passed on has an end:
  // a client that only said its own still gets all of it.
  if (growth == reply::Growth::kEnded) {
    end_stream(true);
  } else if (!exchange_->streamed->passed_on && (end_came_ || loop_.draining)) {
    end_stream(false);
  }
  if (flush() && phase_ == Phase::kStreaming && exchange_->output.empty()) {
    exchange_->output.release();
  }
}

void Connection::end_stream(bool is_whole) {
  const WireResponse answer = std::move(*std::exchange(exchange_->streamed, std::nullopt));
  loop_.counters.streams.subtract();
  if (is_whole || !answer.passed_on) {
    exchange_->output.append(last_chunk_of(answer));
  }
  phase_ = answer.closes() || end_came_ || loop_.draining ? Phase::kFlushing : Phase::kReading;
}

}  // namespace mock_server::transport
