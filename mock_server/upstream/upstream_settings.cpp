#include "mock_server/upstream/upstream_settings.hpp"

#include "spec/http/header_field.hpp"
#include "spec/text/ascii.hpp"
#include "spec/text/quote.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace mock_server::upstream {

namespace {

constexpr std::array<std::string_view, 3> kModes{"observe", "record", "fill"};

using Reason = std::pair<std::string_view, bool Fill::*>;

// The words of a list of Fill beside statuses.
constexpr std::array<Reason, 3> kReasons{{{"404-operation", &Fill::unknown_operation},
                                          {"connect-error", &Fill::connect_error},
                                          {"timeout", &Fill::timeout}}};

}  // namespace

std::optional<Mode> mode_of(std::string_view name) {
  const auto* const found = std::ranges::find(kModes, name);
  return found == kModes.end() ? std::nullopt
                               : std::optional(static_cast<Mode>(found - kModes.begin()));
}

std::string_view name_of(Mode mode) {
  return kModes.at(static_cast<std::size_t>(mode));
}

spec::Result<Fill, std::string> parse_fill(std::string_view text) {
  Fill fill;
  std::string problem;
  spec::http::for_each_element(text, [&](std::string_view element) {
    const auto status = spec::text::parse_number<int>(element);
    const auto* const reason = std::ranges::find(kReasons, element, &Reason::first);
    if (reason != kReasons.end()) {
      fill.*reason->second = true;
    } else if (status && *status >= 200 && *status <= 599) {
      fill.statuses.push_back(*status);
    } else {
      problem =
          "must be a list of statuses (200 to 599), 404-operation, connect-error and "
          "timeout, but has " +
          spec::text::in_quotes(element);
    }
  });
  if (!problem.empty()) {
    return spec::Unexpected{problem};
  }
  return fill;
}

std::string to_text(const Fill& fill) {
  std::string text;
  for (const int status : fill.statuses) {
    spec::text::append_to_list(text, std::to_string(status));
  }
  for (const auto& [name, member] : kReasons) {
    if (fill.*member) {
      spec::text::append_to_list(text, name);
    }
  }
  return text;
}

std::string to_text(const SessionSettings& settings) {
  return std::string(settings.mode ? name_of(*settings.mode) : kMockAlone) + ' ' +
         to_text(settings.fill);
}

std::optional<SessionSettings> parse_session_settings(std::string_view text) {
  const std::size_t blank = text.find(' ');
  const std::string_view name = text.substr(0, blank);
  const auto mode = mode_of(name);
  if (blank == std::string_view::npos || (!mode && name != kMockAlone)) {
    return std::nullopt;
  }
  auto fill = parse_fill(text.substr(blank + 1));
  return fill ? std::optional(SessionSettings{mode, std::move(fill.value())}) : std::nullopt;
}

spec::Result<spec::net::BaseUrl, std::string> parse_url(std::string_view text) {
  auto url = spec::net::parse_base_url(text);
  if (!url) {
    return url;
  }
  auto& made = url.value();
  auto proxy =
      spec::net::proxy_for(made.tls, made.host, made.port, spec::net::read_proxy_environment());
  if (!proxy) {
    return spec::Unexpected{proxy.error()};
  }
  made.proxy = std::move(proxy.value());
  return url;
}

}  // namespace mock_server::upstream
