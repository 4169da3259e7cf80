#include "mock_server/upstream/tests/stand_in.hpp"

#include <algorithm>
#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdexcept>
#include <string_view>
#include <sys/socket.h>
#include <tuple>
#include <unistd.h>
#include <utility>

namespace mock_server::upstream::testing {

namespace {

constexpr int kBacklog = 2048;
constexpr std::size_t kBlockBytes = 256U * 1024;

// A socket at any free port of this machine, and the port.
std::pair<int, int> bound_socket() {
  const int made = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  if (bind(made, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 ||
      getsockname(made, reinterpret_cast<sockaddr*>(&address), &size) != 0) {
    throw std::runtime_error("no port for a test");
  }
  return {made, ntohs(address.sin_port)};
}

bool send_all(int peer, std::string_view bytes) {
  while (!bytes.empty()) {
    const auto sent = send(peer, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent <= 0) {
      return false;
    }
    bytes.remove_prefix(static_cast<std::size_t>(sent));
  }
  return true;
}

}  // namespace

StandIn::StandIn(Script script) : script_(std::move(script)) {
  std::tie(listening_, port_) = bound_socket();
  listen(listening_, kBacklog);
  acceptor_ = std::jthread([this] { accept_all(); });
}

StandIn::~StandIn() {
  shutdown(listening_, SHUT_RDWR);
  acceptor_.join();
  {
    const std::lock_guard lock(mutex_);
    for (const int peer : peers_) {
      shutdown(peer, SHUT_RDWR);
    }
  }
  threads_.clear();
  close(listening_);
}

void StandIn::respond_with(Script script) {
  const std::lock_guard lock(mutex_);
  script_ = std::move(script);
  for (const int peer : peers_) {
    shutdown(peer, SHUT_RDWR);
  }
}

void StandIn::push(std::string_view bytes) {
  const std::lock_guard lock(mutex_);
  for (const int peer : peers_) {
    send_all(peer, bytes);
  }
}

std::size_t StandIn::connections() const {
  const std::lock_guard lock(mutex_);
  return peers_.size();
}

Script StandIn::script() const {
  const std::lock_guard lock(mutex_);
  return script_;
}

std::string StandIn::request() const {
  const std::lock_guard lock(mutex_);
  return request_;
}

std::size_t StandIn::requests() const {
  const std::lock_guard lock(mutex_);
  return requests_;
}

void StandIn::note(std::string request) {
  const std::lock_guard lock(mutex_);
  request_ = std::move(request);
  ++requests_;
}

void StandIn::accept_all() {
  for (int peer = accept(listening_, nullptr, nullptr); peer >= 0;
       peer = accept(listening_, nullptr, nullptr)) {
    {
      const std::lock_guard lock(mutex_);
      peers_.push_back(peer);
    }
    threads_.emplace_back([this, peer] { serve(peer); });
  }
}

void StandIn::serve(int peer) {
  std::string block(kBlockBytes, '\0');
  const Script script = this->script();
  std::string first = script.first;
  for (ssize_t got = 0; (got = recv(peer, block.data(), block.size(), 0)) > 0;) {
    note(block.substr(0, static_cast<std::size_t>(got)));
    if (!script.fast.empty() && block.starts_with("GET /fast ")) {
      send_all(peer, script.fast);
      continue;
    }
    if (!first.empty()) {
      send_all(peer, std::exchange(first, {}));
      continue;
    }
    const std::string filler(std::min(script.filler, kBlockBytes), 'x');
    bool takes = send_all(peer, script.bytes);
    for (std::size_t left = script.filler; takes && left > 0;) {
      const std::size_t part = std::min(left, filler.size());
      takes = send_all(peer, std::string_view(filler).substr(0, part));
      left -= part;
    }
    if (script.end != End::kHold || !takes) {
      break;
    }
  }
  if (script.end == End::kDeaf) {
    pollfd until_shut{peer, 0, 0};
    poll(&until_shut, 1, -1);
  }
  if (script.end == End::kReset) {
    const linger hard{1, 0};
    setsockopt(peer, SOL_SOCKET, SO_LINGER, &hard, sizeof hard);
  }
  const std::lock_guard lock(mutex_);
  std::erase(peers_, peer);
  close(peer);
}

int free_port() {
  const auto [made, port] = bound_socket();
  close(made);
  return port;
}

}  // namespace mock_server::upstream::testing
