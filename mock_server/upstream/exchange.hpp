#pragma once

// One request on one connection to the real service, and what came of its response. Belongs to one
// thread at a time.

#include "spec/http/response_parser.hpp"
#include "spec/net/stream.hpp"

#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>

namespace mock_server::upstream {

struct ExchangeLimits {
  std::chrono::milliseconds wait{30'000};     // for the first byte, and between two of the body
  std::chrono::milliseconds whole{55'000};    // for the head and what is kept of the body
  std::size_t kept_body_bytes = 1024 * 1024;  // longer bodies are streamed and not validated
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
  bool is_unanswered() const { return has_ended_ && parser_.record().bytes == 0; }

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
  // What came before the request was sent ends the sending.
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

}  // namespace mock_server::upstream
