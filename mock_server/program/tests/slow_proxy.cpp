#include "mock_server/program/tests/slow_proxy.hpp"

#include <arpa/inet.h>
#include <array>
#include <netinet/in.h>
#include <poll.h>
#include <stdexcept>
#include <string_view>
#include <sys/socket.h>
#include <unistd.h>
#include <utility>

namespace mock_server::program::testing {
namespace {

constexpr int kPollMs = 20;

sockaddr_in loopback(int port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return address;
}

int open_listener() {
  const int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address = loopback(0);
  if (bind(listener, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0 ||
      listen(listener, SOMAXCONN) != 0) {
    throw std::runtime_error("cannot listen");
  }
  return listener;
}

int port_of(int listener) {
  sockaddr_in address{};
  socklen_t size = sizeof address;
  getsockname(listener, reinterpret_cast<sockaddr*>(&address), &size);
  return ntohs(address.sin_port);
}

// The next connection; -1 when it is asked to stop.
int next_connection(const std::stop_token& stop, int listener) {
  while (!stop.stop_requested()) {
    pollfd waits{listener, POLLIN, 0};
    if (poll(&waits, 1, kPollMs) > 0) {
      return accept4(listener, nullptr, nullptr, SOCK_CLOEXEC);
    }
  }
  return -1;
}

// False at the end of either.
bool move_bytes(int from, int to) {
  std::array<char, 16 * 1024> buffer;
  const ssize_t count = recv(from, buffer.data(), buffer.size(), 0);
  return count > 0 &&
         send(to, buffer.data(), static_cast<std::size_t>(count), MSG_NOSIGNAL) == count;
}

}  // namespace

SlowProxy::SlowProxy(int port, std::chrono::milliseconds delay)
    : target_(port), delay_(delay), listener_(open_listener()), own_port_(port_of(listener_)) {
  acceptor_ = std::jthread([this](const std::stop_token& stop) { accept(stop); });
}

SlowProxy::~SlowProxy() {
  acceptor_ = {};
  connections_.clear();
  close(listener_);
}

void SlowProxy::accept(const std::stop_token& stop) {
  for (int client = next_connection(stop, listener_); client >= 0;
       client = next_connection(stop, listener_)) {
    connections_.emplace_back([this, client](const std::stop_token& end) { pass(end, client); });
  }
}

void SlowProxy::pass(const std::stop_token& stop, int client) const {
  const int server = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const sockaddr_in address = loopback(target_);
  bool goes_on = connect(server, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
  while (goes_on && !stop.stop_requested()) {
    std::array<pollfd, 2> waits{pollfd{client, POLLIN, 0}, pollfd{server, POLLIN, 0}};
    poll(waits.data(), waits.size(), kPollMs);
    if (waits[0].revents != 0) {
      goes_on = move_bytes(client, server);
    }
    if (goes_on && waits[1].revents != 0) {
      std::this_thread::sleep_for(delay_);
      goes_on = move_bytes(server, client);
    }
  }
  close(server);
  close(client);
}

OldRedis::OldRedis() : listener_(open_listener()), port_(port_of(listener_)) {
  thread_ = std::jthread([this](const std::stop_token& stop) {
    for (int client = next_connection(stop, listener_); client >= 0;
         client = next_connection(stop, listener_)) {
      constexpr std::string_view kReply = "$22\r\nredis_version:5.0.14\r\n\r\n";
      std::array<char, 1024> buffer;
      while (recv(client, buffer.data(), buffer.size(), 0) > 0) {
        send(client, kReply.data(), kReply.size(), MSG_NOSIGNAL);
      }
      close(client);
    }
  });
}

OldRedis::~OldRedis() {
  thread_ = {};
  close(listener_);
}

}  // namespace mock_server::program::testing
