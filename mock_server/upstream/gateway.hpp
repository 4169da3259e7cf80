#pragma once

// Sends requests to the real service and reads its responses as strictly as a proxy must: what a
// client could read in two ways is not passed on. Keeps connections for the next request; follows
// no redirect, decompresses nothing. send() blocks: never call it on an event loop before the
// exchange is done. Safe from any thread.

#include "mock_server/reply/reply.hpp"
#include "mock_server/upstream/upstream_settings.hpp"
#include "spec/http/items.hpp"
#include "spec/http/message.hpp"
#include "spec/http/response_parser.hpp"
#include "spec/net/base_url.hpp"
#include "spec/net/stream.hpp"
#include "spec/result.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace mock_server::upstream {

// One request on one connection to the real service, and what came of its response. Belongs to one
// thread at a time.

struct ExchangeLimits {
  std::chrono::milliseconds wait{30'000};   // for the first byte, and between two of the body
  std::chrono::milliseconds whole{55'000};  // for the head and what is kept of the body
  // Longer bodies are streamed, and not validated but for their items.
  std::size_t kept_body_bytes = 1024 * 1024;
};

class Exchange {
 public:
  // `limits` must outlive it.
  Exchange(spec::net::Stream stream, std::string_view method, const ExchangeLimits& limits,
           bool is_kept = false);

  // Sends the request; false if not all of it was taken by then, or before an error that came
  // early.
  bool send(std::string_view bytes, spec::net::Deadline deadline);

  // Reads what comes until `deadline`; false if nothing came. Precondition: !is_done().
  bool read(spec::net::Deadline deadline);

  // Nothing more is to be read before the response is passed on, or not: it has ended, is too long
  // to be kept, or may not be passed on.
  bool is_done() const;

  // When the service is too late with what comes next.
  spec::net::Deadline due() const;

  // Why the response may not be passed on; "" if it may. Precondition: is_done().
  std::string why_not() const;

  // The connection ended before a byte of a response came.
  bool has_no_response() const { return has_ended_ && parser_.record().bytes == 0; }

  // Another request may be sent on the connection. Precondition: is_done().
  bool can_be_kept() const;

  // From its first byte on, the body is a long one. Whether that makes it done.
  bool keep_no_more() {
    keeps_no_more_ = true;
    return is_done();
  }

  bool keeps_no_more() const { return keeps_no_more_; }

  std::size_t held_bytes() const { return parser_.record().bytes; }

  // Its connection had been used before.
  bool is_kept() const { return is_kept_; }

  int descriptor() const { return stream_.descriptor(); }

  spec::net::Stream take_stream() { return std::move(stream_); }

  spec::http::ResponseParser& parser() { return parser_; }

 private:
  // A response that came before the request was sent ends the sending.
  bool wants_no_more() const;

  const ExchangeLimits& limits_;
  spec::net::Stream stream_;
  spec::http::ResponseParser parser_;
  std::chrono::steady_clock::time_point began_;
  std::chrono::steady_clock::time_point last_came_;
  bool is_cut_ = false;  // not all of the request was sent
  bool is_kept_;
  bool keeps_no_more_ = false;
  bool has_ended_ = false;    // the connection
  bool was_reset_ = false;    // in the middle of the response
  bool has_surplus_ = false;  // bytes came beyond the response
};

// Why what was read of a response may not be passed on; "" if it may: two recipients could read it
// in two ways. Source: RFC 9112 §6.3, §5.1, §5.2, §11.
std::string why_not(const spec::http::ResponseRecord& record);

// The form of the items in a body with these fields: events, lines or records, which pass one by
// one. None for any other body.
std::optional<spec::http::ItemForm> items_of(const spec::http::Headers& headers);

struct GatewayOptions {
  std::string ca_file;                       // PEM, besides the system's certificates
  std::chrono::milliseconds connect{5'000};  // and the TLS handshake
  ExchangeLimits exchange;
};

struct UpstreamResponse {
  spec::http::Response response;  // end-to-end fields; the body with its content coding
  std::vector<spec::http::Response> interim;
  // If set, the body is longer than what is kept, or has items and no length: this makes all of it.
  reply::Stream rest{};
};

enum class FailureKind : std::uint8_t { kConnect, kUntrusted, kTimeout, kUnreadable };

struct Failure {
  FailureKind kind = FailureKind::kConnect;
  std::string message;  // what happened, and a remedy where there is one
};

class Gateway {
 public:
  // Throws spec::LoadError when the CA file cannot be read.
  explicit Gateway(GatewayOptions options);

  // Our name in Via; another one in each process.
  const std::string& pseudonym() const { return pseudonym_; }

  // Sends `request`, made by to_service(), to `url`, unless `exchange` did, and reads the response,
  // again on another connection if one ended before a byte of it came. If `may_leave`: nothing, as
  // soon as it is sent and there is something to wait for, which `exchange` is for.
  spec::Result<std::optional<UpstreamResponse>, Failure> send(const spec::net::BaseUrl& url,
                                                              const spec::http::Request& request,
                                                              std::optional<Exchange>& exchange,
                                                              bool may_leave);
  // Sends it and never blocks: nothing where no connection was kept, or where it does not take the
  // request at once.
  std::optional<Exchange> begin(const spec::net::BaseUrl& url, const spec::http::Request& request);

 private:
  spec::Result<Exchange, Failure> open(const spec::net::BaseUrl& url,
                                       const spec::http::Request& request);
  std::optional<Exchange> open_kept(const spec::net::BaseUrl& url,
                                    const spec::http::Request& request);
  spec::Result<UpstreamResponse, Failure> finish(const spec::net::BaseUrl& url, Exchange& exchange);
  std::optional<spec::net::Stream> take_kept(const std::string& key);
  void keep(const std::string& key, spec::net::Stream stream);

  const GatewayOptions options_;
  const spec::net::Trust trust_;
  const std::string pseudonym_;
  std::mutex mutex_;
  std::map<std::string, std::vector<spec::net::Stream>> kept_;  // by authority
};

// The parts that service, control API and program share about the real service. Safe from any
// thread.

// An exchange with the service, whole. The references live during the call only.
struct ForwardedExchange {
  std::string_view url;  // of the request, absolute, as the service was asked
  // The request as the client sent it, but for the session's prefix and our own fields; its body is
  // without content coding.
  const spec::http::Request& request;
  const spec::http::Response& decoded;  // without content coding; what was validated
  // False: longer than what is kept for validation. The body is "" then, and nothing was validated.
  bool is_whole = true;
  // Set if the body's items passed one by one, and `decoded` has the first of them: when each of
  // them did, since the response began.
  const std::vector<std::chrono::milliseconds>* item_times = nullptr;
  bool items_go_on = false;  // the client ended them, or the mock, not the service
  std::chrono::system_clock::time_point started{};  // by the clock of this machine
  std::chrono::microseconds took{0};                // from `started` to the last byte that was read
};

// Called once for each exchange with the service, in mode `record`, when the service's response
// was read and before the client gets it. Called from several threads at once, never from an event
// loop, but for an exchange with `item_times`, whose client has them already; must not throw, and
// ought to be quick: the client waits for it.
using Recorder = std::function<void(const ForwardedExchange&)>;

struct Upstream {
  explicit Upstream(GatewayOptions options) : gateway(std::move(options)) {}

  Gateway gateway;
  std::optional<Settings> settings;  // --upstream; nothing without it
  Recorder recorder;                 // may be empty
};

}  // namespace mock_server::upstream
