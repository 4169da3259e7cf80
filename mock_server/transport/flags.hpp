#pragma once

// The flags of the transport, one for each limit and deadline, as data that --help, the parsing
// and the health report share.

#include "mock_server/transport/listener.hpp"

#include <nlohmann/json_fwd.hpp>

namespace CLI {
class App;
}

namespace mock_server::transport {

// Register --host, --port, --tls-cert, --tls-key and --loops, and each limit and deadline. Parsing
// fills `options`, which must outlive it; its values before are the defaults that --help shows.
void register_address_flags(CLI::App& app, ListenerOptions& options);
void register_limit_flags(CLI::App& app, ListenerOptions& options);

// {"request_line_bytes": 8192, ..., "idle_ms": 60000}: the limits as they are in force.
nlohmann::json describe(const Limits& limits);

}  // namespace mock_server::transport
