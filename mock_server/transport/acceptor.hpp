#pragma once

// Takes connections from the listening socket and gives each to a loop. Survives whatever accept()
// reports: it backs off and goes on.

#include "mock_server/transport/channel.hpp"
#include "mock_server/transport/loop.hpp"
#include "mock_server/transport/transport_clock.hpp"
#include "spec/non_copyable.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <sys/socket.h>
#include <vector>

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

class Acceptor : spec::NonCopyable {
 public:
  // All must outlive the acceptor; `tls` may be nullptr. Throws std::system_error without
  // descriptors.
  Acceptor(const Endpoint& endpoint, const std::vector<std::unique_ptr<Loop>>& loops,
           const TlsContext* tls);
  ~Acceptor();

  // Returns after stop(), with every connection taken that had been made until then.
  void run();

  // Safe from a signal handler and any thread.
  void stop() noexcept;

  // stop() was called a second time.
  bool is_urgent() const { return stops_.load() > 1; }

  // Returns after `time`, earlier when stop() is called.
  void wait(Milliseconds time) const;

  std::uint64_t errors() const { return errors_.load(); }

 private:
  enum class Outcome { kTaken, kNoneLeft, kFailed };

  Outcome take_one();
  void give_reserve_up();
  Loop& loop_for(int descriptor);
  void hand_over(int descriptor, const sockaddr_storage& address);

  const Endpoint& endpoint_;
  const std::vector<std::unique_ptr<Loop>>& loops_;
  const TlsContext* tls_;
  std::map<int, std::size_t> loop_of_cpu_;  // as an index; by the order in which CPUs are seen
  int wake_ = -1;
  int reserve_ = -1;  // a descriptor to spend when there are none left
  std::atomic<int> stops_{0};
  std::atomic<std::uint64_t> errors_{0};
};

}  // namespace mock_server::transport
