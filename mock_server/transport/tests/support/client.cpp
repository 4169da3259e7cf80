#include "mock_server/transport/tests/support/client.hpp"

#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdexcept>
#include <sys/socket.h>
#include <sys/un.h>
#include <thread>
#include <unistd.h>
#include <utility>

namespace mock_server::transport::testing {

namespace {

using Clock = std::chrono::steady_clock;

int connected(int family, const sockaddr* address, socklen_t size) {
  const int descriptor = socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (descriptor < 0 || connect(descriptor, address, size) != 0) {
    const std::string reason = std::strerror(errno);
    close(descriptor);
    throw std::runtime_error("cannot connect: " + reason);
  }
  return descriptor;
}

Wait left_until(Clock::time_point end) {
  return std::max(Wait(0), std::chrono::ceil<Wait>(end - Clock::now()));
}

}  // namespace

Client::Client(int port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  descriptor_ = connected(AF_INET, reinterpret_cast<const sockaddr*>(&address), sizeof address);
  const int on = 1;
  setsockopt(descriptor_, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
}

Client::Client(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  path.copy(address.sun_path, sizeof address.sun_path - 1);
  descriptor_ = connected(AF_UNIX, reinterpret_cast<const sockaddr*>(&address), sizeof address);
}

Client::Client(Client&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)),
      tls_(std::exchange(other.tls_, nullptr)),
      unread_(std::move(other.unread_)),
      ended_(other.ended_),
      was_reset_(other.was_reset_) {}

Client::~Client() {
  close();
}

void Client::close() {
  SSL_free(std::exchange(tls_, nullptr));
  if (descriptor_ >= 0) {
    ::close(std::exchange(descriptor_, -1));
  }
}

bool Client::start_tls(std::string_view protocols) {
  SSL_CTX* context = SSL_CTX_new(TLS_client_method());
  tls_ = SSL_new(context);
  SSL_CTX_free(context);
  SSL_set_fd(tls_, descriptor_);
  SSL_set_alpn_protos(tls_, reinterpret_cast<const unsigned char*>(protocols.data()),
                      static_cast<unsigned>(protocols.size()));
  const bool stands = SSL_connect(tls_) == 1;
  ERR_clear_error();
  return stands;
}

std::string Client::peer_print() const {
  X509* const certificate = tls_ == nullptr ? nullptr : SSL_get1_peer_certificate(tls_);
  if (certificate == nullptr) {
    return "";
  }
  std::string digest(EVP_MAX_MD_SIZE, '\0');
  unsigned size = 0;
  X509_digest(certificate, EVP_sha256(), reinterpret_cast<unsigned char*>(digest.data()), &size);
  X509_free(certificate);
  digest.resize(size);
  return digest;
}

bool Client::send(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t sent = tls_ == nullptr
                             ? ::send(descriptor_, bytes.data(), bytes.size(), MSG_NOSIGNAL)
                             : SSL_write(tls_, bytes.data(), static_cast<int>(bytes.size()));
    if (sent <= 0) {
      ERR_clear_error();
      return false;
    }
    bytes.remove_prefix(static_cast<std::size_t>(sent));
  }
  return true;
}

void Client::end_writing() {
  if (tls_ != nullptr) {
    SSL_shutdown(tls_);
  }
  shutdown(descriptor_, SHUT_WR);
}

void Client::reset() {
  const linger at_once{1, 0};
  setsockopt(descriptor_, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
  close();
}

bool Client::wait_to_read(Wait wait) const {
  if (tls_ != nullptr && SSL_pending(tls_) > 0) {
    return true;
  }
  pollfd socket{descriptor_, POLLIN, 0};
  return poll(&socket, 1, static_cast<int>(wait.count())) > 0;
}

std::string Client::read(Wait wait, std::size_t most) {
  if (!unread_.empty()) {
    return std::exchange(unread_, {});
  }
  if (ended_ || !wait_to_read(wait)) {
    return {};
  }
  std::string bytes(most, '\0');
  const ssize_t count = tls_ == nullptr
                            ? recv(descriptor_, bytes.data(), bytes.size(), 0)
                            : SSL_read(tls_, bytes.data(), static_cast<int>(bytes.size()));
  if (count <= 0) {
    ended_ = true;
    was_reset_ = count < 0 && errno == ECONNRESET;
    ERR_clear_error();
    return {};
  }
  bytes.resize(static_cast<std::size_t>(count));
  return bytes;
}

spec::http::ResponseRecord Client::read_response(std::string_view method, Wait wait) {
  spec::http::ResponseParser parser(method);
  const Clock::time_point end = Clock::now() + wait;
  while (!parser.has_ended()) {
    const std::string bytes = read(left_until(end));
    if (!bytes.empty()) {
      unread_ = bytes.substr(parser.feed(bytes));
    } else if (ended_) {
      parser.end_of_input();
    } else if (Clock::now() >= end) {
      break;
    }
  }
  return parser.take();
}

Connection Client::state(Wait wait) {
  const Clock::time_point end = Clock::now() + wait;
  while (!ended_) {
    if (read(left_until(end)).empty() && !ended_ && Clock::now() >= end) {
      return Connection::kOpen;
    }
  }
  return was_reset_ ? Connection::kReset : Connection::kClosed;
}

int status_of_fresh_request(int port, bool with_tls) {
  Client client(port);
  if (with_tls && !client.start_tls()) {
    return 0;
  }
  client.send("GET /alive HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
  const spec::http::ResponseRecord record = client.read_response();
  return record.ending == spec::http::Ending::kComplete ? record.head.status : 0;
}

void await_closed(int port) {
  const auto end = Clock::now() + std::chrono::minutes(1);
  try {
    while (Clock::now() < end) {
      Client client(port);
      std::this_thread::sleep_for(Wait(5));
    }
  } catch (const std::runtime_error&) {  // it cannot connect
  }
}

}  // namespace mock_server::transport::testing
