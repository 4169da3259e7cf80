#include "contract_tests/tests/liar/liar.hpp"

#include "contract_tests/tests/liar/transform.hpp"
#include "spec/http/request_parser.hpp"

#include <arpa/inet.h>
#include <array>
#include <cstdio>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace contract_tests::liar {

using spec::http::Request;

namespace {

constexpr int kTickMs = 50;  // how soon a stop is seen

bool is_readable(int descriptor, const std::atomic<bool>& stopping) {
  while (!stopping) {
    pollfd entry{.fd = descriptor, .events = POLLIN, .revents = 0};
    if (::poll(&entry, 1, kTickMs) > 0) {
      return true;
    }
  }
  return false;
}

bool write_all(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    const auto put = ::send(descriptor, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (put <= 0) {
      return false;
    }
    bytes.remove_prefix(static_cast<std::size_t>(put));
  }
  return true;
}

std::string chunked(const Wire& wire) {
  const auto& body = wire.response.body;
  std::array<char, 32> size{};
  std::snprintf(size.data(), size.size(), "%zx", body.size());
  std::string text = (wire.bad_chunk_size ? "zz" : size.data());
  text += ";note=\"x\"\r\n" + body + "\r\n";
  return wire.no_last_chunk ? text : text + "0\r\nX-Trailer: 1\r\n\r\n";
}

std::string bytes_of(const Wire& wire, const Request& request) {
  if (!wire.raw.empty()) {
    return wire.raw;
  }
  const auto& response = wire.response;
  auto reason = response.reason;
  if (reason.empty()) {
    reason = spec::http::reason_phrase(response.status);
  }
  auto text = wire.interim + "HTTP/1.1 " + std::to_string(response.status) + ' ' + reason + "\r\n";
  for (const auto& [name, value] : response.headers.lines()) {
    text += name + ": " + value + "\r\n";
  }
  const bool bodiless = response.status == 204 || response.status == 304;
  const bool head = request.method == "HEAD";
  if (wire.chunked) {
    text += "Transfer-Encoding: chunked\r\n";
  }
  if (!wire.chunked && !wire.close && !bodiless && !head) {
    const auto length = static_cast<long>(response.body.size()) + wire.length_delta;
    text += "Content-Length: " + std::to_string(length) + "\r\n";
  }
  text += wire.close ? "Connection: close\r\n\r\n" : "\r\n";
  if (!bodiless && (!head || wire.keep_head_body)) {
    text += wire.chunked ? chunked(wire) : response.body;
  }
  return text + wire.surplus;
}

}  // namespace

Liar::Liar(client::BaseUrl honest, std::vector<Behaviour> behaviours)
    : honest_(std::move(honest)), behaviours_(std::move(behaviours)) {
  listener_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  ::bind(listener_, reinterpret_cast<sockaddr*>(&address), size);
  ::listen(listener_, 64);
  ::getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &size);
  port_ = ntohs(address.sin_port);
  acceptor_ = std::jthread([this] { accept_all(); });
}

Liar::~Liar() {
  stopping_ = true;
  acceptor_.join();
  connections_.clear();
  ::close(listener_);
}

client::BaseUrl Liar::url() const {
  return {false, "127.0.0.1", port_, ""};
}

void Liar::accept_all() {
  while (is_readable(listener_, stopping_)) {
    const int connection = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
    const int on = 1;
    ::setsockopt(connection, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    connections_.emplace_back([this, connection] { serve(connection); });
  }
}

void Liar::serve(int connection) {
  client::Client honest(honest_, trust_);
  const spec::http::RequestLimits limits;
  spec::http::RequestParser parser(limits);
  std::array<char, 16384> block{};
  bool close = false;
  bool continued = false;
  while (!close && is_readable(connection, stopping_)) {
    const auto got = ::recv(connection, block.data(), block.size(), 0);
    if (got <= 0) {
      break;
    }
    std::string_view bytes(block.data(), static_cast<std::size_t>(got));
    while (!bytes.empty() && !close) {
      bytes.remove_prefix(parser.feed(bytes));
      using Stage = spec::http::RequestParser::Stage;
      if (parser.stage() == Stage::kRefused) {
        close = true;
      } else if (parser.stage() == Stage::kBody && parser.expects_continue() && !continued) {
        continued = true;
        write_all(connection, "HTTP/1.1 100 Continue\r\n\r\n");
      } else if (parser.stage() == Stage::kComplete) {
        const auto answered = answer(std::move(parser.request()), honest, close);
        close = !write_all(connection, answered) || close;
        parser.reset();
        continued = false;
      }
    }
  }
  ::shutdown(connection, SHUT_WR);
  ::close(connection);
}

std::string Liar::answer(Request request, client::Client& honest, bool& close) {
  const auto count = ++count_;
  auto asked = request;
  for (const auto& behaviour : behaviours_) {
    if (applies(behaviour.when, request, count)) {
      change_request(behaviour.request, asked);
    }
  }
  for (const auto* name : {"Content-Length", "Transfer-Encoding", "Expect", "Connection"}) {
    asked.headers.remove(name);
  }
  const auto exchange = honest.send(std::move(asked));
  Wire wire;
  wire.response = exchange.record.response;
  for (const auto* name : {"Content-Length", "Transfer-Encoding", "Connection"}) {
    wire.response.headers.remove(name);
  }
  for (const auto& behaviour : behaviours_) {
    if (applies(behaviour.when, request, count)) {
      change_answer(behaviour.answer, request, wire);
    }
  }
  close = wire.close || !wire.raw.empty() || wire.no_last_chunk || wire.bad_chunk_size ||
          wire.length_delta > 0;
  return bytes_of(wire, request);
}

}  // namespace contract_tests::liar
