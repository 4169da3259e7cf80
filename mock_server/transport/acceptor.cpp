#include "mock_server/transport/acceptor.hpp"

#include <algorithm>
#include <arpa/inet.h>
#include <array>
#include <cerrno>
#include <fcntl.h>
#include <netinet/in.h>
#include <optional>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace mock_server::transport {

namespace {

constexpr Milliseconds kBackOff{10};
constexpr std::size_t kAhead = 8;  // no loop has so many connections more than twice another's

reply::Peer peer_of(const sockaddr_storage& address) {
  reply::Peer peer;
  std::array<char, INET6_ADDRSTRLEN> text{};
  if (address.ss_family == AF_INET) {
    const auto& ipv4 = *reinterpret_cast<const sockaddr_in*>(&address);
    inet_ntop(AF_INET, &ipv4.sin_addr, text.data(), text.size());
    peer.loopback = (ntohl(ipv4.sin_addr.s_addr) >> 24U) == 127;
  } else if (address.ss_family == AF_INET6) {
    const auto& ipv6 = *reinterpret_cast<const sockaddr_in6*>(&address);
    inet_ntop(AF_INET6, &ipv6.sin6_addr, text.data(), text.size());
    const bool mapped = IN6_IS_ADDR_V4MAPPED(&ipv6.sin6_addr);
    peer.loopback =
        IN6_IS_ADDR_LOOPBACK(&ipv6.sin6_addr) || (mapped && ipv6.sin6_addr.s6_addr[12] == 127);
  } else {
    peer.address = "unix";
    return peer;
  }
  peer.address = text.data();
  return peer;
}

// The CPU that took in what the client sent; on one machine that is where the client runs. Nothing
// where the kernel does not say.
std::optional<int> incoming_cpu(int descriptor) {
  int cpu = -1;
  socklen_t size = sizeof cpu;
  if (getsockopt(descriptor, SOL_SOCKET, SO_INCOMING_CPU, &cpu, &size) != 0 || cpu < 0) {
    return std::nullopt;
  }
  return cpu;
}

int open_reserve() {
  return open("/dev/null", O_RDONLY | O_CLOEXEC);
}

bool is_out_of_descriptors(int error) {
  return error == EMFILE || error == ENFILE;
}

// Errors of the one connection that accept() would have returned, not of accepting.
bool concerns_one_connection(int error) {
  return error == ECONNABORTED || error == EPROTO || error == EINTR || error == EPERM;
}

}  // namespace

Acceptor::Acceptor(const Endpoint& endpoint, const std::vector<std::unique_ptr<Loop>>& loops,
                   const TlsContext* tls)
    : endpoint_(endpoint),
      loops_(loops),
      tls_(tls),
      wake_(eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)),
      reserve_(open_reserve()) {
  if (wake_ < 0) {
    throw std::system_error(errno, std::generic_category(), "acceptor");
  }
}

Acceptor::~Acceptor() {
  close(wake_);
  close(reserve_);
}

void Acceptor::stop() noexcept {
  stops_.fetch_add(1);
  const std::uint64_t one = 1;
  [[maybe_unused]] const ssize_t written = write(wake_, &one, sizeof one);
}

void Acceptor::wait(Milliseconds time) const {
  pollfd wake{wake_, POLLIN, 0};
  if (poll(&wake, 1, static_cast<int>(time.count())) > 0) {
    std::uint64_t wakes = 0;
    [[maybe_unused]] const ssize_t taken = read(wake_, &wakes, sizeof wakes);
  }
}

void Acceptor::run() {
  while (stops_.load() == 0) {
    std::array<pollfd, 2> sockets{{{endpoint_.descriptor(), POLLIN, 0}, {wake_, POLLIN, 0}}};
    poll(sockets.data(), sockets.size(), -1);
    Outcome outcome = Outcome::kTaken;
    while (outcome == Outcome::kTaken) {
      outcome = take_one();
    }
    if (outcome == Outcome::kFailed) {
      wait(kBackOff);
    }
  }
  if (stops_.load() == 1) {
    while (take_one() == Outcome::kTaken) {
    }
  }
}

Acceptor::Outcome Acceptor::take_one() {
  sockaddr_storage address{};
  socklen_t size = sizeof address;
  const int descriptor = accept4(endpoint_.descriptor(), reinterpret_cast<sockaddr*>(&address),
                                 &size, SOCK_NONBLOCK | SOCK_CLOEXEC);
  if (descriptor >= 0) {
    hand_over(descriptor, address);
    return Outcome::kTaken;
  }
  const int error = errno;
  if (error == EAGAIN) {
    return Outcome::kNoneLeft;
  }
  errors_.fetch_add(1);
  if (concerns_one_connection(error)) {
    return Outcome::kTaken;
  }
  if (is_out_of_descriptors(error)) {
    give_reserve_up();
  }
  return Outcome::kFailed;
}

// Out of descriptors: the first waiting client is accepted with a reserved descriptor and closed,
// rather than left waiting for a response that may never come.
void Acceptor::give_reserve_up() {
  close(reserve_);
  const int descriptor = accept4(endpoint_.descriptor(), nullptr, nullptr, SOCK_CLOEXEC);
  if (descriptor >= 0) {
    close(descriptor);
  }
  reserve_ = open_reserve();
}

// Connections that come in on one CPU share a loop: the kernel takes less time to wake client and
// loop (scripts/bench/NOTES.md). Else, and where that loop has too many, the one with fewest.
Loop& Acceptor::loop_for(int descriptor) {
  Loop& fewest = **std::min_element(
      loops_.begin(), loops_.end(),
      [](const auto& left, const auto& right) { return left->load() < right->load(); });
  const auto cpu = incoming_cpu(descriptor);
  if (!cpu) {
    return fewest;
  }
  const std::size_t next = loop_of_cpu_.size() % loops_.size();
  Loop& near = *loops_[loop_of_cpu_.try_emplace(*cpu, next).first->second];
  const bool is_ahead = near.load() >= 2 * fewest.load() + kAhead;
  return near.has_room() && !is_ahead ? near : fewest;
}

void Acceptor::hand_over(int descriptor, const sockaddr_storage& address) {
  SSL* tls = nullptr;
  if (tls_ != nullptr) {
    tls = tls_->accept(descriptor);
    if (tls == nullptr) {
      errors_.fetch_add(1);
      close(descriptor);
      return;
    }
  }
  Channel channel(descriptor, tls);
  try {
    loop_for(descriptor).adopt({std::move(channel), peer_of(address)});
  } catch (...) {  // whatever it is, it costs this connection
    errors_.fetch_add(1);
  }
}

}  // namespace mock_server::transport
