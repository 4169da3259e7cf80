#pragma once

// The address of the real service, and what the mock does with its responses. Plain values and pure
// functions.

#include "spec/net/base_url.hpp"
#include "spec/result.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mock_server::upstream {

enum class Mode : std::uint8_t {
  kObserve,  // pass on, validate, alter nothing
  kRecord,   // and record
  kFill      // and let the mock respond instead of what is listed
};

std::optional<Mode> mode_of(std::string_view name);
std::string_view name_of(Mode mode);

// When the mock responds in place of the service, in mode fill. Nothing by default.
struct Fill {
  std::vector<int> statuses;       // of the service's response
  bool unknown_operation = false;  // a 404 that the operation does not declare
  bool connect_error = false;
  bool timeout = false;

  friend bool operator==(const Fill&, const Fill&) = default;
};

// "501,404-operation,connect-error,timeout", and back. Fails with a message.
spec::Result<Fill, std::string> parse_fill(std::string_view text);
std::string to_text(const Fill& fill);

struct Settings {
  spec::net::BaseUrl url;
  Mode mode = Mode::kObserve;
  Fill fill;
};

// The choice of a session in place of the program's settings, and its text in the session.
struct SessionSettings {
  std::optional<Mode> mode;  // nothing: only the mock responds
  Fill fill;
};

std::string to_text(const SessionSettings& settings);
// Nothing for what is no such text.
std::optional<SessionSettings> parse_session_settings(std::string_view text);
// The name of the mode in which only the mock responds.
inline constexpr std::string_view kMockAlone = "mock";

// The URL of a service, with the proxy that the environment names for it. Fails with a message.
spec::Result<spec::net::BaseUrl, std::string> parse_url(std::string_view text);

}  // namespace mock_server::upstream
