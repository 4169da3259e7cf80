#pragma once

// The transport of the mock: owns the listening socket, connections, framing, limits and
// deadlines; passes one complete, valid HTTP request at a time to the handler and writes its reply,
// with a fault if there is one. mock_server/service knows what requests mean.

#include "mock_server/reply/reply.hpp"
#include "spec/http/request_parser.hpp"

#include <nlohmann/json_fwd.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

namespace CLI {
class App;
}

namespace mock_server::transport {

struct Limits {
  static constexpr std::size_t kMaxJsonDepth = 128;  // deeper is rejected whatever the limit

  std::size_t request_line_bytes = 8 * 1024;    // beyond: 414
  std::size_t field_line_bytes = 8 * 1024;      // beyond: 431
  std::size_t field_section_bytes = 64 * 1024;  // beyond: 431
  std::size_t field_count = 128;                // beyond: 431
  std::size_t body_bytes = 10 * 1024 * 1024;    // beyond: 413, after decompression too
  std::size_t expansion_ratio = 100;            // of a compressed body; beyond: 413
  std::size_t chunk_extension_bytes = 16 * 1024;
  std::size_t trailer_bytes = 8 * 1024;
  std::size_t unsent_bytes = 256 * 1024;  // beyond: stop reading from the connection
  std::size_t unread_bytes = 64 * 1024;   // read buffer of a connection
  // Read and dropped after the last response. More than the max body: a client that writes its
  // whole body before it reads (node's fetch) sees a rejection only then.
  std::size_t linger_bytes = 16 * 1024 * 1024;
  std::size_t body_bytes_per_second = 256;       // below: 408
  std::size_t memory_bytes = 512 * 1024 * 1024;  // long bodies and their values; beyond: 503
  std::size_t query_pairs = 1'000;               // of a query: 400; of a form: 413
  std::size_t multipart_parts = 1'000;           // beyond: 413
  std::size_t json_depth = kMaxJsonDepth;        // of a body; beyond: 400
  std::size_t connections = 0;                   // 0: as many as file descriptors allow
  std::uint64_t requests_per_connection = 100'000;
  std::chrono::milliseconds first_byte{60'000};
  std::chrono::milliseconds head{10'000};  // absolute, from the first byte
  std::chrono::milliseconds body{30'000};
  std::chrono::milliseconds handler{60'000};     // for a request that a worker has; beyond: 503
  std::chrono::milliseconds rate_window{5'000};  // over which a body's rate is looked at
  std::chrono::milliseconds write_progress{10'000};
  std::chrono::milliseconds idle{60'000};
  std::chrono::milliseconds linger{1'000};  // for the client to read the last response
  std::chrono::milliseconds drain{10'000};  // after SIGTERM
  // The max time that the faults "stall" and "slow-close" hold a connection.
  std::chrono::milliseconds stall{60'000};
  std::chrono::milliseconds slow_close{5'000};
};

// A request to which the transport responds itself, as far as it was read, and the response, to
// which fields may be added: for log and journal. References live during the call only.
struct RejectedRequest {
  const spec::http::Rejection& rejection;
  const spec::http::Request& request;
  spec::http::Response& response;
  const reply::Peer& peer;
};

using RejectionNote = std::function<void(const RejectedRequest&)>;

struct ListenerOptions {
  std::string host = "127.0.0.1";  // an address or name, or "unix:/path"
  int port = 4010;                 // 0: a free one
  std::string tls_certificate;     // PEM file; "" for plain HTTP
  std::string tls_key;
  unsigned loops = 0;  // event loops; 0: one per core
  Limits limits;
  // Requests that may block are handled on threads of their own, `blocking_threads` at most;
  // `blocking_waiting` more may wait for one, beyond: 503. Those for which another server was asked
  // wait for it without a thread. Empty: none may block.
  reply::Begin begin;
  std::size_t blocking_threads = 64;
  std::size_t blocking_waiting = 1024;
  RejectionNote
      on_rejection;  // may be empty; must not throw nor block; called from several threads
};

class Listener {
 public:
  // Binds and listens. Throws spec::LoadError with one problem: a port in use, a bad host, an
  // unreadable certificate. `handler` must not throw and is called from several threads.
  Listener(ListenerOptions options, reply::Handler handler);
  ~Listener();

  int port() const;
  // "http://127.0.0.1:4010".
  std::string url() const;
  // Serves until stop(); returns when every connection is drained or the grace is over.
  void run();
  // Safe from a signal handler and any thread. The first call drains, the second ends at once.
  void stop() noexcept;
  // Reads certificate and key again, without using them yet: calling the result does that, for
  // connections that come from then on. Throws spec::LoadError. Nothing happens without TLS.
  std::function<void()> read_certificates();
  // Limits and counters, for /_mock/health and /_mock/metrics.
  nlohmann::json health() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// Register --host, --port, --tls-cert, --tls-key and --loops, and each limit and deadline. Parsing
// fills `options`, which must outlive it; its values before are the defaults that --help shows.
void register_address_flags(CLI::App& app, ListenerOptions& options);
void register_limit_flags(CLI::App& app, ListenerOptions& options);

// {"request_line_bytes": 8192, ..., "idle_ms": 60000}: the limits as they are in force.
nlohmann::json describe(const Limits& limits);

}  // namespace mock_server::transport
