#pragma once

// The suite's own HTTP/1.1 client: sends exactly the given bytes, receives everything, follows
// no redirect, corrects nothing. One client belongs to one thread; it keeps one connection open
// between requests. For set-up and control calls see mock_health.hpp.

#include "contract_tests/client/http_exchange.hpp"
#include "spec/http/response_parser.hpp"
#include "spec/net/base_url.hpp"
#include "spec/net/stream.hpp"

#include <chrono>
#include <functional>
#include <optional>

namespace contract_tests::client {

// The connections to servers (spec/http/client), by the names that the suite uses.

using spec::net::BaseUrl;
using spec::net::Deadline;
using spec::net::open_stream;
using spec::net::OpenProblem;
using spec::net::parse_base_url;
using spec::net::Progress;
using spec::net::Proxy;
using spec::net::proxy_for;
using spec::net::read_proxy_environment;
using spec::net::Stream;
using spec::net::Trust;
using spec::net::TrustOptions;

struct ClientLimits {
  std::chrono::milliseconds connect{5'000};
  std::chrono::milliseconds first_byte{30'000};  // from the last byte of the request
  std::chrono::milliseconds whole{60'000};       // from the first byte of the request
  std::chrono::milliseconds expect{1'000};       // how long a 100 is waited for
  std::chrono::milliseconds stream{2'000};       // how long a first event is waited for
  std::chrono::milliseconds more_events{250};    // how long others are read after it
  spec::http::ResponseLimits response{.body_bytes = 16U * 1024 * 1024};
  spec::http::CodingLimits coding{.max_bytes = 64U * 1024 * 1024, .max_ratio = 500};
};

struct SendOptions {
  bool fresh_connection = false;
  bool chunked = false;          // the body in two chunks instead of with a length
  bool expect_continue = false;  // sends "Expect: 100-continue" and waits before the body
  // Waits this long after the response for surplus bytes.
  std::chrono::milliseconds listen_on{0};
  // An absolute deadline for the response, besides the limits.
  std::chrono::steady_clock::time_point latest = std::chrono::steady_clock::time_point::max();
  // How long a stream that goes on is read at most, besides the limits.
  std::chrono::milliseconds watch = std::chrono::milliseconds::max();
  // Called before a request is sent again because its idle connection had been closed.
  std::function<bool()> may_repeat;
  // Called when the connection is open, or could not be opened, before the request is sent.
  std::function<void()> before_request;
};

// Completes an exchange with what was read of the response: how it ended, and the response without
// its content coding. An ending that says why nothing more was read (kDeadline, kMalformed,
// kLeftOpen) stays.
void complete(Exchange& exchange, spec::http::ResponseRecord record,
              const spec::http::CodingLimits& limits);

class Client {
 public:
  // `trust` must outlive the client.
  Client(BaseUrl url, const Trust& trust, ClientLimits limits = {});

  const BaseUrl& url() const { return url_; }

  // Sends `request` with Host, framing and a User-Agent added. An `Accept` or `User-Agent` with an
  // empty value is left out. Never throws for what a server does.
  Exchange send(spec::http::Request request, const SendOptions& options = {});

 private:
  bool connect(Exchange& exchange, const SendOptions& options);
  void converse(Exchange& exchange, const SendOptions& options);

  // Reads the response; `until_interim` stops at a 100 (true when there was one).
  struct Deadlines {
    Deadline first_byte;
    Deadline whole;
  };

  bool read_response(spec::http::ResponseParser& parser, Exchange& exchange,
                     const Deadlines& deadlines, bool until_interim);
  // The time by which a stream is left from now on, if it goes on.
  Deadline end_of_stream(std::chrono::milliseconds limit) const;
  void finish(spec::http::ResponseParser& parser, Exchange& exchange, const SendOptions& options);

  BaseUrl url_;
  const Trust* trust_;
  ClientLimits limits_;
  std::optional<Stream> stream_;
  std::chrono::milliseconds watch_{};  // of the exchange's SendOptions
  std::chrono::steady_clock::time_point started_;
};

}  // namespace contract_tests::client
