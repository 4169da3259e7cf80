#include "mock_server/transport/acceptor.hpp"

#include "spec/load_error.hpp"

#include <algorithm>
#include <arpa/inet.h>
#include <array>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <memory>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <optional>
#include <poll.h>
#include <string_view>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <system_error>
#include <unistd.h>
#include <utility>
#include <vector>

namespace mock_server::transport {

namespace {

constexpr int kBacklog = 4096;
constexpr std::string_view kPathPrefix = "unix:";

std::string text_of(int error) {
  return std::strerror(error);  // NOLINT(concurrency-mt-unsafe): before any thread starts
}

[[noreturn]] void fail_to_bind(const std::string& host, int port, int error) {
  const std::string place = "port " + std::to_string(port) + " on " + host;
  if (error == EADDRINUSE) {
    throw spec::LoadError(
        "", place + " is in use; choose another with --port, or --port 0 for any free port");
  }
  if (error == EACCES) {
    throw spec::LoadError(
        "", place + " needs privileges; choose another with --port, or --port 0 for any free port");
  }
  throw spec::LoadError("--host", "cannot listen at " + place + ": " + text_of(error));
}

// Tries one address; returns the listening socket, or -1 with errno set.
int listen_at(const addrinfo& address) {
  const int descriptor =
      socket(address.ai_family, address.ai_socktype | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (descriptor < 0) {
    return -1;
  }
  const int on = 1;
  // A restart need not wait for the connections of the last run to be forgotten.
  setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  // Accepted sockets inherit it: small responses leave at once.
  setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  if (bind(descriptor, address.ai_addr, address.ai_addrlen) == 0 &&
      listen(descriptor, kBacklog) == 0) {
    return descriptor;
  }
  const int error = errno;
  ::close(descriptor);
  errno = error;
  return -1;
}

int port_of(int descriptor) {
  sockaddr_storage address{};
  socklen_t size = sizeof address;
  getsockname(descriptor, reinterpret_cast<sockaddr*>(&address), &size);
  return ntohs(address.ss_family == AF_INET6
                   ? reinterpret_cast<const sockaddr_in6*>(&address)->sin6_port
                   : reinterpret_cast<const sockaddr_in*>(&address)->sin_port);
}

sockaddr_un path_address(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.empty() || path.size() >= sizeof address.sun_path) {
    throw spec::LoadError("--host", "the path of a Unix socket must have 1 to " +
                                        std::to_string(sizeof address.sun_path - 1) + " bytes");
  }
  path.copy(address.sun_path, path.size());
  return address;
}

// A socket file whose server is gone may be replaced; one that is in use, or another file, may not.
bool is_stale(const sockaddr_un& address) {
  struct stat file {};

  if (lstat(address.sun_path, &file) != 0 || !S_ISSOCK(file.st_mode)) {
    return false;  // connect() reports an ordinary file like a socket without a server
  }
  const int probe = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const int result = connect(probe, reinterpret_cast<const sockaddr*>(&address), sizeof address);
  const int error = errno;
  ::close(probe);
  return result != 0 && error == ECONNREFUSED;
}

}  // namespace

Endpoint::Endpoint(const std::string& host, int port) {
  if (host.starts_with(kPathPrefix)) {
    bind_path(host.substr(kPathPrefix.size()));
  } else {
    bind_address(host, port);
  }
}

Endpoint::~Endpoint() {
  close();
}

void Endpoint::bind_address(const std::string& host, int port) {
  if (port < 0 || port > 65535) {
    throw spec::LoadError("--port", "must be 0 to 65535, but is " + std::to_string(port));
  }
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  // Without a name these are the loopback addresses, and with AI_PASSIVE those of all interfaces.
  const bool loopback = host == "localhost";
  hints.ai_flags = (loopback ? 0 : AI_PASSIVE) | AI_NUMERICSERV;
  addrinfo* found = nullptr;
  const std::string service = std::to_string(port);
  const int error = getaddrinfo(host.empty() || loopback ? nullptr : host.c_str(), service.c_str(),
                                &hints, &found);
  if (error != 0) {
    throw spec::LoadError("--host", "\"" + host + "\" is not an address or name of this machine: " +
                                        gai_strerror(error));
  }
  const std::unique_ptr<addrinfo, decltype(&freeaddrinfo)> owner(found, freeaddrinfo);
  std::vector<const addrinfo*> addresses;
  for (const addrinfo* at = found; at != nullptr; at = at->ai_next) {
    addresses.push_back(at);
  }
  // "localhost" is 127.0.0.1 to most clients.
  std::stable_partition(addresses.begin(), addresses.end(),
                        [](const addrinfo* at) { return at->ai_family == AF_INET; });
  int first_error = 0;
  for (const addrinfo* address : addresses) {
    descriptor_ = listen_at(*address);
    if (descriptor_ >= 0) {
      host_ = host.empty() ? "0.0.0.0" : host;
      port_ = port_of(descriptor_);
      return;
    }
    first_error = first_error == 0 ? errno : first_error;
  }
  fail_to_bind(host, port, first_error);
}

void Endpoint::bind_path(const std::string& path) {
  const sockaddr_un address = path_address(path);
  const auto* generic = reinterpret_cast<const sockaddr*>(&address);
  descriptor_ = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  int result = bind(descriptor_, generic, sizeof address);
  if (result != 0 && errno == EADDRINUSE && is_stale(address)) {
    unlink(path.c_str());
    result = bind(descriptor_, generic, sizeof address);
  }
  if (result != 0 || listen(descriptor_, kBacklog) != 0) {
    const int error = errno;
    ::close(descriptor_);
    descriptor_ = -1;
    throw spec::LoadError("--host", "cannot listen at " + path + ": " + text_of(error));
  }
  path_ = path;
}

std::string Endpoint::url(bool is_tls) const {
  if (is_path()) {
    return std::string(kPathPrefix) + path_;
  }
  const bool is_ipv6 = host_.find(':') != std::string::npos;
  return (is_tls ? "https://" : "http://") + (is_ipv6 ? "[" + host_ + "]" : host_) + ":" +
         std::to_string(port_);
}

void Endpoint::close() {
  if (descriptor_ >= 0) {
    ::close(descriptor_);
    descriptor_ = -1;
    if (is_path()) {
      unlink(path_.c_str());
    }
  }
}

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
