#pragma once

// What service, control API and program share about the real service. Safe from any thread.

#include "mock_server/upstream/forwarded.hpp"
#include "mock_server/upstream/gateway.hpp"
#include "mock_server/upstream/settings.hpp"

#include <atomic>
#include <optional>
#include <string_view>
#include <utility>

namespace mock_server::upstream {

struct Upstream {
  explicit Upstream(GatewayOptions options) : gateway(std::move(options)) {}

  Gateway gateway;
  std::optional<Settings> settings;       // --upstream; nothing without it
  std::atomic<bool> in_sessions = false;  // a session may have its own
  Recorder recorder;                      // may be empty
};

// The cell of a session with its own settings, as settings_text() writes them.
inline constexpr std::string_view kUpstreamCell = "upstream";

}  // namespace mock_server::upstream
