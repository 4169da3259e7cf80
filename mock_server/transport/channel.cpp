#include "mock_server/transport/channel.hpp"

#include "spec/load_error.hpp"

#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509err.h>

#include <array>
#include <cerrno>
#include <filesystem>
#include <linux/sockios.h>
#include <memory>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <string_view>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace mock_server::transport {

namespace {

// The list of protocols in the form of RFC 7301 §3.1: each with its length before it.
constexpr std::array<unsigned char, 9> kProtocols = {8, 'h', 't', 't', 'p', '/', '1', '.', '1'};

std::string last_error() {
  std::array<char, 256> text{};
  ERR_error_string_n(ERR_peek_last_error(), text.data(), text.size());
  ERR_clear_error();
  return text.data();
}

// NOLINTNEXTLINE(readability-function-size): the form that OpenSSL calls
int choose_protocol(SSL*, const unsigned char** chosen, unsigned char* size,
                    const unsigned char* offered, unsigned int offered_size, void*) {
  unsigned char* found = nullptr;
  if (SSL_select_next_proto(&found, size, kProtocols.data(), kProtocols.size(), offered,
                            offered_size) != OPENSSL_NPN_NEGOTIATED) {
    return SSL_TLSEXT_ERR_ALERT_FATAL;
  }
  *chosen = found;
  return SSL_TLSEXT_ERR_OK;
}

// A file with a passphrase must not stop the start to ask for it.
int no_passphrase(char*, int, int, void*) {
  return 0;
}

// Reading anything but a regular file, a pipe say, might never end.
void demand_file(const char* flag, const std::string& path) {
  std::error_code error;
  const auto type = std::filesystem::status(path, error).type();
  if (type == std::filesystem::file_type::not_found || type == std::filesystem::file_type::none) {
    throw spec::LoadError(
        flag, path + " cannot be read: " + error.message() + "; name a PEM file that there is");
  }
  if (type != std::filesystem::file_type::regular) {
    throw spec::LoadError(flag, path + " is not a regular file; a PEM file is needed");
  }
}

}  // namespace

TlsContext::TlsContext(const std::string& certificate, const std::string& key)
    : context_(SSL_CTX_new(TLS_server_method())) {
  if (context_ == nullptr) {
    throw spec::LoadError("--tls-cert", "TLS is not available: " + last_error());
  }
  const std::unique_ptr<SSL_CTX, decltype(&SSL_CTX_free)> guard(context_, SSL_CTX_free);
  SSL_CTX_set_min_proto_version(context_, TLS1_2_VERSION);
  SSL_CTX_set_options(
      context_, SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION | SSL_OP_CIPHER_SERVER_PREFERENCE);
  SSL_CTX_set_mode(context_, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER |
                                 SSL_MODE_RELEASE_BUFFERS);
  SSL_CTX_set_session_cache_mode(context_, SSL_SESS_CACHE_OFF);
  SSL_CTX_set_alpn_select_cb(context_, choose_protocol, nullptr);
  SSL_CTX_set_default_passwd_cb(context_, no_passphrase);
  demand_file("--tls-cert", certificate);
  demand_file("--tls-key", key);
  if (SSL_CTX_use_certificate_chain_file(context_, certificate.c_str()) != 1) {
    throw spec::LoadError("--tls-cert",
                          certificate + " cannot be read as a PEM certificate: " + last_error());
  }
  if (SSL_CTX_use_PrivateKey_file(context_, key.c_str(), SSL_FILETYPE_PEM) != 1) {
    if (ERR_GET_REASON(ERR_peek_last_error()) == X509_R_KEY_VALUES_MISMATCH) {
      throw spec::LoadError("--tls-key", key + " is not the key of " + certificate);
    }
    throw spec::LoadError("--tls-key", key + " cannot be read as a PEM key: " + last_error());
  }
  SSL_CTX_up_ref(context_);
}

TlsContext::~TlsContext() {
  SSL_CTX_free(context_);
}

void TlsContext::take_over(TlsContext& other) {
  const std::scoped_lock lock(mutex_, other.mutex_);
  std::swap(context_, other.context_);
}

SSL* TlsContext::accept(int descriptor) const {
  SSL* tls = nullptr;
  {
    const std::lock_guard lock(mutex_);
    tls = SSL_new(context_);
  }
  if (tls == nullptr || SSL_set_fd(tls, descriptor) != 1) {
    SSL_free(tls);
    ERR_clear_error();
    return nullptr;
  }
  SSL_set_accept_state(tls);
  return tls;
}

namespace {

constexpr int kSmallSendBuffer = 64 * 1024;

IoResult plain_result(ssize_t returned) {
  if (returned > 0) {
    return {IoResult::Kind::kMoved, static_cast<std::size_t>(returned)};
  }
  if (returned == 0) {
    return {IoResult::Kind::kEnded};
  }
  const bool later = errno == EAGAIN || errno == EINTR;
  return {later ? IoResult::Kind::kBlocked : IoResult::Kind::kFailed};
}

}  // namespace

IoResult Channel::tls_result(int returned) {
  if (returned > 0) {
    return {IoResult::Kind::kMoved, static_cast<std::size_t>(returned)};
  }
  switch (SSL_get_error(tls_, returned)) {
    case SSL_ERROR_WANT_READ:
    case SSL_ERROR_WANT_WRITE: return {IoResult::Kind::kBlocked};
    case SSL_ERROR_ZERO_RETURN: return {IoResult::Kind::kEnded};
    default:
      spoke_plain_ = ERR_GET_REASON(ERR_peek_error()) == SSL_R_HTTP_REQUEST;
      ERR_clear_error();
      return {IoResult::Kind::kFailed};
  }
}

IoResult Channel::shake_hands() {
  if (tls_ == nullptr || SSL_is_init_finished(tls_) != 0) {
    return {IoResult::Kind::kMoved};
  }
  ERR_clear_error();
  return tls_result(SSL_do_handshake(tls_));
}

bool Channel::fall_back_to_plain() {
  if (!spoke_plain_) {
    return false;
  }
  SSL_free(tls_);
  tls_ = nullptr;
  return true;
}

IoResult Channel::read(std::span<char> into) {
  if (tls_ == nullptr) {
    return plain_result(recv(descriptor_, into.data(), into.size(), 0));
  }
  ERR_clear_error();
  return tls_result(SSL_read(tls_, into.data(), static_cast<int>(into.size())));
}

IoResult Channel::write(std::span<const iovec> from) {
  if (tls_ != nullptr) {
    ERR_clear_error();
    return tls_result(
        SSL_write(tls_, from.front().iov_base, static_cast<int>(from.front().iov_len)));
  }
  if (from.size() == 1) {
    return plain_result(
        send(descriptor_, from.front().iov_base, from.front().iov_len, MSG_NOSIGNAL));
  }
  msghdr message{};
  message.msg_iov = const_cast<iovec*>(from.data());
  message.msg_iovlen = from.size();
  return plain_result(sendmsg(descriptor_, &message, MSG_NOSIGNAL));
}

std::size_t Channel::not_taken() const {
  int bytes = 0;
  return ioctl(descriptor_, SIOCOUTQ, &bytes) == 0 ? static_cast<std::size_t>(bytes) : 0;
}

void Channel::bound_unsent(std::chrono::milliseconds patience) const {
  setsockopt(descriptor_, SOL_SOCKET, SO_SNDBUF, &kSmallSendBuffer, sizeof kSmallSendBuffer);
  const auto timeout = static_cast<unsigned>(patience.count());
  setsockopt(descriptor_, IPPROTO_TCP, TCP_USER_TIMEOUT, &timeout, sizeof timeout);
}

void Channel::end_writing() {
  if (tls_ != nullptr) {
    ERR_clear_error();
    SSL_shutdown(tls_);  // sends "close notify" if it can; the peer's reply is not awaited
    ERR_clear_error();
  }
  shutdown(descriptor_, SHUT_WR);
}

void Channel::reset() {
  const linger at_once{1, 0};
  setsockopt(descriptor_, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
  close();
}

void Channel::close() {
  if (tls_ != nullptr) {
    SSL_free(tls_);
    tls_ = nullptr;
  }
  if (descriptor_ >= 0) {
    ::close(descriptor_);
    descriptor_ = -1;
  }
}

}  // namespace mock_server::transport
