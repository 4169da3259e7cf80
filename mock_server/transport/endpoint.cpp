#include "mock_server/transport/endpoint.hpp"

#include "spec/load_error.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <string_view>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>
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
  // Accepted sockets inherit it: small answers leave at once.
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

// A socket file whose server is gone may be replaced; one that answers, or another file, may not.
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
  hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV;
  addrinfo* found = nullptr;
  const std::string service = std::to_string(port);
  const int error =
      getaddrinfo(host.empty() ? nullptr : host.c_str(), service.c_str(), &hints, &found);
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

}  // namespace mock_server::transport
