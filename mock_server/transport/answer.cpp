#include "mock_server/transport/answer.hpp"

#include "spec/http/bytes.hpp"

#include <algorithm>
#include <array>

namespace mock_server::transport {

namespace {

constexpr std::array<std::string_view, 8> kOwnFields = {
    "connection", "content-length", "date",    "keep-alive",
    "te",         "trailer",        "upgrade", "transfer-encoding"};

bool is_own_field(std::string_view name) {
  return std::any_of(kOwnFields.begin(), kOwnFields.end(), [&](std::string_view own) {
    return own.size() == name.size() && spec::http::equals_ignoring_case(own, name);
  });
}

}  // namespace

bool is_writable(const spec::http::Headers& headers) {
  return std::all_of(headers.lines().begin(), headers.lines().end(), [](const auto& line) {
    return spec::http::is_token(line.first) &&
           spec::http::is_all(line.second, spec::http::kValueByte);
  });
}

void append_fields(std::string& out, const spec::http::Headers& headers) {
  for (const auto& [name, value] : headers.lines()) {
    if (!is_own_field(name)) {
      out.append(name).append(": ").append(value).append("\r\n");
    }
  }
}

void append_connection_fields(std::string& out, std::string_view date, Persistence persistence) {
  out.append("Date: ").append(date).append("\r\n");
  if (persistence == Persistence::kClose) {
    out.append("Connection: close\r\n");
  } else if (persistence == Persistence::kKeepExplicitly) {
    out.append("Connection: keep-alive\r\n");
  }
}

// Codes and messages are literals without a character that JSON escapes.
std::string refusal_body(const spec::http::Refusal& refusal) {
  std::string body = R"({"code":")";
  body.append(refusal.code).append(R"(","message":")").append(refusal.message);
  return body.append(R"("})");
}

Answer make_refusal(const spec::http::Refusal& refusal, std::optional<std::string_view> origin,
                    std::string_view date, std::string_view explained_at) {
  Answer answer;
  answer.status = refusal.status;
  answer.close = true;
  answer.body = refusal_body(refusal);
  std::string& head = answer.head;
  head.append("HTTP/1.1 ").append(std::to_string(refusal.status)).append(" ");
  head.append(spec::http::reason_phrase(refusal.status)).append("\r\n");
  head.append("Content-Type: application/json\r\nContent-Length: ");
  head.append(std::to_string(answer.body.size())).append("\r\n");
  if (origin) {
    head.append("Access-Control-Allow-Origin: ").append(*origin);
    head.append("\r\nAccess-Control-Allow-Credentials: true\r\nVary: Origin\r\n");
    if (!explained_at.empty()) {
      head.append("Access-Control-Expose-Headers: X-Counterpart-Explain\r\n");
    }
  } else {
    head.append("Access-Control-Allow-Origin: *\r\n");
  }
  if (!explained_at.empty()) {
    head.append("X-Counterpart-Explain: ").append(explained_at).append("\r\n");
  }
  if (refusal.status == 415) {
    head.append("Accept-Encoding: gzip, deflate, br\r\n");
  }
  if (refusal.status == 503) {
    head.append("Retry-After: 1\r\n");
  }
  append_connection_fields(head, date, Persistence::kClose);
  head.append("\r\n");
  return answer;
}

}  // namespace mock_server::transport
