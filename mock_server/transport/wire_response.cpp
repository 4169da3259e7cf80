#include "mock_server/transport/wire_response.hpp"

#include "mock_server/reply/cors.hpp"
#include "mock_server/reply/json_response.hpp"
#include "spec/http/bytes.hpp"
#include "spec/http/chunk.hpp"
#include "spec/http/header_field.hpp"
#include "spec/text/ascii.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>

namespace mock_server::transport {

namespace {

using std::string_view_literals::operator""sv;

constexpr std::size_t kUsualHeadBytes = 512;
constexpr std::string_view kLineEnd = "\r\n";

constexpr spec::http::Rejection kServerError = {500, "INTERNAL_SERVER_ERROR",
                                                "cannot make the response"};

bool is_own_field(std::string_view name, bool passed_on) {
  return spec::http::is_of_connection(name) ||
         spec::text::equals_ignoring_case(name, "Content-Length") ||
         (!passed_on && spec::text::equals_ignoring_case(name, "Date"));
}

// False when a field could not be written without changing what the others mean: a name that is no
// token or a value with a control character.
bool is_writable(const spec::http::Headers& headers) {
  return std::all_of(headers.lines().begin(), headers.lines().end(), [](const auto& line) {
    return spec::http::is_token(line.first) &&
           spec::http::is_all(line.second, spec::http::kValueByte);
  });
}

bool is_sound(const spec::http::Response& response) {
  return response.status >= 200 && response.status <= 999 && is_writable(response.headers) &&
         spec::http::is_all(response.reason, spec::http::kValueByte);
}

reply::Reply server_error() {
  return {rejection_response(kServerError, std::nullopt), {}};
}

// The length of the body; for HEAD that of GET, nothing where it is not known: the response is the
// contract's for HEAD, which has no body. Source: RFC 9110 §8.6.
std::optional<std::string> length_of(const spec::http::Response& response, bool is_head) {
  if (!is_head || !response.body.empty()) {
    return std::to_string(response.body.size());
  }
  const auto own = response.headers.find("Content-Length");
  return own ? std::optional(std::string(*own)) : std::nullopt;
}

// Every piece at its place in room that is made once.
void append_field(std::string& head, std::string_view name, std::string_view value) {
  const std::size_t size = head.size();
  head.resize(size + name.size() + value.size() + 4);
  char* at = std::copy(name.begin(), name.end(), head.data() + size);
  *at++ = ':';
  *at++ = ' ';
  at = std::copy(value.begin(), value.end(), at);
  *at++ = '\r';
  *at = '\n';
}

void append_fields(std::string& head, const spec::http::Headers& headers, bool passed_on) {
  for (const auto& [name, value] : headers.lines()) {
    if (!is_own_field(name, passed_on)) {
      append_field(head, name, value);
    }
  }
}

// The field that gives the length of the body; no field if no body may be sent, or if the end
// of the connection is the end of the body.
void append_framing(std::string& head, const reply::Reply& reply, ResponseForm form,
                    bool is_stream) {
  const spec::http::Response& response = reply.response;
  if (reply.passed_on && spec::http::may_have_length(response.status) &&
      (is_stream || form.is_head || response.status == 304)) {
    const auto own = response.headers.find("Content-Length");
    if (own) {
      append_field(head, "Content-Length", *own);
    }
    if (own || !is_stream) {
      return;
    }
  }
  if (spec::http::is_bodiless(response.status) ||
      (is_stream && (form.is_head || form.is_http_1_0))) {
    return;
  }
  if (is_stream) {
    append_field(head, "Transfer-Encoding", "chunked");
  } else if (const auto length = length_of(response, form.is_head)) {
    append_field(head, "Content-Length", *length);
  }
}

void append_status_line(std::string& head, const spec::http::Response& response, bool passed_on) {
  const bool is_usual = response.reason.empty() && !passed_on;
  if (is_usual && response.status == 200) {
    head += "HTTP/1.1 200 OK\r\n"sv;
    return;
  }
  head += "HTTP/1.1 "sv;
  head += std::to_string(response.status);
  head += ' ';
  head += is_usual ? spec::http::reason_phrase(response.status) : std::string_view(response.reason);
  head += kLineEnd;
}

// Source: RFC 9110 §15.2: none for HTTP/1.0.
void append_interim(std::string& head, const reply::Reply& reply, ResponseForm form) {
  for (const spec::http::Response& one : reply.interim) {
    if (!form.is_http_1_0) {
      append_status_line(head, one, true);
      append_fields(head, one.headers, true);
      head += kLineEnd;
    }
  }
}

std::string head_of(const reply::Reply& reply, ResponseForm form, bool is_stream,
                    std::string_view date) {
  const spec::http::Response& response = reply.response;
  std::string head;
  head.reserve(kUsualHeadBytes);
  append_interim(head, reply, form);
  append_status_line(head, response, reply.passed_on);
  append_framing(head, reply, form, is_stream);
  append_fields(head, response.headers, reply.passed_on);
  if (!reply.passed_on || !response.headers.has("Date")) {
    append_field(head, "Date", date);
  }
  if (form.persistence == Persistence::kClose) {
    append_field(head, "Connection", "close");
  } else if (form.persistence == Persistence::kKeepExplicitly) {
    append_field(head, "Connection", "keep-alive");
  }
  head += kLineEnd;
  return head;
}

// The response of a handler or of a `later`, if it can be written.
WireResponse checked_response(reply::Reply&& reply, ResponseForm form, std::string_view date) {
  if (!is_sound(reply.response)) {
    auto held = std::move(reply.pending_write);
    reply = server_error();
    reply.pending_write = std::move(held);
  }
  const auto connection = reply.response.headers.find("Connection");
  if (connection && spec::text::equals_ignoring_case(*connection, "close")) {
    form.persistence = Persistence::kClose;
  }
  return write_response(std::move(reply), form, date);
}

}  // namespace

WireResponse write_response(reply::Reply&& reply, ResponseForm form, std::string_view date) {
  if (reply::is_of_items(reply.delivery.fault)) {
    reply.delivery.fault = reply::Fault::kNone;
  }
  const bool is_stream = reply.stream && reply.delivery.fault == reply::Fault::kNone;
  const bool has_body = !form.is_head && !spec::http::is_bodiless(reply.response.status);
  if (is_stream && has_body && form.is_http_1_0) {
    form.persistence = Persistence::kClose;
  }
  WireResponse wire;
  wire.form = form;
  wire.later = std::move(reply.later);
  wire.pending_write = std::move(reply.pending_write);
  wire.pending_response = std::move(reply.pending_response);
  wire.needs_worker = reply.needs_worker;
  wire.delivery = reply.delivery;
  if (reply.stream) {
    reply.response.body.clear();
  }
  wire.head = head_of(reply, form, is_stream, date);
  wire.passed_on = reply.passed_on;
  wire.has_own_end = reply.passed_on && !reply.is_endless;
  wire.has_length = reply.passed_on && reply.response.headers.has("Content-Length");
  if (has_body) {
    wire.body = std::move(reply.response.body);
  }
  if (is_stream && has_body) {
    wire.stream = std::move(reply.stream);
    wire.stream_bytes = reply.stream_bytes;
  }
  return wire;
}

WireResponse make_response(const reply::Handler& handler, const spec::http::Request& request,
                           const reply::Peer& peer, ResponseForm form, std::string_view date) {
  form.is_head = request.method == "HEAD";
  return checked_response(handler(request, peer), form, date);
}

std::string chunk_of(const WireResponse& wire, std::string bytes) {
  return wire.form.is_http_1_0 || wire.has_length ? std::move(bytes) : spec::http::chunk(bytes);
}

std::string_view last_chunk_of(const WireResponse& wire) {
  return wire.form.is_http_1_0 || wire.has_length ? std::string_view() : spec::http::kLastChunk;
}

std::optional<WireResponse> ask_again(const WireResponse& waiting, bool last,
                                      std::string_view date) {
  std::optional<spec::http::Response> response;
  try {
    response = waiting.later(last);
  } catch (...) {
    response = server_error().response;
  }
  if (!response) {
    return std::nullopt;
  }
  return checked_response({std::move(*response), {}}, waiting.form, date);
}

WireResponse released(WireResponse&& waiting, std::string_view date) {
  const auto held = std::exchange(waiting.pending_write, nullptr);
  auto instead = held->instead();
  return instead ? checked_response({std::move(*instead), {}}, waiting.form, date)
                 : std::move(waiting);
}

spec::http::Rejection rejection_of_exception() {
  try {
    throw;
  } catch (const std::bad_alloc&) {
    return kNoMemory;
  } catch (...) {
    return kServerError;
  }
}

spec::http::Response rejection_response(const spec::http::Rejection& rejection,
                                        std::optional<std::string_view> origin) {
  spec::http::Response response =
      reply::error_response(rejection.status, rejection.code, rejection.message);
  reply::allow_origin(origin, response);
  spec::http::Headers& headers = response.headers;
  if (origin) {
    headers.add("Vary", "Origin");
  }
  if (rejection.status == 415) {
    headers.add("Accept-Encoding", "gzip, deflate, br");
  }
  if (rejection.status == 503) {
    headers.add("Retry-After", "1");
  }
  return response;
}

}  // namespace mock_server::transport
