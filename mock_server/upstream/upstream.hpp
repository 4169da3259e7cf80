#pragma once

// What service, control API and program share about the real service. Safe from any thread.

#include "mock_server/upstream/forwarded.hpp"
#include "mock_server/upstream/gateway.hpp"
#include "mock_server/upstream/settings.hpp"

#include <optional>
#include <utility>

namespace mock_server::upstream {

struct Upstream {
  explicit Upstream(GatewayOptions options) : gateway(std::move(options)) {}

  Gateway gateway;
  std::optional<Settings> settings;  // --upstream; nothing without it
  Recorder recorder;                 // may be empty
};

}  // namespace mock_server::upstream
