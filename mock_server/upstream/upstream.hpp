#pragma once

// What service, control API and program share about the real service. Safe from any thread.

#include "mock_server/upstream/gateway.hpp"
#include "mock_server/upstream/settings.hpp"
#include "spec/http/message.hpp"

#include <chrono>
#include <functional>
#include <optional>
#include <string_view>
#include <utility>

namespace mock_server::upstream {

// An exchange with the service, whole. The references live during the call only.
struct ForwardedExchange {
  std::string_view url;  // of the request, absolute, as the service was asked
  // As the client sent it, but for the session's prefix and our own fields; its body is without
  // content coding.
  const spec::http::Request& request;
  const spec::http::Response& decoded;  // without content coding; what was validated
  // False: longer than what is kept for validation. The body is "" then, and nothing was validated.
  bool is_whole = true;
  std::chrono::system_clock::time_point started{};  // by the clock of this machine
  std::chrono::microseconds took{0};                // from `started` to the last byte that was read
};

// Called once for each exchange with the service, in mode `record`, when the service's response
// was read and before the client gets it. Called from several threads at once, never from an event
// loop; must not throw, and ought to be quick: the client waits for it.
using Recorder = std::function<void(const ForwardedExchange&)>;

struct Upstream {
  explicit Upstream(GatewayOptions options) : gateway(std::move(options)) {}

  Gateway gateway;
  std::optional<Settings> settings;  // --upstream; nothing without it
  Recorder recorder;                 // may be empty
};

}  // namespace mock_server::upstream
