#pragma once

// A TLS server that responds 200 to every request and records the handshakes of clients; and
// a forward proxy that tunnels to a port of loopback. For tests of the suite's client.

#include "contract_tests/tests/support/identity.hpp"
#include "contract_tests/tests/support/listener.hpp"

#include <openssl/ssl.h>

#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace contract_tests::support {

struct Hello {
  std::string server_name;             // "" when none was named
  std::vector<std::string> protocols;  // offered by ALPN, in order
  bool agreed = false;                 // the handshake came to its end

  friend bool operator==(const Hello&, const Hello&) = default;
};

class TlsServer {
 public:
  explicit TlsServer(const Identity& identity);

  int port() const { return listener_.port(); }

  std::vector<Hello> hellos() const;
  // Heads of the requests so far, as they came.
  std::vector<std::string> received() const;

 private:
  struct ContextFree {
    void operator()(SSL_CTX* context) const { SSL_CTX_free(context); }
  };

  void serve(int socket);
  void converse(SSL* ssl);

  std::unique_ptr<SSL_CTX, ContextFree> context_;
  mutable std::mutex mutex_;
  std::vector<Hello> hellos_;
  std::vector<std::string> received_;
  Listener listener_;  // ends before what its threads use
};

// Reads a request's head; with a `rejection` says that and closes, else says that the tunnel is
// open and carries bytes to and from `target_port` of loopback, for any requested host.
class TunnelProxy {
 public:
  explicit TunnelProxy(int target_port, std::string rejection = {});

  int port() const { return listener_.port(); }

  std::vector<std::string> received() const;

 private:
  void serve(int socket);

  int target_port_;
  std::string rejection_;
  mutable std::mutex mutex_;
  std::vector<std::string> received_;
  Listener listener_;  // ends before what its threads use
};

}  // namespace contract_tests::support
