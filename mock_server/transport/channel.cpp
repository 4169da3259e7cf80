#include "mock_server/transport/channel.hpp"

#include <openssl/err.h>
#include <openssl/ssl.h>

#include <cerrno>
#include <linux/sockios.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

namespace mock_server::transport {

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
    SSL_shutdown(tls_);  // sends "close notify" if it can; the peer's answer is not awaited
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
