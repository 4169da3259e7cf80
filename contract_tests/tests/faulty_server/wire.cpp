#include "contract_tests/tests/faulty_server/wire.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <vector>

namespace contract_tests::faulty_server {

using spec::http::Request;

namespace {

std::string hex(std::size_t size) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%zx", size);
  return text.data();
}

std::string chunked(const Wire& wire) {
  const std::string_view body = wire.response.body;
  const auto step =
      wire.chunk_bytes == 0 ? std::max<std::size_t>(body.size(), 1) : wire.chunk_bytes;
  std::string text;
  for (std::size_t at = 0; at < body.size(); at += step) {
    const auto part = body.substr(at, step);
    text += (wire.bad_chunk_size ? "zz" : hex(part.size())) + ";note=\"x\"\r\n";
    text.append(part) += "\r\n";
  }
  return wire.no_last_chunk ? text : text + "0\r\n" + wire.trailer + "\r\n";
}

std::string cased(const Wire& wire, std::string name) {
  const auto change = [&](char first, char last, int by) {
    for (auto& letter : name) {
      letter = letter >= first && letter <= last ? static_cast<char>(letter + by) : letter;
    }
  };
  if (wire.lower_names) {
    change('A', 'Z', 32);
  } else if (wire.upper_names) {
    change('a', 'z', -32);
  }
  return name;
}

bool is_bodiless(int status) {
  return status == 204 || status == 304;
}

std::vector<std::string> head_lines(const Wire& wire, bool head) {
  std::vector<std::string> lines;
  const auto& response = wire.response;
  for (const auto& [name, value] : response.headers.lines()) {
    lines.push_back(cased(wire, name) + ": " + value);
  }
  if (wire.chunked && !is_bodiless(response.status)) {
    lines.push_back(cased(wire, "Transfer-Encoding") + ": chunked");
  }
  const bool framed = !wire.chunked && !wire.close && !wire.without_length;
  if (framed && !is_bodiless(response.status) && !head) {
    const auto length = static_cast<long>(response.body.size()) + wire.length_delta;
    lines.push_back(cased(wire, "Content-Length") + ": " + std::to_string(length));
  }
  if (wire.close || wire.close_after) {
    lines.push_back(cased(wire, "Connection") + ": close");
  }
  if (wire.reversed) {
    std::ranges::reverse(lines);
  }
  return lines;
}

}  // namespace

std::string bytes_of(const Wire& wire, const Request& request) {
  if (!wire.raw.empty() || wire.no_response) {
    return wire.raw;
  }
  const auto& response = wire.response;
  const bool head = request.method == "HEAD";
  auto reason = response.reason;
  if (reason.empty()) {
    reason = spec::http::reason_phrase(response.status);
  }
  auto text = wire.interim + wire.version + ' ' + std::to_string(response.status) + ' ' +
              (reason == "-" ? "" : reason) + wire.line_end;
  for (const auto& line : head_lines(wire, head)) {
    text += line + wire.line_end;
  }
  text += wire.line_end;
  if (!is_bodiless(response.status) && (!head || wire.keep_head_body)) {
    text += wire.chunked ? chunked(wire) : response.body;
  }
  text += wire.surplus;
  text.resize(text.size() - std::min(text.size(), wire.cut_wire));
  return text;
}

bool ends_connection(const Wire& wire) {
  return wire.close || wire.close_after || !wire.raw.empty() || wire.no_response || wire.endless ||
         wire.no_last_chunk || wire.bad_chunk_size || wire.length_delta > 0 || wire.cut_wire > 0 ||
         wire.without_length || wire.version == "HTTP/1.0";
}

}  // namespace contract_tests::faulty_server
