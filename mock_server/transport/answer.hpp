#pragma once

// An answer as bytes, and the fields that every answer of the transport has. Made by the bridge
// from the service's reply or here from a refusal, spoilt by mock_server/transport/faults if so
// ordered.

#include "mock_server/service/reply.hpp"
#include "mock_server/transport/clock.hpp"
#include "spec/http/message.hpp"
#include "spec/http/request_parser.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace mock_server::transport {

// How the connection goes on after an answer, as its head must say it.
enum class Persistence { kKeep, kKeepExplicitly /* for HTTP/1.0 */, kClose };

struct Answer {
  std::string head;  // status line and fields, with the empty line
  std::string body;  // "" where none may be sent
  service::Delivery delivery;
  int status = 200;
  bool close = false;  // the connection ends after it, and the head says so
  // When set, the answer is still to come: Bridge::ask_again() makes it, for this request.
  service::Later later{};
  bool is_head = false;
  Persistence persistence = Persistence::kKeep;
};

// False when a field could not be written without changing what the others mean: a name that is no
// token or a value with a control character.
bool is_writable(const spec::http::Headers& headers);

// Appends the reply's fields as lines, but those that belong to the transport (framing, connection
// and Date).
void append_fields(std::string& out, const spec::http::Headers& headers);

// Appends "Date: ..." and, where one is due, "Connection: ...".
void append_connection_fields(std::string& out, std::string_view date, Persistence persistence);

// The transport's own answer: {"code": ..., "message": ...} with CORS fields for `origin`.
spec::http::Response refusal_response(const spec::http::Refusal& refusal,
                                      std::optional<std::string_view> origin);

// `response` as the last answer of its connection.
Answer last_answer(spec::http::Response response, std::string_view date);

}  // namespace mock_server::transport
