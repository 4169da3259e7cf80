#pragma once

// Types that service, control API, transport and run report share: where a request came from, the
// response, and how to deliver it. Plain values.

#include "mock_server/reply/fault.hpp"
#include "mock_server/reply/memory.hpp"
#include "spec/http/message.hpp"
#include "spec/non_copyable.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace spec::contract {

class Contract;
struct Operation;
struct Violation;

}  // namespace spec::contract

namespace mock_server::reply {

struct Delivery {
  std::chrono::milliseconds delay{0};  // before the first byte; a timer, not a sleeping thread
  Fault fault = Fault::kNone;
};

// Asks again for a response that was not ready. `last`: this is the last time, it must give one.
// Called now and then from the connection's thread, so it must be quick; must not throw.
using Later = std::function<std::optional<spec::http::Response>(bool last)>;

// The state of a body that grows while it is sent: nothing more for now, more at once, its end, or
// the connection's in the middle of it.
enum class Growth : std::uint8_t { kWaits, kHasMore, kEnded, kCut };

// Appends what has come since, a few thousand bytes at most. Asked several times a second from the
// connection's thread, only while the client takes what it is sent, so it must be quick. What it
// throws ends the connection.
using Stream = std::function<Growth(std::string& bytes)>;

// A response that must not be sent before something else is done, such as keeping what it says that
// it changed. Safe from any thread; must not throw.
class PendingWrite : spec::NonCopyable {
 public:
  virtual ~PendingWrite() = default;

  virtual bool is_done() const = 0;
  // Calls `wake` once when it is done, from any thread; at once if it already is. `wake` must be
  // quick, and may come when the connection has ended.
  virtual void on_done(std::function<void()> wake) = 0;
  // The response that is sent instead, because it could not be done; nothing: the response itself.
  // Precondition: it is done.
  virtual std::optional<spec::http::Response> instead() const = 0;
};

class PendingResponse;

struct Reply {
  spec::http::Response response;
  Delivery delivery;
  Later later{};  // if set, its response is sent instead of `response`
  // If set, it makes the body, and the one of `response` is not sent. Ends with the client, or when
  // the server goes down. With a fault it is a response without a body.
  Stream stream{};
  std::size_t stream_bytes = 0;  // that it holds
  // A response of another server, passed on as it is: reason, Date and length are its own, a stream
  // is as long as its Content-Length says, and `interim` ones (1xx) go before it.
  bool passed_on = false;
  // Such a stream may have no end: like one of ours, it ends with the client and with the server.
  bool is_endless = false;
  std::vector<spec::http::Response> interim{};
  // If set, nothing of all this is sent before it is done.
  std::shared_ptr<PendingWrite> pending_write{};
  // If set, there is no response yet: the handler is to be called with it in Peer when it is ready.
  // Only for a peer that is `on_worker`.
  std::shared_ptr<PendingResponse> pending_response{};
  // If set, nothing was done yet, and it takes too long for a loop: call the handler on a worker.
  bool needs_worker = false;
};

// A response of another server, which was asked for it and has not given it yet. No thread waits
// for it: its connection's loop looks when there is something to read. Not for several threads at
// once.
class PendingResponse : spec::NonCopyable {
 public:
  enum class State : std::uint8_t {
    kWaits,
    kReady,       // the handler can respond at once
    kNeedsThread  // the handler may have to wait, or to work for long
  };

  virtual ~PendingResponse() = default;

  // Can be read when there is something new.
  virtual int descriptor() const = 0;
  // Takes what came, and never waits. Must not throw.
  virtual State read() = 0;
  // When the handler must be asked whatever came.
  virtual std::chrono::steady_clock::time_point due() const = 0;
  bool needs_worker = false;  // the handler must not be called on a loop
  // Memory that it holds for what came.
  virtual std::size_t held_bytes() const = 0;
  // There is no memory for more: what comes from now on is passed on as it comes. False if nothing
  // can be passed on yet.
  virtual bool keep_no_more() = 0;
};

// The origin of a request, as far as the service needs to know.
struct Peer {
  bool loopback = true;
  std::string address;  // "127.0.0.1"
  // The request that begin() sent to another server; null for none.
  std::shared_ptr<PendingResponse> pending_response{};
  // The request before its content coding was taken off, for who passes it on; null if it is the
  // same. Lives during the call.
  const spec::http::Request* received = nullptr;
  bool on_worker = false;          // the handler may wait, or work for long: no loop does
  MemoryBudget* memory = nullptr;  // for what is made of long bodies; null: no bound
};

// The longest body, of a request or of another server's response, that an event loop may validate;
// longer ones need a thread.
inline constexpr std::size_t kQuickBodyBytes = 16 * 1024;

// The needs of a request besides being handled.
struct RequestNeeds {
  bool may_block = false;  // it may wait for another server
  std::shared_ptr<PendingResponse>
      pending_response{};  // if set, it is to be called when this is ready
};

// Called before the handler; `may_await`: another server may be asked at once. Quick; must not
// throw; called from several threads at once.
using Begin = std::function<RequestNeeds(const spec::http::Request&, bool may_await)>;

// Must not throw; called from several threads at once.
using Handler = std::function<Reply(const spec::http::Request&, const Peer&)>;

// An exchange as the service passes it to an observer, for the report of a run. The references are
// valid only during the call.
struct ObservedExchange {
  const spec::contract::Contract& contract;
  const spec::contract::Operation* operation = nullptr;  // null: unknown
  const std::vector<std::pair<std::string, std::string>>& path_values;
  const spec::http::Request& request;
  const spec::http::Response& response;
  const std::vector<spec::contract::Violation>& response_violations;  // violations of the response
  bool expects_invalid = false;  // the request says that it violates the contract
  // With a real service: "upstream", or "mock; why"; else "".
  std::string_view served_by{};
  // Why the service sent no response and the mock sent an error; "" if either responded.
  std::string_view no_response{};
};

// The addresses by which callers call the mock. Pure functions.

// "http://127.0.0.1:4010", as the request's Host says; "" when it says nothing that could be one.
// `scheme` is what requests come by. Source: RFC 9110 §7.2.
std::string own_address(const spec::http::Request& request, std::string_view scheme);

}  // namespace mock_server::reply
