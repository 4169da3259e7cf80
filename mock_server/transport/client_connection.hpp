#pragma once

// One client: reads requests, gets a response for each in order, writes the responses, and keeps to
// the deadlines. A machine that its loop moves whenever the socket or the clock has something to
// say; between two requests it holds no buffer. Belongs to one loop's thread.

#include "mock_server/reply/reply.hpp"
#include "mock_server/transport/channel.hpp"
#include "mock_server/transport/loop_context.hpp"
#include "mock_server/transport/transport_clock.hpp"
#include "mock_server/transport/wire_exchange.hpp"
#include "mock_server/transport/wire_response.hpp"
#include "spec/non_copyable.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

namespace mock_server::transport {

// The bytes that any connection may hold without asking the memory budget.
inline constexpr std::size_t kUnchargedBytes = 64 * 1024;

class Connection : spec::NonCopyable {
 public:
  // `loop` must outlive it.
  Connection(LoopContext& loop, ConnectionId id, Channel channel, reply::Peer peer);
  ~Connection();

  // The socket may be read or written again, as epoll says.
  void on_events(std::uint32_t events);
  // due() may have come.
  void on_timer();
  // Its turn came again after it had used up one.
  void on_turn();
  // Others have been moved, too: now what it has to send goes out.
  void on_send();
  // The worker is done with the request that was given to it.
  void on_work_result(WorkResult result);
  // Something came of what the other server was asked for.
  void on_awaited();
  // The response that is held may have become ready.
  void on_released();
  // The server goes down: an idle connection ends, a busy one after its response.
  void on_drain();
  // A move stopped half way, for this reason: gives back what it holds, says so if nothing else was
  // being said, and ends. May throw again.
  void on_failure(const spec::http::Rejection& reason);
  // There is no room: says so and ends.
  void turn_away();
  // Ends at once, without a word.
  void abandon();

  bool is_closed() const { return phase_ == Phase::kClosed; }

  // When on_timer() must be called at the latest; any move may change it.
  Time due() const;

  // Between two requests with nothing to send: the first to go when room is needed.
  bool is_idle() const;

  // A worker has its request.
  bool is_working() const { return phase_ == Phase::kWorking; }

  // Since when nothing has come, nor any of a response gone.
  Time idle_since() const { return stage_since_; }

 private:
  enum class Phase : std::uint8_t {
    kHandshake,
    kReading,    // and responding
    kAwaiting,   // another server was asked, and no thread waits
    kWorking,    // a worker has the request
    kDelaying,   // a response is made and waits for its time
    kStreaming,  // a body is made while it is sent
    kDripping,   // a faulty response goes out piece by piece
    kHolding,    // nothing more is said; the client or the clock ends it
    kFlushing,   // the last response goes out
    kLingering,  // all is said; what still comes in is thrown away
    kClosed
  };

  using Stage = spec::http::RequestParser::Stage;

  void advance();
  void settle();
  void advance_reading();
  bool read_more();
  bool feed_held();
  bool has_room() const;
  void consume(std::string_view bytes);
  void on_request();
  void await(Job job);
  void go_on_awaiting();
  Job stop_awaiting();
  void hand_awaited_to_worker();
  bool must_go_on() const;
  void go_on_without_client();
  void leave_awaited() noexcept;
  void ask_for_client();
  Job take_job(ResponseForm form, bool may_block);
  void hand_to_worker(Job job);
  void on_rejection(const spec::http::Rejection& rejection);
  void reject(const spec::http::Rejection& rejection, const spec::http::Request& request);
  void on_peer_ended();
  void offer_continue(std::string_view rest);
  void deliver(WireResponse& wire);
  void hold(WireResponse& wire);
  void deliver_delayed(bool last);
  void send_response(WireResponse& wire);
  void start_stream(WireResponse& wire);
  void go_on_streaming();
  void feed_stream();
  void ask_stream();
  void end_stream(bool is_whole);
  void drip();
  void end_script();
  bool flush();
  void send_later();
  void start_linger();
  void drain_input();
  void note_stage();
  void note_output(bool moved);
  bool client_goes_on_reading();
  std::size_t held_bytes() const;
  void account();
  void on_deadline();
  void on_late_reading();
  void fail();
  void reset();
  void close();

  LoopContext& loop_;
  const ConnectionId id_;
  Channel channel_;
  reply::Peer peer_;
  std::unique_ptr<Exchange> exchange_;
  Time due_{};                 // of the phase or the stage
  Time write_due_{};           // while output waits
  std::size_t not_taken_ = 0;  // by the client, of what is written, when that was last looked at
  Time stage_since_{};
  std::uint64_t requests_ = 0;
  std::uint64_t noted_requests_ = 0;  // when the stage was last looked at
  std::size_t lingered_bytes_ = 0;
  reply::Charge charge_;  // for what it holds
  Phase phase_ = Phase::kReading;
  Stage stage_ = Stage::kBefore;
  bool waits_for_turn_ = false;  // its loop will call on_turn()
  bool waits_to_send_ = false;   // its loop will call on_send()
  bool readable_ = false;
  bool writable_ = true;
  bool output_waits_ = false;
  bool more_behind_ = false;  // a short read does not mean that nothing is left
  bool end_came_ = false;     // of what the peer sends; it may not have been read up to that yet
  bool peer_ended_ = false;   // read up to its end
  bool reset_after_hold_ = false;
  bool worker_may_ask_ = false;    // another server, for the request that it has
  bool asked_for_client_ = false;  // by an interim response
};

}  // namespace mock_server::transport
