#pragma once

// The listening socket: a TCP address and port, or a path in the file system.

#include "spec/non_copyable.hpp"

#include <string>

namespace mock_server::transport {

class Endpoint : spec::NonCopyable {
 public:
  // Binds and listens, non-blocking. Throws spec::LoadError with one problem.
  Endpoint(const std::string& host, int port);
  // Closes the socket and removes its file, if it has one.
  ~Endpoint();

  int descriptor() const { return descriptor_; }

  // 0 for a path.
  int port() const { return port_; }

  bool is_path() const { return !path_.empty(); }

  // "http://127.0.0.1:4010", "http://[::1]:4010", "unix:/run/mock.sock".
  std::string url(bool is_tls) const;
  // No further connection is taken; those that already wait are rejected by the system.
  void close();

 private:
  void bind_path(const std::string& path);
  void bind_address(const std::string& host, int port);

  std::string host_;
  std::string path_;
  int port_ = 0;
  int descriptor_ = -1;
};

}  // namespace mock_server::transport
