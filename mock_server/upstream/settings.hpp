#pragma once

// Where the real service is, and what the mock does with its responses. Plain values and pure
// functions.

#include "spec/http/client/base_url.hpp"
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
  kFill      // and let the mock answer what is listed
};

std::optional<Mode> mode_of(std::string_view name);
std::string_view name_of(Mode mode);

// What the mock answers in place of the service, in mode fill. Nothing by default.
struct Fill {
  std::vector<int> statuses;       // of the service's response
  bool unknown_operation = false;  // a 404 that the operation does not declare
  bool connect_error = false;
  bool timeout = false;

  friend bool operator==(const Fill&, const Fill&) = default;
};

// "501,404-operation,connect-error,timeout". Fails with a message.
spec::Result<Fill, std::string> parse_fill(std::string_view text);

struct Settings {
  spec::http::client::BaseUrl url;
  Mode mode = Mode::kObserve;
  Fill fill;
};

// Settings as text for a session's cell, and read again; nothing for a session that only the mock
// answers (kMockAlone) and for what is no such text.
std::string settings_text(std::string_view url, Mode mode, std::string_view fill_on);
std::optional<Settings> parse_settings(std::string_view text);
inline constexpr std::string_view kMockAlone = "mock";

// The URL of a service, with the proxy that the environment names for it. Fails with a message.
spec::Result<spec::http::client::BaseUrl, std::string> parse_url(std::string_view text);

}  // namespace mock_server::upstream
