#include "mock_server/transport/answer.hpp"

#include "spec/http/bytes.hpp"

#include <algorithm>
#include <array>
#include <utility>

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

spec::http::Response refusal_response(const spec::http::Refusal& refusal,
                                      std::optional<std::string_view> origin) {
  spec::http::Response response;
  response.status = refusal.status;
  spec::http::Headers& headers = response.headers;
  headers.add("Content-Type", "application/json");
  headers.add("Access-Control-Allow-Origin", std::string(origin.value_or("*")));
  if (origin) {
    headers.add("Access-Control-Allow-Credentials", "true");
    headers.add("Vary", "Origin");
  }
  if (refusal.status == 415) {
    headers.add("Accept-Encoding", "gzip, deflate, br");
  }
  if (refusal.status == 503) {
    headers.add("Retry-After", "1");
  }
  // Codes and messages are literals without a character that JSON escapes.
  response.body.append(R"({"code":")").append(refusal.code);
  response.body.append(R"(","message":")").append(refusal.message).append(R"("})");
  return response;
}

Answer last_answer(spec::http::Response response, std::string_view date) {
  Answer answer;
  answer.status = response.status;
  answer.close = true;
  std::string& head = answer.head;
  head.append("HTTP/1.1 ").append(std::to_string(response.status)).append(" ");
  head.append(spec::http::reason_phrase(response.status)).append("\r\nContent-Length: ");
  head.append(std::to_string(response.body.size())).append("\r\n");
  append_fields(head, response.headers);
  append_connection_fields(head, date, Persistence::kClose);
  head.append("\r\n");
  answer.body = std::move(response.body);
  return answer;
}

}  // namespace mock_server::transport
