#pragma once

// A response as bytes: the head with the fields that every response of the transport has, and the
// body by the rules for HEAD and for statuses without content. Made from the service's reply or
// from a rejection; broken by mock_server/transport/faults if it has a fault.

#include "mock_server/reply/reply.hpp"
#include "spec/http/message.hpp"
#include "spec/http/request_parser.hpp"

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace mock_server::transport {

inline constexpr spec::http::Rejection kNoMemory = {503, "SERVICE_UNAVAILABLE",
                                                    "out of memory; try again soon"};
inline constexpr spec::http::Rejection kNoRoom = {
    503, "SERVICE_UNAVAILABLE",
    "long bodies have all the memory that --memory-bytes allows; try again soon"};

// The fate of the connection after a response, as its head must say it.
enum class Persistence { kKeep, kKeepExplicitly /* for HTTP/1.0 */, kClose };

// The requirements of a response besides the reply that it is made from.
struct ResponseForm {
  bool is_head = false;  // the request's method is HEAD
  Persistence persistence = Persistence::kKeep;
  bool is_http_1_0 = false;  // no chunks may be sent
};

struct WireResponse {
  std::string head;  // status line and fields, with the empty line
  std::string body;  // "" if no body may be sent
  reply::Delivery delivery;
  ResponseForm form;
  // When set, the rest but for `form` is not sent: ask_again() makes the response.
  reply::Later later{};
  // When set, it makes the body. In chunks, unless the end of the connection is the end of the
  // body.
  reply::Stream stream{};
  std::size_t stream_bytes = 0;  // that it holds
  bool has_length = false;       // the head says how long the stream is: no chunks
  bool passed_on = false;        // cut short, it must not look whole
  bool has_own_end = false;      // it does not end when its client says its own end
  // When set, the rest is sent when it is done, or what released() makes.
  std::shared_ptr<reply::PendingWrite> pending_write{};
  // When set, nothing of all this is sent.
  std::shared_ptr<reply::PendingResponse> pending_response{};
  bool needs_worker = false;  // the same

  // The connection ends after it, and the head says so.
  bool closes() const { return form.persistence == Persistence::kClose; }
};

// Writes the reply's response, whose fields must be writable; those that belong to the transport
// (framing, connection and Date) are replaced by its own. `date` is the text of the Date field.
// Source: RFC 9110 §8.6, §9.3.2, §15.3.5, §15.4.5.
WireResponse write_response(reply::Reply&& reply, ResponseForm form, std::string_view date);

// Calls the handler; `form.is_head` is that of the request. A reply that cannot be written becomes
// a 500.
WireResponse make_response(const reply::Handler& handler, const spec::http::Request& request,
                           const reply::Peer& peer, ResponseForm form, std::string_view date);

// A part of the body that a stream makes, and what follows the last one: in chunks, or for HTTP/1.0
// as it is. Precondition: `wire.stream` was set.
std::string chunk_of(const WireResponse& wire, std::string bytes);
std::string_view last_chunk_of(const WireResponse& wire);

// Asks again for a response that was not ready; nothing if it still is not. `last`: it must be now.
// Precondition: `waiting.later` is set.
std::optional<WireResponse> ask_again(const WireResponse& waiting, bool last,
                                      std::string_view date);

// The response in place of one that waited for a write. Preconditions: `waiting.pending_write` is
// set and done.
WireResponse released(WireResponse&& waiting, std::string_view date);

// Why a request is rejected whose work ended in the exception that is being handled: for want of
// memory, or as an error of ours. Precondition: called in a handler of exceptions.
spec::http::Rejection rejection_of_exception();

// The transport's own response: {"code": ..., "message": ...} with CORS fields for `origin`.
spec::http::Response rejection_response(const spec::http::Rejection& rejection,
                                        std::optional<std::string_view> origin);

}  // namespace mock_server::transport
