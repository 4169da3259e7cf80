#pragma once

// A client that sends whatever bytes it is told and reads responses with the strict eyes of
// spec::http::ResponseParser. Blocking, with a deadline on every wait.

#include "spec/http/response_parser.hpp"

#include <openssl/types.h>

#include <chrono>
#include <string>
#include <string_view>

namespace mock_server::transport::testing {

using Wait = std::chrono::milliseconds;

enum class Connection { kOpen, kClosed, kReset };

class Client {
 public:
  // Connects to 127.0.0.1, or to a Unix socket's path. Throws std::runtime_error when it cannot.
  explicit Client(int port);
  explicit Client(const std::string& path);
  ~Client();
  Client(Client&& other) noexcept;
  Client& operator=(Client&&) = delete;

  // Speaks TLS from now on, offering `protocols` (RFC 7301's form; "" for none). Checks nothing.
  bool start_tls(std::string_view protocols = "");

  // The fingerprint of the peer's certificate; "" without TLS.
  std::string peer_print() const;

  // False when the peer takes no more.
  bool send(std::string_view bytes);
  // Says that nothing more will be sent.
  void end_writing();
  // Breaks the connection off.
  void reset();
  void close();

  // The next response to a request of `method`, as far as it comes within `wait`.
  spec::http::ResponseRecord read_response(std::string_view method = "GET",
                                           Wait wait = Wait(10'000));

  // Reads and throws away until the peer ends or `wait` is over.
  Connection state(Wait wait);

  // The bytes that the peer sent within `wait`, at most `most`; "" at its end or when nothing came.
  std::string read(Wait wait, std::size_t most = 64 * 1024);

  int descriptor() const { return descriptor_; }

 private:
  bool wait_to_read(Wait wait) const;

  int descriptor_ = -1;
  SSL* tls_ = nullptr;
  std::string unread_;
  bool ended_ = false;
  bool was_reset_ = false;
};

// The status of one GET on a connection of its own; 0 when no whole response comes.
int status_of_fresh_request(int port, bool with_tls = false);

// Waits until nothing accepts connections on the port, a minute at most.
void await_closed(int port);

}  // namespace mock_server::transport::testing
