#include "contract_tests/tests/support/tls_server.hpp"

#include <openssl/bio.h>
#include <openssl/pem.h>

#include <array>
#include <netinet/in.h>
#include <poll.h>
#include <string_view>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

namespace contract_tests::support {

namespace {

constexpr std::string_view kHeadEnd = "\r\n\r\n";
constexpr std::string_view kResponse =
    "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}";
constexpr std::string_view kOpened = "HTTP/1.1 200 Connection established\r\n\r\n";

// A wait of the peer's that never ends must not keep a test's server alive.
void bound_waits(int socket) {
  const timeval timeout{.tv_sec = 20, .tv_usec = 0};
  ::setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &timeout, sizeof timeout);
  ::setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &timeout, sizeof timeout);
}

std::vector<std::string> split_protocols(const unsigned char* list, unsigned size) {
  std::vector<std::string> names;
  for (unsigned at = 0; at < size; at += list[at] + 1U) {
    names.emplace_back(reinterpret_cast<const char*>(list) + at + 1, list[at]);
  }
  return names;
}

// OpenSSL's callback: notes what is offered and takes the first.
int note_protocols(SSL* ssl, const unsigned char** chosen, unsigned char* chosen_size,
                   const unsigned char* offered, unsigned offered_size, void* /*unused*/) {
  auto* hello = static_cast<Hello*>(SSL_get_app_data(ssl));
  hello->protocols = split_protocols(offered, offered_size);
  *chosen = offered + 1;
  *chosen_size = offered[0];
  return SSL_TLSEXT_ERR_OK;
}

SSL_CTX* context_for(const Identity& identity) {
  SSL_CTX* context = SSL_CTX_new(TLS_server_method());
  SSL_CTX_set_alpn_select_cb(context, &note_protocols, nullptr);
  BIO* certificate = BIO_new_mem_buf(identity.certificate.data(), -1);
  BIO* key = BIO_new_mem_buf(identity.key.data(), -1);
  X509* parsed = PEM_read_bio_X509(certificate, nullptr, nullptr, nullptr);
  EVP_PKEY* secret = PEM_read_bio_PrivateKey(key, nullptr, nullptr, nullptr);
  SSL_CTX_use_certificate(context, parsed);
  SSL_CTX_use_PrivateKey(context, secret);
  X509_free(parsed);
  EVP_PKEY_free(secret);
  BIO_free(certificate);
  BIO_free(key);
  return context;
}

int connect_to_loopback(int port) {
  const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  ::connect(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address);
  return socket;
}

// False at the end of the stream.
bool carry(int from, int to) {
  std::array<char, 16384> block{};
  const auto got = ::recv(from, block.data(), block.size(), 0);
  return got > 0 && ::send(to, block.data(), static_cast<std::size_t>(got), MSG_NOSIGNAL) == got;
}

void carry_both_ways(int left, int right, const std::atomic<bool>& stopping) {
  std::array<pollfd, 2> entries{{{.fd = left, .events = POLLIN, .revents = 0},
                                 {.fd = right, .events = POLLIN, .revents = 0}}};
  while (!stopping) {
    ::poll(entries.data(), entries.size(), 20);
    if ((entries[0].revents != 0 && !carry(left, right)) ||
        (entries[1].revents != 0 && !carry(right, left))) {
      return;
    }
  }
}

std::string read_head(int socket) {
  std::string head;
  for (char letter = 0; !head.ends_with(kHeadEnd) && ::recv(socket, &letter, 1, 0) == 1;) {
    head += letter;
  }
  return head;
}

}  // namespace

TlsServer::TlsServer(const Identity& identity)
    : context_(context_for(identity)), listener_([this](int socket) { serve(socket); }) {}

std::vector<Hello> TlsServer::hellos() const {
  const std::lock_guard lock(mutex_);
  return hellos_;
}

std::vector<std::string> TlsServer::received() const {
  const std::lock_guard lock(mutex_);
  return received_;
}

void TlsServer::serve(int socket) {
  bound_waits(socket);
  Hello hello;
  SSL* ssl = SSL_new(context_.get());
  SSL_set_app_data(ssl, &hello);
  SSL_set_fd(ssl, socket);
  hello.agreed = SSL_accept(ssl) == 1;
  const char* name = SSL_get_servername(ssl, TLSEXT_NAMETYPE_host_name);
  hello.server_name = name == nullptr ? "" : name;
  {
    const std::lock_guard lock(mutex_);
    hellos_.push_back(hello);
  }
  if (hello.agreed) {
    converse(ssl);
  }
  SSL_free(ssl);
  ::close(socket);
}

void TlsServer::converse(SSL* ssl) {
  std::array<char, 4096> block{};
  std::string bytes;
  for (int got = 1; got > 0;) {
    const auto end = bytes.find(kHeadEnd);
    if (end != std::string::npos) {
      const std::lock_guard lock(mutex_);
      received_.push_back(bytes.substr(0, end + kHeadEnd.size()));
      bytes.erase(0, end + kHeadEnd.size());
      SSL_write(ssl, kResponse.data(), static_cast<int>(kResponse.size()));
      continue;
    }
    got = SSL_read(ssl, block.data(), static_cast<int>(block.size()));
    bytes.append(block.data(), got > 0 ? static_cast<std::size_t>(got) : 0);
  }
}

TunnelProxy::TunnelProxy(int target_port, std::string rejection)
    : target_port_(target_port),
      rejection_(std::move(rejection)),
      listener_([this](int socket) { serve(socket); }) {}

std::vector<std::string> TunnelProxy::received() const {
  const std::lock_guard lock(mutex_);
  return received_;
}

void TunnelProxy::serve(int socket) {
  bound_waits(socket);
  {
    auto head = read_head(socket);
    const std::lock_guard lock(mutex_);
    received_.push_back(std::move(head));
  }
  const std::string_view said = rejection_.empty() ? kOpened : std::string_view(rejection_);
  ::send(socket, said.data(), said.size(), MSG_NOSIGNAL);
  if (rejection_.empty()) {
    const int target = connect_to_loopback(target_port_);
    carry_both_ways(socket, target, listener_.stopping());
    ::close(target);
  }
  ::close(socket);
}

}  // namespace contract_tests::support
