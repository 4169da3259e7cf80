#include "contract_tests/tests/support/listener.hpp"

#include <cerrno>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <system_error>
#include <unistd.h>

namespace contract_tests::support {

Listener::Listener(std::function<void(int)> serve) : serve_(std::move(serve)) {
  listener_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  auto* generic = reinterpret_cast<sockaddr*>(&address);
  if (::bind(listener_, generic, size) != 0 || ::listen(listener_, 64) != 0) {
    throw std::system_error(errno, std::generic_category(), "no port for a test's server");
  }
  ::getsockname(listener_, generic, &size);
  port_ = ntohs(address.sin_port);
  acceptor_ = std::jthread([this] { accept_all(); });
}

Listener::~Listener() {
  stopping_ = true;
  acceptor_.join();
  connections_.clear();
  ::close(listener_);
}

void Listener::accept_all() {
  while (wait_for(listener_, POLLIN, stopping_)) {
    const int socket = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
    if (socket >= 0) {
      ++count_;
      connections_.emplace_back([this, socket] { serve_(socket); });
    }
  }
}

bool wait_for(int socket, short events, const std::atomic<bool>& stopping) {
  pollfd entry{.fd = socket, .events = events, .revents = 0};
  while (!stopping) {
    if (::poll(&entry, 1, 20) > 0) {
      return true;
    }
  }
  return false;
}

}  // namespace contract_tests::support
